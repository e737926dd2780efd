internal import Glibc

/// Standard output and standard error, as descriptors without a buffer.
package enum StandardStream: Int32, Sendable {
    case input = 0
    case output = 1
    case error = 2

    /// Writes all bytes, waiting where the reader is slow; false when the descriptor takes nothing any more.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0 && errno == EAGAIN {
                // Whoever shares the terminal with us may have made it non-blocking.
                var wanted = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&wanted, 1, -1)
            } else if count == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Writes the text.
    @discardableResult
    package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Whether a person sits behind it.
    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Whether `$JOURNAL_STREAM` names this very descriptor.
    func isJournal(_ variable: String?) -> Bool {
        guard let variable else { return false }
        var facts = stat()
        guard unsafe fstat(rawValue, &facts) == 0 else { return false }
        return Self.matches(variable, device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino))
    }

    /// Whether a value like `8:123456` names that device and inode.
    static func matches(_ variable: String, device: UInt64, inode: UInt64) -> Bool {
        let parts = variable.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 && UInt64(parts[0]) == device && UInt64(parts[1]) == inode
    }
}
