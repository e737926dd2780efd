/// Something that goes wrong between a bot and its server.
public enum Fault: Equatable, Sendable {
    /// The connection is gone, without a word of either side.
    case cut
    /// The server ends the stream, as when it shuts down.
    case close
    /// The connection stays, but nothing goes through it in either direction: for so long, or until it is resumed.
    case stall(Duration?)
    /// From now on everything arrives so much later, in both directions; `.zero` ends that.
    case delay(Duration)
    /// The next message to the bot reaches it twice.
    case duplicate
    /// The next stanzas to the bot, so many, leave the server in another order; fewer do after a second.
    case reorder(Int)
    /// The connection is gone once the server has written so many bytes more, before TLS. Without a connection it is the
    /// next one that ends.
    case truncate(after: Int)
    /// The server stands still: it takes connections and says nothing, for so long or until it is resumed.
    case freeze(Duration?)
    /// The next count of arrived stanzas that the server tells the bot is wrong (XEP-0198); without stream management
    /// nothing happens.
    case miscount(Miscount)
    /// The server takes no connection, for so long or until it is resumed; those that exist go on.
    case refuse(Duration?)
    /// The server ends as a process and begins anew: it remembers no session, but keeps accounts, archive and the messages that
    /// it has not delivered.
    case restart
    /// The bot is killed while it handles the next message, and started again.
    case kill(KillPoint)
}

/// How a count is wrong.
public enum Miscount: Equatable, Sendable, CaseIterable {
    /// More than the bot has sent.
    case tooHigh
    /// Less than has arrived, as if some were still on their way; told with the next stanza that arrives.
    case tooLow
    /// Less than was told before.
    case backwards
}

/// At which point of a turn a bot is killed.
public enum KillPoint: Equatable, Sendable, CaseIterable {
    /// What happened in the turn is neither in the journal nor sent.
    case beforeCommit
    /// It is in the journal, and nothing of it has been sent.
    case beforeSending
    /// It is in the journal and has been sent; that it was sent is not noted yet.
    case afterSending
}
