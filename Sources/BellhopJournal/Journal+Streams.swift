internal import BellhopSQLite

/// What resuming an account's stream takes: kept with the commit of the messages that it counts (XEP-0198).
extension Journal {
    /// Keeps this text with the next commit; nil forgets what was kept.
    package func keepStream(_ text: String?, account: AccountID) {
        guard let index = accounts.firstIndex(where: { $0.id == account }) else { return }
        accounts[index].stream = text.map(StreamChange.kept) ?? .forgotten
    }

    /// What was kept last; nil when there is nothing to resume.
    package func keptStream(account: AccountID) throws(JournalError) -> String? {
        try JournalFile.described(path) { () throws(DatabaseError) in
            let find = try connection.prepare("SELECT state FROM streams WHERE account = ?")
            find.bind(account.number, at: 1)
            return try find.step() ? find.text(0) : nil
        }
    }

    var hasStreamChange: Bool {
        for account in accounts where account.stream != nil { return true }
        return false
    }

    func writeStreams() throws(DatabaseError) {
        for account in accounts {
            switch account.stream {
            case .kept(let text):
                statements.keepStream.bind(account.id.number, at: 1)
                statements.keepStream.bind(text, at: 2)
                // What the record leaves out because the server has it must not count as unsent when it is read.
                statements.keepStream.bind(account.sent.value, at: 3)
                statements.keepStream.bind(account.acknowledged.value, at: 4)
                try statements.keepStream.run()
            case .forgotten:
                let delete = try connection.prepare("DELETE FROM streams WHERE account = ?")
                delete.bind(account.id.number, at: 1)
                try delete.run()
            case nil: break
            }
        }
    }
}
