internal import CBellhopSQLite

/// What a database call failed with: a closed kind to decide by, SQLite's own code and words to report.
///
/// Holds the SQL with its placeholders and never a bound value, so it may be logged.
package struct DatabaseError: Error, Equatable, Sendable {
    package var kind: Kind
    /// SQLite's extended result code, like 5 (`SQLITE_BUSY`) or 261 (`SQLITE_BUSY_RECOVERY`).
    package var code: Int32
    /// SQLite's words.
    package var message: String
    /// The statement with its placeholders; nil when no statement was involved.
    package var sql: String?

    package enum Kind: Equatable, Sendable {
        /// The file could not be opened or created.
        case cannotOpen(path: String, OpenFault)
        /// The file holds something else than a database.
        case notADatabase
        /// The file is a database whose content is damaged.
        case corrupt
        /// Another connection holds the lock; trying again later may help.
        case busy
        /// The disk, or the size that the database may have, is used up.
        case full
        /// The file or its directory may not be written.
        case readOnly
        /// The disk refused to read or write.
        case inputOutput
        /// The call was ended by `Connection.interrupt`.
        case interrupted
        /// A rule of the schema was broken.
        case constraint
        /// Anything else, a mistake in our SQL included.
        case other
    }

    /// Why a file could not be opened, told apart for the sentence that the person reads.
    package enum OpenFault: Equatable, Sendable {
        case directoryMissing(String)
        case directoryNotWritable(String)
        case fileMissing
        case fileNotReadable
        case fileNotWritable
        case isDirectory
        /// Another reason, with the system's `errno`.
        case system(Int32)
    }

    init(code: Int32, message: String, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
        // The low byte of an extended code is the primary code.
        switch code & 0xFF {
        case SQLITE_NOTADB: kind = .notADatabase
        case SQLITE_CORRUPT: kind = .corrupt
        case SQLITE_BUSY, SQLITE_LOCKED: kind = .busy
        case SQLITE_FULL: kind = .full
        case SQLITE_READONLY, SQLITE_PERM: kind = .readOnly
        // The file beside the log got no room: SQLite says that the disk is full only of the other files.
        case SQLITE_IOERR: kind = code == bellhop_sqlite_shared_memory_size ? .full : .inputOutput
        case SQLITE_INTERRUPT: kind = .interrupted
        case SQLITE_CONSTRAINT: kind = .constraint
        default: kind = .other
        }
    }

    /// An error that our own code found out, or that a test needs.
    package init(kind: Kind, code: Int32, message: String) {
        self.kind = kind
        self.code = code
        self.message = message
        sql = nil
    }

    init(path: String, fault: OpenFault, code: Int32 = SQLITE_CANTOPEN) {
        self.code = code
        kind = .cannotOpen(path: path, fault)
        message = "unable to open database file"
        sql = nil
    }
}
