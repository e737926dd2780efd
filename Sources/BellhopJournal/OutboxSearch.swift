internal import BellhopSQLite
package import BellhopXMPP

/// Looks for what waits and what came back, in what is committed.
struct OutboxSearch {
    let query: OutboxQuery
    /// Up to which row everything of the account was written to the stream.
    let sent: Int64

    /// By row. Finds as many above the limit as `slack` says, because a caller knows of some that they are none any more.
    func run(_ connection: Connection, slack: Int = 0) throws(DatabaseError) -> [OutboxMessage] {
        var found = try returned(connection, slack)
        if !query.failedOnly { found += try waiting(connection, slack) }
        return found.sorted { $0.message.row < $1.message.row }
    }

    /// How many there are, of which `run` finds the newest.
    func count(_ connection: Connection) throws(DatabaseError) -> Int {
        var count = try number(connection.prepare("SELECT count(*) \(Self.returnedRows)"), isWaiting: false)
        if !query.failedOnly {
            count += try number(connection.prepare("SELECT count(*) \(Self.waitingRows)"), isWaiting: true)
        }
        return count
    }

    /// What was queued and not written to the stream yet.
    private static let waitingRows = """
        FROM messages AS m WHERE m.seq > ?4 AND m.direction = 1 AND m.state = 0 AND m.account = ?1
        AND (?2 IS NULL OR m.peer = ?2)
        """

    /// What came back, and what of it is to be sent again.
    private static let returnedRows = """
        FROM outbox AS o JOIN messages AS m ON m.seq = o.seq
        WHERE o.account = ?1 AND (?2 IS NULL OR o.jid = ?2)
        AND ((o.failed_at >= ?3 AND m.state = 9) OR (?4 AND o.failed_at IS NULL AND m.state = 10))
        """

    private func waiting(_ connection: Connection, _ slack: Int) throws(DatabaseError) -> [OutboxMessage] {
        let rows = try connection.prepare(
            "SELECT \(StoredMessage.columns) \(Self.waitingRows) ORDER BY m.seq DESC LIMIT ?5")
        bind(rows, isWaiting: true)
        return try all(rows, slack)
    }

    private func returned(_ connection: Connection, _ slack: Int) throws(DatabaseError) -> [OutboxMessage] {
        let rows = try connection.prepare(
            "SELECT \(StoredMessage.columns), o.failed_at \(Self.returnedRows) ORDER BY m.seq DESC LIMIT ?5")
        bind(rows, isWaiting: false)
        return try all(rows, slack)
    }

    private func bind(_ rows: Statement, isWaiting: Bool) {
        rows.bind(query.account.number, at: 1)
        rows.bind(query.peer, at: 2)
        if isWaiting {
            rows.bind(sent, at: 4)
        } else {
            rows.bind(query.since.milliseconds, at: 3)
            rows.bind(query.failedOnly ? 0 : 1, at: 4)
        }
    }

    private func all(_ rows: Statement, _ slack: Int) throws(DatabaseError) -> [OutboxMessage] {
        rows.bind(Int64(clamping: max(query.limit, 0)) + Int64(clamping: slack), at: 5)
        var found: [OutboxMessage] = []
        while try rows.step() {
            let message = StoredMessage(rows)
            found.append(
                OutboxMessage(
                    message: message,
                    failedAt: message.state == .failed
                        ? rows.optionalInteger(19).map { Timestamp(milliseconds: $0) } : nil))
        }
        return found
    }

    private func number(_ rows: Statement, isWaiting: Bool) throws(DatabaseError) -> Int {
        bind(rows, isWaiting: isWaiting)
        return try rows.step() ? Int(truncatingIfNeeded: rows.integer(0)) : 0
    }
}

extension JournalReader {
    /// What waits to be sent and what came back, by the query; the account's address stands in for its number.
    package func outbox(
        of account: String, to peer: String? = nil, since: Timestamp, failedOnly: Bool = false, limit: Int
    ) throws(JournalError) -> OutboxPage {
        try JournalFile.described(path) { () throws(DatabaseError) in
            let accounts = try connection.prepare("SELECT id, sent FROM accounts WHERE jid = ?")
            accounts.bind(account, at: 1)
            guard try accounts.step() else { return OutboxPage() }
            let query = OutboxQuery(
                account: AccountID(accounts.integer(0)), peer: peer, since: since, failedOnly: failedOnly,
                limit: limit)
            let search = OutboxSearch(query: query, sent: accounts.integer(1))
            accounts.reset()
            let count = try search.count(connection)
            let messages = Array(try search.run(connection).suffix(max(limit, 0)))
            return OutboxPage(messages: messages, more: max(0, count - messages.count))
        }
    }

    /// What resuming an account's stream takes; nil when there is nothing to resume (XEP-0198).
    package func keptStream(of account: String) throws(JournalError) -> String? {
        try JournalFile.described(path) { () throws(DatabaseError) in
            let find = try connection.prepare(
                "SELECT s.state FROM streams AS s JOIN accounts AS a ON a.id = s.account WHERE a.jid = ?")
            find.bind(account, at: 1)
            return try find.step() ? find.text(0) : nil
        }
    }
}
