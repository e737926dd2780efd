internal import BellhopSQLite
package import BellhopXMPP

/// The runs of what is not open to everybody; written with the states of their messages, in the same commit.
extension Journal {
    /// Notes a run, in place of what was noted of the same row.
    package func audit(_ record: AuditRecord) {
        guard record.row != .unstored else { return }
        var record = record
        // What is not kept of the message is not kept here, either.
        if !options.keepsBodies || transient.contains(record.row.number) { record.typed = record.command }
        backlog.orders.append(.audit(record))
    }

    /// Notes how a run went on; does nothing where none was noted. The duration is in milliseconds.
    package func closeAudit(_ row: RowID, _ outcome: String, code: String?, duration: Int64?) {
        guard row != .unstored else { return }
        // A quick run is noted and done in one turn, and that is one row to write.
        if case .audit(var record)? = backlog.orders.last, record.row == row {
            record.outcome = outcome
            record.code = code
            record.duration = duration
            backlog.orders[backlog.orders.count - 1] = .audit(record)
        } else {
            backlog.orders.append(.closeAudit(row: row.number, outcome: outcome, code: code, duration: duration))
        }
    }

    /// The newest runs, at most so many, oldest first; what waits to be committed is among them.
    package func audited(last: Int) throws(JournalError) -> [AuditRecord] {
        var records: [Int64: AuditRecord] = [:]
        let stored = try JournalFile.described(path) { () throws(DatabaseError) in
            try AuditRecord.read(connection, since: nil, last: last)
        }
        for record in stored { records[record.row.number] = record }
        for order in backlog.orders {
            switch order {
            case .audit(let record): records[record.row.number] = record
            case .closeAudit(let row, let outcome, let code, let duration):
                records[row]?.outcome = outcome
                records[row]?.code = code
                records[row]?.duration = duration
            case .open, .notify, .decide, .greet, .set, .enterOutbox, .leaveOutbox, .blank, .archive, .login, .tokens:
                continue
            }
        }
        return Array(records.values.sorted { $0.row < $1.row }.suffix(max(last, 0)))
    }

    func write(_ record: AuditRecord) throws(DatabaseError) {
        let put = try connection.prepare(
            "INSERT OR REPLACE INTO audit (\(AuditRecord.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        put.bind(record.row.number, at: 1)
        put.bind(record.account.number, at: 2)
        put.bind(record.at.milliseconds, at: 3)
        put.bind(record.jid, at: 4)
        put.bind(record.command, at: 5)
        put.bind(record.typed, at: 6)
        put.bind(record.rule, at: 7)
        put.bind(record.outcome, at: 8)
        put.bind(record.code, at: 9)
        put.bind(record.duration, at: 10)
        try put.run()
    }

    func closeAudit(
        _ row: Int64, _ outcome: String, _ code: String?, _ duration: Int64?
    ) throws(DatabaseError) {
        let change = try connection.prepare(
            "UPDATE audit SET outcome = ?2, code = ?3, duration = ?4 WHERE seq = ?1")
        change.bind(row, at: 1)
        change.bind(outcome, at: 2)
        change.bind(code, at: 3)
        change.bind(duration, at: 4)
        try change.run()
    }
}

extension JournalReader {
    /// The newest runs of what is not open to everybody, those from `since` on where it is given, oldest first.
    package func audited(last: Int, since: Timestamp? = nil) throws(JournalError) -> [AuditRecord] {
        try JournalFile.described(path) { () throws(DatabaseError) in
            try AuditRecord.read(connection, since: since, last: last)
        }
    }
}

extension AuditRecord {
    fileprivate static func read(
        _ connection: Connection, since: Timestamp?, last: Int
    ) throws(DatabaseError) -> [AuditRecord] {
        let rows = try connection.prepare(
            "SELECT \(columns) FROM audit WHERE at >= ?1 ORDER BY seq DESC LIMIT ?2")
        rows.bind(since?.milliseconds ?? Int64.min, at: 1)
        rows.bind(Int64(max(last, 0)), at: 2)
        var found: [AuditRecord] = []
        while try rows.step() { found.append(AuditRecord(rows)) }
        return found.reversed()
    }
}
