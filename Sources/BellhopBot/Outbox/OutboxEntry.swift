package import BellhopXMPP

/// One message of ours that waits to be sent, is on its way, or came back.
package struct OutboxEntry: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        /// Was not handed to the stream yet.
        case waiting
        /// Was handed to the stream, and nobody has said yet that it arrived there.
        case leaving
        /// Came back then; the reason is the bounce's.
        case failed(at: Timestamp, reason: String)
    }

    package var row: RowID
    package var to: JID
    package var queuedAt: Timestamp
    package var state: State
    /// The start of its text, in one line; nil where it has none, or none is kept.
    package var text: String?

    package init(row: RowID, to: JID, queuedAt: Timestamp, state: State, text: String? = nil) {
        self.row = row
        self.to = to
        self.queuedAt = queuedAt
        self.state = state
        self.text = text.flatMap(Self.start)
    }

    /// The first line that says something, at most 40 characters; a single letter may carry thousands of marks.
    private static func start(of text: String) -> String? {
        guard let line = text.split(whereSeparator: \.isNewline).first else { return nil }
        var start = line.prefix(40)
        if start.utf8.count > 160 { start = Substring(start.unicodeScalars.prefix(40)) }
        return start.endIndex < text.endIndex ? start + "\u{2026}" : String(start)
    }
}

/// Which of them are looked for.
package struct OutboxFilter: Equatable, Sendable {
    /// To this bare address only; nil for all.
    package var to: JID?
    /// What came back earlier is left out; what waits is not.
    package var since: Timestamp
    /// Whether only what came back is looked for.
    package var failedOnly: Bool
    /// At most so many, the newest of them.
    package var limit: Int

    package init(to: JID? = nil, since: Timestamp, failedOnly: Bool = false, limit: Int = Outbox.limit) {
        self.to = to
        self.since = since
        self.failedOnly = failedOnly
        self.limit = limit
    }
}

/// What was found, oldest first.
package struct OutboxListing: Equatable, Sendable {
    package var entries: [OutboxEntry]
    /// How many older ones there are beyond the limit.
    package var more: Int

    package init(entries: [OutboxEntry], more: Int) {
        self.entries = entries
        self.more = more
    }
}

/// One message of ours with all that is needed to send it again.
package struct OutgoingRecord: Sendable {
    package enum State: Equatable, Sendable {
        case waiting, sent, dropped
        case failed(reason: String)
    }

    package var row: RowID
    package var message: OutgoingMessage
    package var state: State
    /// Whether all of it is kept.
    package var isWhole: Bool

    package init(row: RowID, message: OutgoingMessage, state: State, isWhole: Bool) {
        self.row = row
        self.message = message
        self.state = state
        self.isWhole = isWhole
    }
}
