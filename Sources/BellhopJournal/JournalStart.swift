internal import BellhopSQLite

/// What the writer knows when it starts, read from the end of the log.
struct JournalStart {
    let statements: JournalStatements
    let tag: String
    let accounts: [Journal.Account]
    let next: Int64
    let pageSize: Int
    let window: DuplicateWindow
    let open: [Int64: Int]
    let settled: Int64
    let answered: [Journal.Answer: RowID]
    let requests: RequestBook

    init(_ connection: Connection, accounts names: [String], options: JournalOptions) throws(DatabaseError) {
        (tag, accounts, settled) = try connection.transaction { () throws(DatabaseError) in
            (
                try Self.tag(connection), try Self.accounts(connection, names),
                try connection.integer("SELECT min(settled) FROM accounts") ?? 0
            )
        }
        statements = try JournalStatements(connection)
        pageSize = Int(truncatingIfNeeded: try connection.integer("PRAGMA page_size") ?? 8_192)
        // A row may have been deleted at the end, but its number is in the ids of messages that went out.
        let newest = try connection.integer("SELECT max(seq) FROM messages") ?? 0
        let marked = accounts.map(\.sent.value).max() ?? 0
        next = max(newest, marked, settled - 1, 0) + 1
        window = try Self.window(connection, newest: newest, size: options.duplicateWindow)
        open = try Self.open(connection, from: settled)
        answered = try Self.answered(connection, open: open)
        requests = try RequestBook(connection)
    }

    private static func tag(_ connection: Connection) throws(DatabaseError) -> String {
        if let tag = try connection.text("SELECT value FROM meta WHERE key = 'tag'"), !tag.isEmpty { return tag }
        let tag = MessageIdentifier.newTag()
        let insert = try connection.prepare("INSERT OR REPLACE INTO meta VALUES ('tag', ?)")
        insert.bind(tag, at: 1)
        try insert.run()
        return tag
    }

    private static func accounts(
        _ connection: Connection, _ names: [String]
    ) throws(DatabaseError) -> [Journal.Account] {
        let insert = try connection.prepare("INSERT OR IGNORE INTO accounts (jid, settled) VALUES (?, ?)")
        let find = try connection.prepare("SELECT id, sent FROM accounts WHERE jid = ?")
        let newest = try connection.integer("SELECT max(seq) FROM messages") ?? 0
        var accounts: [Journal.Account] = []
        for name in names where !accounts.contains(where: { $0.jid == name }) {
            insert.bind(name, at: 1)
            insert.bind(try connection.integer("SELECT min(settled) FROM accounts") ?? newest + 1, at: 2)
            try insert.run()
            find.bind(name, at: 1)
            guard try find.step() else { continue }
            accounts.append(
                Journal.Account(id: AccountID(find.integer(0)), jid: name, sent: Watermark(find.integer(1))))
            find.reset()
        }
        return accounts
    }

    private static func window(
        _ connection: Connection, newest: Int64, size: Int
    ) throws(DatabaseError) -> DuplicateWindow {
        var window = DuplicateWindow(size: size, key: .random())
        let rows = try connection.prepare(
            """
            SELECT seq, account, peer, archive_id, origin_id, id, body FROM messages
            WHERE seq > ? AND direction = 0 ORDER BY seq
            """)
        rows.bind(newest - Int64(size), at: 1)
        while try rows.step() {
            let identity = window.identity(
                account: rows.integer(1), peer: rows.text(2) ?? "", archiveID: rows.text(3), originID: rows.text(4),
                id: rows.text(5), body: rows.text(6))
            window.insert(identity, row: rows.integer(0))
        }
        return window
    }

    private static func open(_ connection: Connection, from settled: Int64) throws(DatabaseError) -> [Int64: Int] {
        var open: [Int64: Int] = [:]
        let rows = try connection.prepare(
            "SELECT seq, peer FROM messages WHERE seq >= ? AND direction = 0 AND state IN (2, 3)")
        rows.bind(settled, at: 1)
        while try rows.step() { open[rows.integer(0)] = (rows.text(1) ?? "").hashValue }
        return open
    }

    /// The answers that were already given to commands which may run again.
    private static func answered(
        _ connection: Connection, open: [Int64: Int]
    ) throws(DatabaseError) -> [Journal.Answer: RowID] {
        var answered: [Journal.Answer: RowID] = [:]
        guard let first = open.keys.min() else { return answered }
        let rows = try connection.prepare(
            "SELECT seq, answers, ordinal FROM messages WHERE seq > ? AND direction = 1 AND answers IS NOT NULL")
        rows.bind(first, at: 1)
        while try rows.step() {
            let answer = Journal.Answer(command: rows.integer(1), ordinal: Int(truncatingIfNeeded: rows.integer(2)))
            if open[answer.command] != nil { answered[answer] = RowID(rows.integer(0)) }
        }
        return answered
    }
}
