internal import CBellhopSQLite

extension Connection {
    /// How far a checkpoint goes.
    package enum CheckpointMode: Sendable {
        /// Copies what it can without disturbing anybody.
        case passive
        /// Waits for writers and readers as the busy timeout allows, copies all, and lets the next writer start over.
        case restart
        /// The same, and cuts the file to nothing.
        case truncate
    }

    /// What a checkpoint did; both counts are pages.
    package struct Checkpoint: Equatable, Sendable {
        /// How many pages the write-ahead log holds.
        package var logged: Int
        /// How many of them are in the database file now.
        package var copied: Int
        /// Whether somebody's lock kept it from going as far as asked.
        package var wasBusy: Bool
    }

    /// Copies the write-ahead log into the database file.
    package func checkpoint(_ mode: CheckpointMode) throws(DatabaseError) -> Checkpoint {
        let number =
            switch mode {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .restart: SQLITE_CHECKPOINT_RESTART
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        var logged: Int32 = 0
        var copied: Int32 = 0
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, "main", number, &logged, &copied)
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else { throw error(code, "checkpoint") }
        return Checkpoint(logged: Int(max(logged, 0)), copied: Int(max(copied, 0)), wasBusy: code != SQLITE_OK)
    }

    /// Keeps count of the pages in the write-ahead log from now on, and never checkpoints by itself.
    package func watchLog() {
        guard unsafe watchedPages == nil else { return }
        let pages = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        unsafe pages.initialize(to: 0)
        unsafe watchedPages = unsafe pages
        // SQLite's automatic checkpoint is a hook too, and this one takes its place.
        unsafe sqlite3_wal_hook(
            handle,
            { context, _, _, count in
                unsafe context?.assumingMemoryBound(to: Int32.self).pointee = count
                return SQLITE_OK
            }, pages)
    }

    /// How many pages the write-ahead log held after the last commit of this connection; 0 unless watched.
    package var loggedPages: Int { Int(unsafe watchedPages?.pointee ?? 0) }

    /// Leaves the write-ahead log as it is when this connection closes, so that merely looking changes no file.
    package func keepLogOnClose(_ keeps: Bool) {
        unsafe bellhop_sqlite_keep_wal_on_close(handle, keeps ? 1 : 0)
    }

    /// Copies the whole database, as it is now, into a new file of mode 0600; a file in its place is replaced.
    ///
    /// Asks every 8 MiB whether to go on, and ends with `DatabaseError.Kind.interrupted` when not. The copy is of one moment
    /// only where a transaction is open meanwhile.
    package func backUp(to path: String, while goesOn: () -> Bool = { true }) throws(DatabaseError) {
        let copy = try Connection(path, .create)
        guard let backup = unsafe sqlite3_backup_init(copy.handle, "main", handle, "main") else {
            throw unsafe copy.error(sqlite3_errcode(copy.handle), "backup")
        }
        var code = SQLITE_OK
        while code == SQLITE_OK, goesOn() { code = unsafe sqlite3_backup_step(backup, 1_024) }
        let finished = unsafe sqlite3_backup_finish(backup)
        if code == SQLITE_OK {
            throw DatabaseError(code: SQLITE_INTERRUPT, message: "the copy was given up", sql: "backup")
        }
        guard code == SQLITE_DONE else { throw copy.error(code, "backup") }
        guard finished == SQLITE_OK else { throw copy.error(finished, "backup") }
    }

    /// A token that ends whatever this connection is doing; the only part of it that another thread may use.
    ///
    /// Use it only while the connection lives: the token holds it alive for that purpose.
    package var interrupt: Interrupt { Interrupt(connection: self) }

    /// Ends a running call of its connection with `DatabaseError.Kind.interrupted`.
    ///
    /// Unchecked: `sqlite3_interrupt` may be called from any thread (https://sqlite.org/c3ref/interrupt.html), the
    /// handle never changes, and the token keeps the connection from being closed meanwhile.
    package struct Interrupt: @unchecked Sendable {
        fileprivate let connection: Connection

        package func callAsFunction() { unsafe sqlite3_interrupt(connection.handle) }
    }
}
