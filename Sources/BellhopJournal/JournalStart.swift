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
    /// Those of the open rows whose text goes when they are done.
    let transient: Set<Int64>
    /// Messages not yet sent whose text goes then.
    let unsentTexts: [Journal.PendingText]
    let settled: Int64
    let answered: [Journal.Answer: RowID]
    /// Messages that are to be sent again.
    let requeued: Set<Int64>
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
        let forgotten = try connection.integer("SELECT value FROM meta WHERE key = 'newest'") ?? 0
        next = max(newest, marked, settled - 1, forgotten, 0) + 1
        window = try Self.window(connection, newest: newest, size: options.duplicateWindow)
        (open, transient) = try Self.open(connection, from: settled, keepsBodies: options.keepsBodies)
        unsentTexts = try Self.unsentTexts(connection, keepsBodies: options.keepsBodies)
        answered = try Self.answered(connection, open: open)
        requeued = try Self.requeued(connection)
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
        let find = try connection.prepare("SELECT id, sent, acknowledged FROM accounts WHERE jid = ?")
        let unsent = try connection.prepare(
            "SELECT seq FROM messages WHERE seq > ? AND direction = 1 AND state = 0 AND account = ? ORDER BY seq")
        let newest = try connection.integer("SELECT max(seq) FROM messages") ?? 0
        var accounts: [Journal.Account] = []
        for name in names where !accounts.contains(where: { $0.jid == name }) {
            insert.bind(name, at: 1)
            insert.bind(try connection.integer("SELECT min(settled) FROM accounts") ?? newest + 1, at: 2)
            try insert.run()
            find.bind(name, at: 1)
            guard try find.step() else { continue }
            var account = Journal.Account(id: AccountID(find.integer(0)), jid: name, sent: Watermark(find.integer(1)))
            account.acknowledged = Watermark(find.integer(2))
            find.reset()
            unsent.bind(account.sent.value, at: 1)
            unsent.bind(account.id.number, at: 2)
            while try unsent.step() { account.outgoing.append(unsent.integer(0)) }
            unsent.reset()
            accounts.append(account)
        }
        return accounts
    }

    private static func window(
        _ connection: Connection, newest: Int64, size: Int
    ) throws(DatabaseError) -> DuplicateWindow {
        var window = DuplicateWindow(size: size, key: .random())
        var first = newest - Journal.mostHeldRows
        // What was fetched from an archive does not come twice by itself, and would only take the room of what may.
        let furthest = try connection.prepare(
            "SELECT seq FROM messages WHERE seq > ? AND reason IS NOT ? ORDER BY seq DESC LIMIT 1 OFFSET ?")
        furthest.bind(first, at: 1)
        furthest.bind(Journal.fetched, at: 2)
        furthest.bind(Int64(size), at: 3)
        if try furthest.step() { first = furthest.integer(0) }
        // What came since the reading of an archive began will be read in it once more.
        if try connection.userVersion >= 3,
            let begun = try connection.integer("SELECT min(seq) FROM archives WHERE state > 0")
        {
            window.isHeld = true
            first = max(min(first, begun), newest - Journal.mostHeldRows)
        }
        let rows = try connection.prepare(
            """
            SELECT seq, account, peer, archive_id, origin_id, id, body, length, direction FROM messages
            WHERE seq > ? AND (direction = 0 OR archive_id IS NOT NULL) AND reason IS NOT ? ORDER BY seq
            """)
        rows.bind(first, at: 1)
        rows.bind(Journal.fetched, at: 2)
        while try rows.step() {
            let (account, peer) = (rows.integer(1), rows.text(2) ?? "")
            let (archiveID, originID, id) = (rows.text(3), rows.text(4), rows.text(5))
            let length = rows.optionalInteger(7)
            if rows.integer(8) != 0 {
                // What another device of the account has said is known by the archive's id.
                let identity = window.identity(
                    account: account, peer: peer, archiveID: archiveID, originID: nil, id: nil, body: nil)
                window.insert(identity, row: rows.integer(0))
            } else if let length, rows.isNull(6) {
                window.insertBlank(
                    account: account, peer: peer, archiveID: archiveID, originID: originID, id: id, length: length,
                    row: rows.integer(0))
            } else {
                let identity = window.identity(
                    account: account, peer: peer, archiveID: archiveID, originID: originID, id: id, body: rows.text(6),
                    length: length)
                window.insert(identity, row: rows.integer(0))
            }
        }
        return window
    }

    private static func open(
        _ connection: Connection, from settled: Int64, keepsBodies: Bool
    ) throws(DatabaseError) -> ([Int64: Int], transient: Set<Int64>) {
        var open: [Int64: Int] = [:]
        var transient: Set<Int64> = []
        let rows = try connection.prepare(
            """
            SELECT seq, peer, instr(payload, '\(Journal.hint)') FROM messages
            WHERE seq >= ? AND direction = 0 AND state IN (2, 3)
            """)
        rows.bind(settled, at: 1)
        while try rows.step() {
            open[rows.integer(0)] = (rows.text(1) ?? "").hashValue
            if !keepsBodies || rows.integer(2) > 0 { transient.insert(rows.integer(0)) }
        }
        return (open, transient)
    }

    private static func unsentTexts(
        _ connection: Connection, keepsBodies: Bool
    ) throws(DatabaseError) -> [Journal.PendingText] {
        let rows = try connection.prepare(
            """
            SELECT m.seq, m.account FROM messages AS m JOIN accounts AS a ON a.id = m.account
            WHERE m.seq > (SELECT min(sent) FROM accounts) AND m.seq > a.sent AND m.direction = 1 AND m.state IN (0, 6)
            AND (?1 = 0 OR instr(m.payload, '\(Journal.hint)') > 0) ORDER BY m.seq
            """)
        rows.bind(keepsBodies ? 1 : 0, at: 1)
        var texts: [Journal.PendingText] = []
        while try rows.step() {
            texts.append(Journal.PendingText(number: rows.integer(0), account: rows.integer(1)))
        }
        return texts
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

    private static func requeued(_ connection: Connection) throws(DatabaseError) -> Set<Int64> {
        let rows = try connection.prepare(
            """
            SELECT m.seq FROM outbox AS o JOIN messages AS m ON m.seq = o.seq
            WHERE o.failed_at IS NULL AND m.state = \(RowState.requeued.rawValue)
            """)
        var requeued: Set<Int64> = []
        while try rows.step() { requeued.insert(rows.integer(0)) }
        return requeued
    }
}
