internal import BellhopSQLite
internal import BellhopXMPP

/// What servers gave out to be shown at the next login in place of the password.
extension Journal {
    /// Keeps these with the next commit in place of those that were kept; nil forgets them.
    package func keepTokens(_ records: TokenRecords?, account: AccountID) {
        backlog.orders.append(.tokens(records, account: account))
    }

    /// What was kept last; nil where nothing is.
    package func tokens(account: AccountID) throws(JournalError) -> TokenRecords? {
        for case .tokens(let records, account) in backlog.orders.reversed() { return records }
        return try JournalFile.described(path) { () throws(DatabaseError) in
            let rows = try connection.prepare(
                """
                SELECT mechanism, secret, count, expires_at, password_digest, salt FROM tokens
                WHERE account = ? ORDER BY age
                """)
            rows.bind(account.number, at: 1)
            var records: TokenRecords?
            while try rows.step() {
                var known = records ?? TokenRecords([], passwordDigest: rows.text(4) ?? "", salt: rows.text(5) ?? "")
                known.tokens.append(
                    TokenRecord(
                        mechanism: rows.text(0) ?? "", secret: rows.text(1) ?? "", count: rows.integer(2),
                        expiresAt: rows.optionalInteger(3).map { Timestamp(milliseconds: $0) }))
                records = known
            }
            return records
        }
    }

    func write(_ records: TokenRecords?, account: AccountID) throws(DatabaseError) {
        let delete = try connection.prepare("DELETE FROM tokens WHERE account = ?")
        delete.bind(account.number, at: 1)
        try delete.run()
        guard let records else { return }
        for (age, token) in records.tokens.enumerated() {
            let put = try connection.prepare("INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
            put.bind(account.number, at: 1)
            put.bind(Int64(age), at: 2)
            put.bind(token.mechanism, at: 3)
            put.bind(token.secret, at: 4)
            put.bind(token.count, at: 5)
            put.bind(token.expiresAt?.milliseconds, at: 6)
            put.bind(records.passwordDigest, at: 7)
            put.bind(records.salt, at: 8)
            try put.run()
        }
    }
}
