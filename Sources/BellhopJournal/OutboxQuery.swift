package import BellhopXMPP

/// Which messages of ours are looked for: those that wait to be sent, and those that came back.
package struct OutboxQuery: Equatable, Sendable {
    package var account: AccountID
    /// To this bare address only; nil for all.
    package var peer: String?
    /// What came back earlier is left out; what waits is not.
    package var since: Timestamp
    /// Whether only what came back is looked for.
    package var failedOnly: Bool
    /// At most so many, the newest of them.
    package var limit: Int

    package init(account: AccountID, peer: String? = nil, since: Timestamp, failedOnly: Bool = false, limit: Int) {
        self.account = account
        self.peer = peer
        self.since = since
        self.failedOnly = failedOnly
        self.limit = limit
    }
}

/// What such a search found, oldest first.
package struct OutboxPage: Equatable, Sendable {
    /// The state is `queued`, `requeued` or `failed`.
    package var messages: [OutboxMessage] = []
    /// How many older ones there are beyond the limit.
    package var more = 0
}

/// One message of ours that waits to be sent, or came back.
package struct OutboxMessage: Equatable, Sendable {
    package var message: StoredMessage
    /// When it came back; nil while it waits.
    package var failedAt: Timestamp?
}
