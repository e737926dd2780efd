internal import BellhopSQLite
internal import BellhopXMPP

/// How far the archive on the server was read.
extension Journal {
    /// The reason of rows that came from the archive because somebody asked for them; where they stand says nothing of how
    /// far the archive is known.
    package static let fetched = "fetched"

    /// Where to go on reading the account's archive; nil when nothing at all is known of it.
    ///
    /// That is the place where a reading stopped, else the newest incoming message with an archive id that `ArchiveLag` trusts.
    /// Looked for among the rows written last and nowhere else, because this is asked at every login.
    package func archivePosition(_ account: AccountID) throws(JournalError) -> ArchivePosition? {
        try JournalFile.described(path) { () throws(DatabaseError) in try readArchivePosition(account, ArchiveLag()) }
    }

    /// Keeps a position, with the next commit. While a reading is under way no duplicate is forgotten.
    package func setArchivePosition(_ position: ArchivePosition, _ account: AccountID) {
        var newest = next - 1
        // Of a reading that goes on the beginning counts.
        if position.isUnfinished,
            let stored = try? JournalFile.described(
                path,
                { () throws(DatabaseError) in
                    try storedArchivePosition(account)
                }), stored.position.isUnfinished
        {
            newest = stored.newest
        }
        isReadingArchive = position.isUnfinished
        backlog.orders.append(.archive(position, account: account, newest: newest))
    }

    /// Somebody has the archive read into the log, so no duplicate is forgotten; called in pairs with `endFetching`.
    package func beginFetching() { fetches += 1 }

    package func endFetching() { fetches -= 1 }

    /// How many of the newest rows are known after a restart in the middle of a reading.
    static let mostHeldRows: Int64 = 65_536

    /// How many rows are looked through at most.
    private static let searched: Int64 = 10_000

    /// Keeps the place of the newest message of all, since messages are going to be forgotten that the archive still has.
    func keepArchivePositions() throws(DatabaseError) {
        for account in accounts.map(\.id) {
            guard let position = try readArchivePosition(account, nil), !position.isUnfinished else { continue }
            setArchivePosition(position, account)
        }
    }

    /// - Parameter lag: What the place stays behind; nil takes the newest.
    private func readArchivePosition(
        _ account: AccountID, _ lag: ArchiveLag?
    ) throws(DatabaseError) -> ArchivePosition? {
        let stored = try storedArchivePosition(account)
        if let position = stored?.position, position.isUnfinished { return position }
        let first = max(stored?.newest ?? 0, next - 1 - Self.searched)
        var lag = lag
        for row in backlog.rows.reversed() where row.number > first && row.account == account.number {
            guard row.direction == .incoming, let id = backlog.string(row.archiveID),
                backlog.string(row.reason) != Self.fetched
            else { continue }
            let moment = row.sentAt == Backlog.PendingRow.absent ? row.receivedAt : row.sentAt
            let position = ArchivePosition(after: id, filedAt: Timestamp(milliseconds: moment), state: .read)
            if lag?.isEnough(at: position, row: row.number, receivedAt: row.receivedAt) ?? true { return position }
        }
        let rows = try connection.prepare(
            """
            SELECT archive_id, coalesce(sent_at, received_at), seq, received_at FROM messages
            WHERE seq > ?1 AND account = ?2 AND direction = 0 AND archive_id IS NOT NULL AND reason IS NOT ?3
            ORDER BY seq DESC
            """)
        rows.bind(first, at: 1)
        rows.bind(account.number, at: 2)
        rows.bind(Self.fetched, at: 3)
        while try rows.step() {
            let position = ArchivePosition(
                after: rows.text(0), filedAt: Timestamp(milliseconds: rows.integer(1)), state: .read)
            if lag?.isEnough(at: position, row: rows.integer(2), receivedAt: rows.integer(3)) ?? true {
                return position
            }
        }
        // A time is one of our clock, an id one of the server's.
        if let stored, stored.position.after != nil { return stored.position }
        return lag?.furthest ?? stored?.position
    }

    private func storedArchivePosition(
        _ account: AccountID
    ) throws(DatabaseError) -> (position: ArchivePosition, newest: Int64)? {
        for case .archive(let position, account, let newest) in backlog.orders.reversed() { return (position, newest) }
        let rows = try connection.prepare("SELECT after_id, start, state, seq FROM archives WHERE account = ?")
        rows.bind(account.number, at: 1)
        guard try rows.step() else { return nil }
        let position = ArchivePosition(
            after: rows.text(0), filedAt: Timestamp(milliseconds: rows.integer(1)),
            state: ArchivePosition.State(rawValue: rows.integer(2)) ?? .read)
        return (position, rows.integer(3))
    }

    func write(_ position: ArchivePosition, _ account: AccountID, newest: Int64) throws(DatabaseError) {
        let statement = try connection.prepare("INSERT OR REPLACE INTO archives VALUES (?, ?, ?, ?, ?)")
        statement.bind(account.number, at: 1)
        statement.bind(position.after, at: 2)
        statement.bind(position.filedAt.milliseconds, at: 3)
        statement.bind(position.state.rawValue, at: 4)
        statement.bind(newest, at: 5)
        try statement.run()
    }
}
