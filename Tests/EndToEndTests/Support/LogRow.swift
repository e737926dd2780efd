import BellhopSQLite

/// One message as the bot's journal shows it.
struct LogRow: Equatable, Sendable, CustomStringConvertible {
    var sequence: Int64
    var direction: String
    var peer: String
    var state: String
    var reason: String?
    var body: String?
    var id: String?
    /// The row of the command that it answers.
    var answers: Int64?

    var description: String {
        "\(sequence) \(direction) \(peer) \(state) \(reason ?? "") id=\(id ?? "-") answers=\(answers ?? 0): \(body ?? "-")"
    }
}

extension TestBot {
    /// Every row of the journal, by its number.
    func rows() throws -> [LogRow] {
        let connection = try Connection(journal, .read)
        connection.setBusyTimeout(milliseconds: 10_000)
        let query = "SELECT seq, direction, peer, state, reason, body, id, answers FROM log ORDER BY seq"
        let statement = try connection.prepare(query)
        var rows: [LogRow] = []
        while try statement.step() {
            rows.append(
                LogRow(
                    sequence: statement.integer(0), direction: statement.text(1) ?? "", peer: statement.text(2) ?? "",
                    state: statement.text(3) ?? "", reason: statement.text(4), body: statement.text(5),
                    id: statement.text(6), answers: statement.optionalInteger(7)))
        }
        return rows
    }

    /// What SQLite itself says about the soundness of the file; `ok` when nothing is wrong.
    func integrity() throws -> String? {
        let connection = try Connection(journal, .read)
        connection.setBusyTimeout(milliseconds: 10_000)
        return try connection.text("PRAGMA integrity_check")
    }
}

extension TestBot {
    /// How many friend requests the journal has as undecided.
    func pendingRequests() throws -> Int64? {
        let connection = try Connection(journal, .read)
        connection.setBusyTimeout(milliseconds: 10_000)
        return try connection.integer("SELECT count(*) FROM requests WHERE state = 0")
    }
}
