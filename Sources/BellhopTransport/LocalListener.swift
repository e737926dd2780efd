internal import CBellhopResolv
internal import Glibc

/// Listens on a Unix socket of mode 0600; the file goes with `close`.
///
/// Whoever makes one must be sure that no other process listens at this path: what a dead one left is replaced.
package final class LocalListener: Sendable {
    package let path: String
    private let descriptor: Int32

    package init(path: String) throws(LocalFault) {
        self.path = path
        try LocalConnection.checkLength(path)
        try Self.checkFolder(of: path)
        try Self.removeLeftover(path)
        descriptor = bellhop_local_socket()
        guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
        // From here on all is set, so `deinit` closes what a failure leaves; a second close could hit another thread's
        // descriptor. Linux takes the mode of the unbound socket for the file, so that it is never open to others.
        guard fchmod(descriptor, 0o600) == 0 else { throw .system(call: "fchmod", code: errno) }
        guard unsafe bellhop_local_bind(descriptor, path) == 0 else { throw .system(call: "bind", code: errno) }
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { throw .system(call: "lstat", code: errno) }
        guard facts.st_mode & 0o177 == 0 else { throw .forbidden(path: path) }
        guard listen(descriptor, 16) == 0 else { throw .system(call: "listen", code: errno) }
    }

    deinit { Glibc.close(descriptor) }

    /// Waits for the next who connects; nil once `close` was called.
    package func accept() -> LocalConnection? {
        while true {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&wanted, 1, -1) >= 0 || errno == EINTR else { return nil }
            // After `close` accept(2) itself would only say that nobody is there.
            guard wanted.revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0 else { return nil }
            let accepted = bellhop_local_accept(descriptor)
            if accepted >= 0 { return LocalConnection(descriptor: accepted) }
            switch errno {
            case EINTR, EAGAIN, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                // Whoever waits stays in the queue; the machine gets a moment to find room again.
                poll(nil, 0, 100)
            default: return nil
            }
        }
    }

    /// Removes the file and ends `accept`.
    package func close() {
        _ = unsafe unlink(path)
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// In a folder that others may write to, they could put a socket of theirs in our place; a sticky one protects it.
    private static func checkFolder(of path: String) throws(LocalFault) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var facts = stat()
        guard unsafe stat(folder, &facts) == 0 else { throw .system(call: "stat", code: errno) }
        let isOurs = facts.st_uid == geteuid() || facts.st_uid == 0
        let isOpen = facts.st_mode & 0o022 != 0 && facts.st_mode & S_ISVTX == 0
        guard isOurs, !isOpen else { throw .openFolder(path: folder) }
    }

    private static func removeLeftover(_ path: String) throws(LocalFault) {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { return }
        guard facts.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .forbidden(path: path) }
    }
}
