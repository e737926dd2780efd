internal import BellhopSQLite
internal import BellhopXMPP

/// What earlier logins have shown, for later ones not to fall behind it.
extension Journal {
    /// Keeps this with the next commit; nil forgets what was kept.
    package func keepLogin(_ record: LoginRecord?, account: AccountID) {
        backlog.orders.append(.login(record, account: account))
    }

    /// What was kept last.
    package func login(account: AccountID) throws(JournalError) -> LoginRecord? {
        for case .login(let record, account) in backlog.orders.reversed() { return record }
        return try JournalFile.described(path) { () throws(DatabaseError) in
            let rows = try connection.prepare("SELECT mechanism, proved_at FROM logins WHERE account = ?")
            rows.bind(account.number, at: 1)
            return try rows.step() ? LoginRecord(rows) : nil
        }
    }

    func write(_ record: LoginRecord?, account: AccountID) throws(DatabaseError) {
        guard let record else {
            let delete = try connection.prepare("DELETE FROM logins WHERE account = ?")
            delete.bind(account.number, at: 1)
            return try delete.run()
        }
        let put = try connection.prepare(
            "INSERT OR REPLACE INTO logins (account, mechanism, proved_at) VALUES (?, ?, ?)")
        put.bind(account.number, at: 1)
        put.bind(record.mechanism, at: 2)
        put.bind(record.provedAt.milliseconds, at: 3)
        try put.run()
    }
}

extension JournalReader {
    /// What is known of the logins of an account, by its bare address.
    package func login(of account: String) throws(JournalError) -> LoginRecord? {
        try JournalFile.described(path) { () throws(DatabaseError) in
            let rows = try connection.prepare(
                "SELECT l.mechanism, l.proved_at FROM logins AS l JOIN accounts AS a ON a.id = l.account WHERE a.jid = ?"
            )
            rows.bind(account, at: 1)
            return try rows.step() ? LoginRecord(rows) : nil
        }
    }
}

extension LoginRecord {
    /// The first two columns of a row.
    fileprivate init(_ row: Statement) {
        self.init(mechanism: row.text(0) ?? "", provedAt: Timestamp(milliseconds: row.integer(1)))
    }
}
