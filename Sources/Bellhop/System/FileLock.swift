internal import Glibc

/// A lock on a file of its own, which one process has at a time; the kernel drops it however that process ends.
package final class FileLock {
    private let path: String
    /// -1 once it is let go.
    private var descriptor: Int32

    package enum Fault: Error, Equatable, Sendable {
        /// Another process has it.
        case held
        case trouble(FileTrouble)
    }

    /// Takes the lock, or throws at once.
    package init(path: String) throws(Fault) {
        self.path = path
        // Who had it before may remove the file between the two calls, which happens a few times at most.
        for _ in 0..<16 {
            let descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw .trouble(.other(SystemReason.phrase(errno))) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let reason = errno
                close(descriptor)
                throw reason == EWOULDBLOCK ? .held : .trouble(.other(SystemReason.phrase(reason)))
            }
            if Self.leads(path, to: descriptor) {
                self.descriptor = descriptor
                return
            }
            close(descriptor)
        }
        throw .held
    }

    deinit { release() }

    /// Lets others in, and leaves no file behind.
    package func release() {
        guard descriptor >= 0 else { return }
        _ = unsafe unlink(path)
        close(descriptor)
        descriptor = -1
    }

    private static func leads(_ path: String, to descriptor: Int32) -> Bool {
        var there = stat()
        var ours = stat()
        return unsafe lstat(path, &there) == 0 && fstat(descriptor, &ours) == 0 && there.st_dev == ours.st_dev
            && there.st_ino == ours.st_ino
    }
}
