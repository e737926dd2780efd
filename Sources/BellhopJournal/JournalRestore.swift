internal import BellhopSQLite

/// Puts a copy in a journal's place, while no bot writes it.
package struct JournalRestore: Sendable {
    private let journal: String

    /// What was done.
    package struct Outcome: Equatable, Sendable {
        package var contents: JournalContents
        /// Where the journal is that was there before; nil when there was none.
        package var kept: String?
        /// How many messages of the copy waited to be run or to be sent; they are ended.
        package var ended: Int

        package init(contents: JournalContents, kept: String?, ended: Int) {
            self.contents = contents
            self.kept = kept
            self.ended = ended
        }
    }

    package init(journal: String) { self.journal = journal }

    /// Reads the copy whole before anything is changed; the journal that was there is kept under another name.
    ///
    /// What waited to be run or to be sent when the copy was made is ended, since it was done since then, or is too old. The
    /// ids of what the bot says from now on differ from those that it gave before.
    package func run(from file: String) throws(CopyError) -> Outcome {
        let journal = DataFile.withoutLinks(journal)
        guard !JournalBackup.belongs(file, to: journal) else { throw .isJournal(file: file) }
        let lock: InstanceLock
        do throws(InstanceLockError) {
            lock = try InstanceLock(beside: journal)
        } catch {
            throw .target(JournalError(error, path: journal))
        }
        defer { lock.release() }
        _ = try JournalCopy.reading { () throws(JournalError) in try JournalContents(of: file) }
        var ended = 0
        let copy = try JournalCopy(
            of: file, beside: journal,
            adjust: { connection throws(DatabaseError) in ended = try Self.end(connection) })
        do throws(CopyError) {
            let kept = try JournalCopy.writing(journal) { () throws(DatabaseError) in try Self.keep(journal) }
            try copy.place(at: journal, replacing: false)
            return Outcome(contents: copy.contents, kept: kept, ended: ended)
        } catch {
            try? DataFile.remove(copy.file)
            throw error
        }
    }

    private static func end(_ connection: Connection) throws(DatabaseError) -> Int {
        try connection.transaction { () throws(DatabaseError) in
            try connection.execute(
                """
                UPDATE messages SET state = \(RowState.interrupted.rawValue), reason = 'restored from a backup'
                WHERE direction = 0 AND state IN (\(RowState.received.rawValue), \(RowState.started.rawValue))
                """)
            let incoming = connection.changes
            try connection.execute(
                """
                UPDATE messages SET state = \(RowState.failed.rawValue), reason = 'restored from a backup'
                WHERE direction = 1 AND state = \(RowState.queued.rawValue)
                AND seq > coalesce((SELECT sent FROM accounts WHERE id = messages.account), 0)
                """)
            let outgoing = connection.changes + (try Self.endOutbox(connection))
            try connection.execute("DELETE FROM meta WHERE key = 'tag'")
            // The stream of that time is not this one; a copy of an older version has no such table.
            if try connection.integer("SELECT count(*) FROM sqlite_master WHERE name = 'streams'") == 1 {
                try connection.execute("DELETE FROM streams")
            }
            return incoming + outgoing
        }
    }

    /// What was to be sent again came back for good. A backup of an earlier version has no table for that, and gets it later.
    private static func endOutbox(_ connection: Connection) throws(DatabaseError) -> Int {
        guard try connection.integer("SELECT count(*) FROM sqlite_master WHERE name = 'outbox'") == 1 else { return 0 }
        try connection.execute(
            """
            UPDATE messages SET state = \(RowState.failed.rawValue), reason = 'restored from a backup'
            WHERE direction = 1 AND state = \(RowState.requeued.rawValue)
            """)
        let ended = connection.changes
        try connection.execute(
            """
            INSERT OR REPLACE INTO outbox SELECT seq, account, peer, received_at FROM messages
            WHERE direction = 1 AND state = \(RowState.failed.rawValue) AND reason = 'restored from a backup'
            """)
        return ended
    }

    /// Moves the journal out of the way, its write-ahead log in it or, where it is damaged, beside it.
    private static func keep(_ journal: String) throws(DatabaseError) -> String? {
        guard DataFile.exists(journal) else {
            try DataFile.remove(journal + "-wal")
            return nil
        }
        foldLog(journal)
        var kept = journal + ".before-restore"
        var number = 1
        while DataFile.exists(kept) || DataFile.exists(kept + "-wal") {
            number += 1
            kept = "\(journal).before-restore-\(number)"
        }
        if DataFile.size(journal + "-wal") > 0 {
            _ = try DataFile.place(journal + "-wal", at: kept + "-wal", replacing: false)
        }
        try DataFile.remove(journal + "-wal")
        try DataFile.remove(journal + "-shm")
        _ = try DataFile.place(journal, at: kept, replacing: false)
        return kept
    }

    /// A killed bot leaves rows in the log. What is damaged is kept as it is.
    private static func foldLog(_ journal: String) {
        guard let connection = try? Connection(journal, .write) else { return }
        connection.setBusyTimeout(milliseconds: 2_000)
        _ = try? connection.checkpoint(.truncate)
    }
}
