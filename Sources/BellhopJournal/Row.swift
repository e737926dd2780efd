/// The number of a row: its place in the order of processing, never used twice.
package struct RowID: Hashable, Comparable, Sendable {
    package let number: Int64

    package init(_ number: Int64) { self.number = number }

    /// Stands for a row that was not stored because the journal was full; marking it does nothing.
    package static let unstored = RowID(0)

    package static func < (a: RowID, b: RowID) -> Bool { a.number < b.number }
}

/// The number of an account in this journal.
package struct AccountID: Hashable, Sendable {
    package let number: Int64

    init(_ number: Int64) { self.number = number }
}

/// Which way a message went, by who wrote it and not by the path it came.
package enum Direction: Int64, Sendable {
    case incoming = 0
    case outgoing = 1
}

/// What has become of a message; the first five of an incoming one, the others of an outgoing one.
///
/// The numbers are stored. The two that most rows end in are 0 and 1, which take no room in a record.
package enum RowState: Int64, Sendable, CaseIterable {
    /// Waits to be run.
    case received = 2
    /// A handler is at work.
    case started = 3
    /// Its handler is done.
    case handled = 1
    /// The bot was stopped while a handler was at work.
    case interrupted = 4
    /// Not run; the row has the reason.
    case declined = 5
    /// To be sent.
    case queued = 0
    /// Written to the stream.
    case sent = 6
    /// The server has it.
    case acknowledged = 7
    /// The other side has it.
    case delivered = 8
    /// Bounced; the row has the reason.
    case failed = 9
    /// To be sent again, though the mark in its account is past it.
    case requeued = 10
    /// Given up by a person; the row says by whom.
    case dropped = 11

    /// Whether something is left to do with an incoming row in this state after a restart.
    var isOpen: Bool { self == .received || self == .started }
}

/// What kind of message a row holds: the stanza's type, or what kept a command from being read from it.
package enum RowKind: Int64, Sendable, CaseIterable {
    case chat = 0
    case normal = 1
    case groupchat = 2
    case headline = 3
    case error = 4
    case own = 10
    case noSender = 11
    case carbon = 12
    case forgedCarbon = 13
    case archive = 14
    case stale = 15
    case noBody = 16
    case emptyBody = 17
    case encrypted = 18
    case correction = 19
    case reaction = 20
    case retraction = 21
    case domainSender = 22
}
