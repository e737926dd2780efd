internal import BellhopSQLite

/// Writes a copy of a journal while its bot may be running, which neither waits for it nor notices.
package struct JournalBackup: Sendable {
    private let journal: String

    package init(journal: String) { self.journal = journal }

    /// Makes the file, mode 0600, and says what it holds; one that is there stays unless it may be replaced.
    ///
    /// What logs in in place of the password stays out of it: copies travel. The copy is of one moment, is read again whole, and gets its name last: a file of that name is never half of one.
    @discardableResult
    package func write(
        to file: String, replacing: Bool, while goesOn: () -> Bool = { true }
    ) throws(CopyError) -> JournalContents {
        guard !Self.belongs(file, to: journal) else { throw .isJournal(file: file) }
        if !replacing, DataFile.exists(file) { throw .exists(file: file) }
        let copy = try JournalCopy(of: journal, beside: file, while: goesOn) { copy throws(DatabaseError) in
            // A journal of an earlier version has no such table.
            guard try copy.integer("SELECT 1 FROM sqlite_schema WHERE name = 'tokens'") != nil else { return }
            try copy.execute("DELETE FROM tokens")
        }
        try copy.place(at: file, replacing: replacing)
        return copy.contents
    }

    /// Whether the file is the journal, or one of those beside it that only the journal knows how to use.
    static func belongs(_ file: String, to journal: String) -> Bool {
        ["", "-wal", "-shm", "-lock", "-control"].contains { suffix in
            file == journal + suffix || DataFile.areOne(file, journal + suffix)
                || DataFile.areOne(file, DataFile.withoutLinks(journal) + suffix)
        }
    }
}
