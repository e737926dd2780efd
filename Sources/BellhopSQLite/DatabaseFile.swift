internal import CBellhopSQLite
internal import Glibc

/// A database file as the file system sees it: creating it privately, and why opening it failed.
enum DatabaseFile {
    /// Creates an empty file of mode 0600 unless there is one already.
    ///
    /// SQLite gives `-wal` and `-shm` the mode of the main file, so those are private too.
    static func createPrivately(_ path: String) throws(DatabaseError) {
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
            return
        }
        let reason = errno
        if reason == EEXIST { return }
        throw DatabaseError(path: path, fault: creationFault(path, reason))
    }

    /// The path without links, so that a file has one name whichever way it is reached; as it is where nothing is there.
    static func withoutLinks(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Whether it is a pipe, a socket or a device: opening one could wait for ever.
    static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }

    /// Whether the file is too short to be a database, and not empty.
    ///
    /// SQLite takes such a file for an empty one and would write over it.
    static func isStub(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_size > 0 && status.st_size < 512
    }

    /// Why `path` cannot be opened, found out by looking; `writing` says what it was opened for.
    static func openFault(_ path: String, writing: Bool) -> DatabaseError.OpenFault {
        var status = stat()
        if unsafe stat(path, &status) != 0 { return creationFault(path, errno) }
        if status.st_mode & S_IFMT == S_IFDIR { return .isDirectory }
        if unsafe access(path, R_OK) != 0 { return .fileNotReadable }
        if writing, unsafe access(path, W_OK) != 0 { return .fileNotWritable }
        if writing, unsafe access(directory(of: path), W_OK) != 0 { return .directoryNotWritable(directory(of: path)) }
        return .system(errno)
    }

    static func creationFault(_ path: String, _ reason: Int32) -> DatabaseError.OpenFault {
        let directory = directory(of: path)
        var status = stat()
        guard unsafe stat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            return .directoryMissing(directory)
        }
        switch reason {
        case ENOENT: return .fileMissing
        case EACCES, EPERM, EROFS: return .directoryNotWritable(directory)
        case EISDIR: return .isDirectory
        default: return .system(reason)
        }
    }

    /// The directory that holds `path`; `.` for a bare file name.
    static func directory(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
    }
}
