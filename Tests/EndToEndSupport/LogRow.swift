import BellhopSQLite

/// One message as the bot's journal shows it.
package struct LogRow: Equatable, Sendable, CustomStringConvertible {
    package var sequence: Int64
    package var direction: String
    package var peer: String
    package var state: String
    package var reason: String?
    package var body: String?
    package var id: String?
    /// The row of the command that it answers.
    package var answers: Int64?
    /// When the bot had it, in UTC, as the log prints it.
    package var received: String
    /// When its sender sent it, as far as a server said so.
    package var sent: String?

    package init(
        sequence: Int64, direction: String, peer: String, state: String, reason: String? = nil, body: String? = nil,
        id: String? = nil, answers: Int64? = nil, received: String = "", sent: String? = nil
    ) {
        self.sequence = sequence
        self.direction = direction
        self.peer = peer
        self.state = state
        self.reason = reason
        self.body = body
        self.id = id
        self.answers = answers
        self.received = received
        self.sent = sent
    }

    package var description: String {
        "\(sequence) \(direction) \(peer) \(state) \(reason ?? "") id=\(id ?? "-") answers=\(answers ?? 0) "
            + "received=\(received) sent=\(sent ?? "-"): \(body ?? "-")"
    }
}

extension TestBot {
    /// Every row of the journal, by its number.
    package func rows() throws -> [LogRow] {
        let connection = try Connection(journal, .read)
        connection.setBusyTimeout(milliseconds: 10_000)
        let query =
            "SELECT seq, direction, peer, state, reason, body, id, answers, received, sent FROM log ORDER BY seq"
        let statement = try connection.prepare(query)
        var rows: [LogRow] = []
        while try statement.step() {
            rows.append(
                LogRow(
                    sequence: statement.integer(0), direction: statement.text(1) ?? "", peer: statement.text(2) ?? "",
                    state: statement.text(3) ?? "", reason: statement.text(4), body: statement.text(5),
                    id: statement.text(6), answers: statement.optionalInteger(7),
                    received: statement.text(8) ?? "", sent: statement.text(9)))
        }
        return rows
    }

    /// What SQLite itself says about the soundness of the file; `ok` when nothing is wrong.
    package func integrity() throws -> String? {
        let connection = try Connection(journal, .read)
        connection.setBusyTimeout(milliseconds: 10_000)
        return try connection.text("PRAGMA integrity_check")
    }
}

extension TestBot {
    /// How many friend requests the journal has as undecided.
    package func pendingRequests() throws -> Int64? {
        let connection = try Connection(journal, .read)
        connection.setBusyTimeout(milliseconds: 10_000)
        return try connection.integer("SELECT count(*) FROM requests WHERE state = 0")
    }
}
