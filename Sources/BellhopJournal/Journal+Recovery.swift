internal import BellhopSQLite

extension Journal {
    /// What the last run left behind, oldest first: commands received or started, and messages not yet sent.
    ///
    /// A reply counts as not sent until the mark is stored, so one that went out in the last second may be among them.
    ///
    /// What is not committed yet is among them, too.
    package func unfinished() throws(JournalError) -> [StoredMessage] {
        let changed = Set(backlog.changes.map(\.number))
        let stored = try JournalFile.described(path, readUnfinished).filter { message in
            if changed.contains(message.row.number) { return false }
            // The mark in memory is ahead of the stored one by up to a second.
            return message.direction == .incoming || message.row.number > sent(message.account.number)
        }
        let found = stored + backlog.rows.filter(isUnfinished).map { StoredMessage($0, in: backlog) }
        // Such a message goes to its old place, in front of what was written since.
        return requeued.isEmpty ? found : (try requeuedMessages() + found).sorted { $0.row < $1.row }
    }

    /// How many messages of the account wait to be sent, as of the last commit, with those of this turn.
    package func queuedCount(_ account: AccountID) throws(JournalError) -> Int {
        let held = backlog.rows.count { $0.direction == .outgoing && $0.account == account.number && isUnfinished($0) }
        return try JournalFile.described(path) { () throws(DatabaseError) in try readQueuedCount(account) } + held
            + requeued.count
    }

    private func readQueuedCount(_ account: AccountID) throws(DatabaseError) -> Int {
        let count = try connection.prepare(
            "SELECT count(*) FROM messages WHERE seq > ? AND direction = 1 AND state = 0 AND account = ?")
        count.bind(sent(account.number), at: 1)
        count.bind(account.number, at: 2)
        return try count.step() ? Int(truncatingIfNeeded: count.integer(0)) : 0
    }

    /// How many messages were logged since the journal was made, those that are no longer kept included.
    package var loggedCount: Int { Int(clamping: next - 1) }

    private func isUnfinished(_ row: Backlog.PendingRow) -> Bool {
        switch row.direction {
        case .incoming: return row.state.isOpen
        case .outgoing:
            return row.state == .queued && row.number > sent(row.account)
        }
    }

    /// Up to which row everything of the account was written to the stream.
    func sent(_ account: Int64) -> Int64 { accounts.first { $0.id.number == account }?.sent.value ?? 0 }

    private func readUnfinished() throws(DatabaseError) -> [StoredMessage] {
        let sent = accounts.map(\.sent.value).min() ?? 0
        let rows = try connection.prepare(
            """
            SELECT \(StoredMessage.columns) FROM messages AS m JOIN accounts AS a ON a.id = m.account
            WHERE m.seq >= ?1 AND (
                (m.direction = 0 AND m.state IN (2, 3)) OR (m.direction = 1 AND m.state = 0 AND m.seq > a.sent))
            ORDER BY m.seq
            """)
        rows.bind(min(settled.value, sent + 1), at: 1)
        var found: [StoredMessage] = []
        while try rows.step() { found.append(StoredMessage(rows)) }
        return found
    }

    /// Commands of a conversation that wait to be run, after `row`, oldest first, at most `limit`.
    package func waiting(
        peer: String, after row: RowID, limit: Int
    ) throws(JournalError) -> [StoredMessage] {
        let fingerprint = peer.hashValue
        let candidates = open.lazy.filter { $0.key > row.number && $0.value == fingerprint }.map(\.key).sorted()
        var found: [StoredMessage] = []
        for number in candidates where found.count < limit {
            if let message = try message(RowID(number)), message.peer == peer, message.state == .received,
                !backlog.changes.contains(where: { $0.number == number })
            {
                found.append(message)
            }
        }
        // What is held in memory came later than everything committed.
        for pending in backlog.rows where found.count < limit {
            guard pending.number > row.number, pending.direction == .incoming, pending.state == .received,
                backlog.string(pending.peer) == peer
            else { continue }
            found.append(StoredMessage(pending, in: backlog))
        }
        return found
    }

    /// One row, committed or held; nil when there is none.
    package func message(_ row: RowID) throws(JournalError) -> StoredMessage? {
        if let index = backlog.index(of: row.number) { return StoredMessage(backlog.rows[index], in: backlog) }
        return try JournalFile.described(path) { () throws(DatabaseError) in try read(row) }
    }

    private func read(_ row: RowID) throws(DatabaseError) -> StoredMessage? {
        statements.one.bind(row.number, at: 1)
        guard try statements.one.step() else { return nil }
        let message = StoredMessage(statements.one)
        statements.one.reset()
        return message
    }

    /// The row of a message of ours by its id and whom it went to.
    ///
    /// Looks among those written last, then where the id says, then at the end of the log: never at the whole of it,
    /// because anybody can send a bounce. `reach` is how many rows are looked at behind the one that the id names: a command
    /// that waited for long is answered far behind it.
    func outgoing(id: String, peer: String, reach: Int64 = Journal.scanned) -> RowID? {
        for number in recentOut.rows(id: id) {
            if let message = try? message(RowID(number)), message.id == id || message.originID == id,
                message.peer == peer
            {
                return message.row
            }
        }
        let named = MessageIdentifier.row(in: id, tag: tag)
        if let named, named >= next { return nil }
        let end = next - Self.scanned
        guard let named else { return try? scan(from: end, Self.scanned, id: id, peer: peer) }
        if let row = try? scan(from: named, reach, id: id, peer: peer) { return row }
        return try? scan(from: max(named + reach, end), Self.scanned, id: id, peer: peer)
    }

    static let scanned: Int64 = 2_048

    private func scan(from first: Int64, _ count: Int64, id: String, peer: String) throws(DatabaseError) -> RowID? {
        let rows = try connection.prepare(
            """
            SELECT seq FROM messages WHERE seq >= ?1 AND seq < ?2 AND direction = 1
            AND (id = ?3 OR origin_id = ?3) AND peer = ?4 LIMIT 1
            """)
        rows.bind(first, at: 1)
        rows.bind(first + count, at: 2)
        rows.bind(id, at: 3)
        rows.bind(peer, at: 4)
        return try rows.step() ? RowID(rows.integer(0)) : nil
    }
}
