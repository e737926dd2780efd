internal import CBellhopSQLite

/// One connection to a database file; belongs to the thread that opened it.
///
/// Waits for no lock unless told to: a locked database is `DatabaseError.Kind.busy` at once.
@safe package final class Connection {
    let handle: OpaquePointer
    package let path: String
    /// Where SQLite's hook leaves the length of the write-ahead log; allocated once it is watched.
    var watchedPages: UnsafeMutablePointer<Int32>?

    /// What the file is opened for.
    package enum Access: Equatable, Sendable {
        /// Reads and writes; creates the file with mode 0600 when there is none.
        case create
        /// Reads and writes a file that is there.
        case write
        /// Only reads.
        case read
        /// Only reads, and promises that nobody writes: no lock, no `-shm`. For a file in a place that cannot be written.
        case readImmutable
    }

    /// Tells SQLite once, before its first use, that each connection stays on its thread.
    private static let configured: Void = bellhop_sqlite_configure()

    /// Opens the file; nothing in it is read yet, so a file that is no database shows at the first statement, unless it
    /// is too short to be one.
    package init(_ path: String, _ access: Access) throws(DatabaseError) {
        _ = Self.configured
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
        var name = path
        switch access {
        case .create:
            try DatabaseFile.createPrivately(path)
            flags |= SQLITE_OPEN_READWRITE
        case .write: flags |= SQLITE_OPEN_READWRITE
        case .read: flags |= SQLITE_OPEN_READONLY
        case .readImmutable:
            flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            name = "file:" + Self.escaped(path) + "?immutable=1"
        }
        if DatabaseFile.isStub(path) || DatabaseFile.isSpecial(path) {
            throw DatabaseError(code: SQLITE_NOTADB, message: "file is not a database")
        }
        // SQLite silently opens a file that it may only read as read-only.
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(name, &opened, flags, nil)
        let writing = access == .create || access == .write
        guard let opened = unsafe opened, code == SQLITE_OK else {
            unsafe sqlite3_close_v2(opened)
            throw DatabaseError(path: path, fault: DatabaseFile.openFault(path, writing: writing), code: code)
        }
        if writing, unsafe sqlite3_db_readonly(opened, "main") == 1 {
            unsafe sqlite3_close_v2(opened)
            throw DatabaseError(path: path, fault: DatabaseFile.openFault(path, writing: true), code: SQLITE_READONLY)
        }
        unsafe handle = opened
        self.path = path
    }

    deinit {
        unsafe sqlite3_wal_hook(handle, nil, nil)
        unsafe sqlite3_close_v2(handle)
        unsafe watchedPages?.deallocate()
    }

    /// Runs one or more statements that return nothing.
    package func execute(_ sql: String) throws(DatabaseError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, sql) }
    }

    /// Prepares a statement that is going to be run many times.
    package func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK else { throw error(code, sql) }
        guard let prepared = unsafe prepared else { throw error(SQLITE_MISUSE, sql) }
        return unsafe Statement(prepared, on: self)
    }

    /// The first column of the first row as an integer; nil when there is no row, or a null.
    package func integer(_ sql: String) throws(DatabaseError) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
    }

    /// The first column of the first row as text; nil when there is no row, or a null.
    package func text(_ sql: String) throws(DatabaseError) -> String? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.text(0) : nil
    }

    /// The schema version that its owner keeps in the file's header.
    package var userVersion: Int64 {
        get throws(DatabaseError) { try integer("PRAGMA user_version") ?? 0 }
    }

    /// The mark in the file's header that says whose file it is.
    package var applicationID: Int64 {
        get throws(DatabaseError) { try integer("PRAGMA application_id") ?? 0 }
    }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// How many rows the last insert, update or delete touched.
    package var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

    /// How long a call waits for a lock, in milliseconds; 0, the default, means not at all.
    package func setBusyTimeout(milliseconds: Int32) {
        unsafe sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Runs `body` in one immediate transaction, and rolls back when it throws.
    package func transaction<Result>(
        _ body: () throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> Result {
        try execute("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Ends an open transaction without its changes; does nothing when SQLite has done so by itself.
    package func rollBack() {
        // A failed rollback leaves nothing to decide: the next statement reports what is wrong.
        if isInTransaction { unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }

    func error(_ code: Int32, _ sql: String?) -> DatabaseError {
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        let extended = unsafe sqlite3_extended_errcode(handle)
        let precise = extended & 0xFF == code & 0xFF ? extended : code
        guard code & 0xFF == SQLITE_CANTOPEN else { return DatabaseError(code: precise, message: message, sql: sql) }
        let writing = unsafe sqlite3_db_readonly(handle, "main") == 0
        return DatabaseError(path: path, fault: DatabaseFile.openFault(path, writing: writing), code: precise)
    }

    /// A path as part of a URI: `%`, `?` and `#` would end or change it.
    private static func escaped(_ path: String) -> String {
        var escaped = ""
        for scalar in path.unicodeScalars {
            switch scalar {
            case "%": escaped += "%25"
            case "?": escaped += "%3f"
            case "#": escaped += "%23"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
