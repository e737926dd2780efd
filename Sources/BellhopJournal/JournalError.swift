internal import BellhopSQLite

/// Why a journal could not be opened or read; the file is as it was, whatever the reason.
package enum JournalError: Error, Equatable, Sendable {
    /// Another process writes this journal; its number where the lock file tells (exit 75).
    case alreadyRunning(path: String, pid: Int32?)
    /// The file cannot be opened or made.
    case cannotOpen(path: String, Obstruction)
    /// Not a database at all: a text file, or one whose first bytes are overwritten.
    case notADatabase(path: String)
    /// A database, but not a journal of ours.
    case notAJournal(path: String)
    /// A journal whose content is damaged, with what SQLite found.
    case damaged(path: String, finding: String)
    /// Written by a newer program.
    case newer(path: String, found: Int64, known: Int64)
    /// Written by an older program, and only being read.
    case older(path: String, found: Int64, known: Int64)
    /// The step to a newer schema failed; the old content is intact, and was backed up where `backup` says.
    case migration(path: String, from: Int64, to: Int64, backup: String?, reason: String)
    /// Another process keeps the file locked.
    case locked(path: String)
    /// The disk is full.
    case full(path: String)
    /// Anything else, with SQLite's extended code and words.
    case database(path: String, code: Int32, message: String)

    /// What is in the way of a file, told apart for the sentence that the person reads.
    package enum Obstruction: Equatable, Sendable {
        case directoryMissing(String)
        case directoryNotWritable(String)
        case fileMissing
        case fileNotReadable
        case fileNotWritable
        case isDirectory
        /// Another reason, with the system's `errno`.
        case system(Int32)
    }

    init(_ error: InstanceLockError, path: String) {
        switch error {
        case .held(let pid): self = .alreadyRunning(path: path, pid: pid)
        case .cannotOpen(let lock, let fault): self = .cannotOpen(path: lock, Obstruction(fault))
        }
    }

    init(_ error: DatabaseError, path: String) {
        switch error.kind {
        case .cannotOpen(let path, let fault): self = .cannotOpen(path: path, Obstruction(fault))
        case .notADatabase: self = .notADatabase(path: path)
        case .corrupt: self = .damaged(path: path, finding: error.message)
        case .busy: self = .locked(path: path)
        case .full: self = .full(path: path)
        case .readOnly: self = .cannotOpen(path: path, .fileNotWritable)
        case .inputOutput, .interrupted, .constraint, .other:
            self = .database(path: path, code: error.code, message: error.message)
        }
    }
}

extension JournalError.Obstruction {
    init(_ fault: DatabaseError.OpenFault) {
        switch fault {
        case .directoryMissing(let directory): self = .directoryMissing(directory)
        case .directoryNotWritable(let directory): self = .directoryNotWritable(directory)
        case .fileMissing: self = .fileMissing
        case .fileNotReadable: self = .fileNotReadable
        case .fileNotWritable: self = .fileNotWritable
        case .isDirectory: self = .isDirectory
        case .system(let number): self = .system(number)
        }
    }
}
