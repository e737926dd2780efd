internal import BellhopSQLite

/// Messages of ours that wait to be sent, read in pieces: there may be more of them than memory should hold.
extension Journal {
    /// Messages of the account that wait to be sent, behind a row, oldest first, at most `limit`; to one person (bare), or to
    /// all. What is not committed yet is among them.
    package func queued(
        _ account: AccountID, to peer: String? = nil, after row: RowID, limit: Int
    ) throws(JournalError) -> [StoredMessage] {
        let changed = Set(backlog.changes.map(\.number))
        let start = max(row.number, accounts.first { $0.id == account }?.sent.value ?? 0)
        var found = try JournalFile.described(path) { () throws(DatabaseError) in
            try readQueued(account, to: peer, after: start, limit: limit, except: changed)
        }
        for pending in backlog.rows where found.count < limit {
            guard pending.direction == .outgoing, pending.state == .queued, pending.account == account.number,
                pending.number > start, peer == nil || backlog.string(pending.peer) == peer
            else { continue }
            found.append(StoredMessage(pending, in: backlog))
        }
        guard !requeued.isEmpty else { return found }
        let again = try requeuedMessages().filter {
            $0.account == account && $0.row > row && (peer == nil || $0.peer == peer)
        }
        return Array((again + found).sorted { $0.row < $1.row }.prefix(limit))
    }

    private func readQueued(
        _ account: AccountID, to peer: String?, after row: Int64, limit: Int, except changed: Set<Int64>
    ) throws(DatabaseError) -> [StoredMessage] {
        let rows = try connection.prepare(
            """
            SELECT \(StoredMessage.columns) FROM messages AS m
            WHERE m.seq > ?1 AND m.direction = 1 AND m.state = 0 AND m.account = ?2 AND (?3 IS NULL OR m.peer = ?3)
            ORDER BY m.seq
            """)
        rows.bind(row, at: 1)
        rows.bind(account.number, at: 2)
        if let peer { rows.bind(peer, at: 3) }
        var found: [StoredMessage] = []
        while found.count < limit, try rows.step() {
            let message = StoredMessage(rows)
            if !changed.contains(message.row.number) { found.append(message) }
        }
        return found
    }
}
