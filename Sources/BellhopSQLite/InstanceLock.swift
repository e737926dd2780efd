internal import Glibc

/// Keeps a second instance out: an advisory lock on a file of its own that holds the process number.
///
/// The kernel drops the lock when the process ends, however it ends, so it is never stale. The database file itself is
/// not locked this way: closing a second descriptor of it would drop SQLite's own locks.
package final class InstanceLock {
    /// -1 once it is let go.
    private var descriptor: Int32

    /// Takes the lock beside a database, or throws who holds it. Two names that lead to one file have one lock.
    package convenience init(beside database: String) throws(InstanceLockError) {
        try self.init(path: DatabaseFile.withoutLinks(database) + "-lock")
    }

    /// Takes the lock, or throws who holds it.
    package init(path: String) throws(InstanceLockError) {
        let descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.cannotOpen(path, errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            let holder = Self.holder(in: descriptor)
            close(descriptor)
            throw reason == EWOULDBLOCK ? .held(by: holder) : Self.cannotOpen(path, reason)
        }
        self.descriptor = descriptor
        let number = Array("\(getpid())\n".utf8)
        ftruncate(descriptor, 0)
        // Whom to name is a courtesy; the lock holds without it.
        _ = unsafe number.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    deinit { release() }

    /// Lets the next instance in.
    package func release() {
        guard descriptor >= 0 else { return }
        ftruncate(descriptor, 0)
        // A program that is being started holds every open file until it runs, and with the file the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
        descriptor = -1
    }

    private static func cannotOpen(_ path: String, _ reason: Int32) -> InstanceLockError {
        .cannotOpen(path: path, DatabaseFile.creationFault(path, reason))
    }

    private static func holder(in descriptor: Int32) -> Int32? {
        var digits = [UInt8](repeating: 0, count: 16)
        let count = unsafe digits.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        return Int32(String(decoding: digits.prefix(max(count, 0)).prefix { $0 != 10 }, as: UTF8.self))
    }
}

/// Why the instance lock could not be taken.
package enum InstanceLockError: Error, Equatable, Sendable {
    /// Another process has it; its number where the file tells.
    case held(by: Int32?)
    /// The lock file could not be opened or locked.
    case cannotOpen(path: String, DatabaseError.OpenFault)
}
