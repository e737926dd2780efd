internal import CBellhopResolv
internal import Glibc

/// One end of a connection over a Unix socket, for a line each way; closed when the last reference goes.
package final class LocalConnection: Sendable {
    let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// How long somebody who listens may take to come to us.
    private static let queuePatience: Duration = .seconds(5)

    /// Connects to whoever listens at the path; waits a while where many others want the same.
    package init(to path: String) throws(LocalFault) {
        try Self.checkLength(path)
        descriptor = bellhop_local_socket()
        guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
        let deadline = MonotonicClock.now() + Self.queuePatience
        while unsafe bellhop_local_connect(descriptor, path) != 0 {
            // All is set, so `deinit` runs and closes; a second close could hit another thread's descriptor.
            let code = errno
            switch code {
            case EAGAIN:
                // The listener's queue is full, and nothing announces that it is not any more.
                guard MonotonicClock.now() < deadline else { throw .timedOut }
                poll(nil, 0, 10)
            case ENOENT, ECONNREFUSED, ENOTDIR: throw .nobody(path: path)
            case EACCES, EPERM: throw .forbidden(path: path)
            default: throw .system(call: "connect", code: code)
            }
        }
    }

    deinit { close(descriptor) }

    /// The number of the user at the other end; nil where the system does not say.
    package var peer: UInt32? { UInt32(exactly: bellhop_local_peer(descriptor)) }

    /// The number of the user that this process acts as.
    package static var ownUser: UInt32 { geteuid() }

    /// Reads the first line that is not empty: with an empty one the other side says that it is still at work, and gets so much
    /// more time from then on.
    package func readAnswer(limit: Int, patience: Duration) throws(LocalFault) -> [UInt8] {
        var rest: [UInt8] = []
        while true {
            let deadline = MonotonicClock.now() + patience
            let line = try readLine(limit: limit, until: deadline, rest: &rest)
            if !line.isEmpty { return line }
        }
    }

    /// Reads up to the first newline, which is not returned, or to the end; `deadline` is on the monotonic clock.
    package func readLine(limit: Int, until deadline: Duration) throws(LocalFault) -> [UInt8] {
        var rest: [UInt8] = []
        return try readLine(limit: limit, until: deadline, rest: &rest)
    }

    /// Begins with what came behind an earlier line, and leaves what comes behind this one.
    private func readLine(
        limit: Int, until deadline: Duration, rest: inout [UInt8]
    ) throws(LocalFault) -> [UInt8] {
        if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(rest[..<end])
            rest.removeSubrange(...end)
            return line
        }
        var line = rest
        rest = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count > 0 {
                let came = chunk[..<count]
                let end = came.firstIndex(of: UInt8(ascii: "\n"))
                line += came[..<(end ?? came.endIndex)]
                guard line.count <= limit else { throw .tooLarge(limit: limit) }
                guard let end else { continue }
                rest = Array(came[(end + 1)...])
                return line
            } else if count == 0 {
                guard !line.isEmpty else { throw .closed }
                return line
            } else {
                try wait(for: POLLIN, until: deadline, call: "recv")
            }
        }
    }

    /// Whether something came that nobody has read yet.
    package var hasInput: Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&wanted, 1, 0) == 1 && wanted.revents == Int16(POLLIN)
    }

    /// Whether the other end still waits: who has closed it does not, who only says nothing more does.
    package var isThere: Bool {
        // Nothing is asked for: that it broke is said anyway.
        var slot = pollfd(fd: descriptor, events: 0, revents: 0)
        return unsafe poll(&slot, 1, 0) != 1
    }

    /// Ends what goes on over it, in both directions; what was written before still arrives.
    package func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Writes all bytes; `deadline` is on the monotonic clock.
    package func write(_ bytes: [UInt8], until deadline: Duration) throws(LocalFault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                try wait(for: POLLOUT, until: deadline, call: "send")
            }
        }
    }

    /// After a call that moved nothing: waits where that helps, and throws where it does not.
    private func wait(for event: Int32, until deadline: Duration, call: String) throws(LocalFault) {
        switch errno {
        case EINTR: return
        case EAGAIN: break
        case EPIPE, ECONNRESET: throw .closed
        default: throw .system(call: call, code: errno)
        }
        let left = deadline - MonotonicClock.now()
        guard left > .zero else { throw .timedOut }
        var wanted = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        let ready = unsafe poll(&wanted, 1, Poller.milliseconds(left))
        if ready == 0 { throw .timedOut }
    }

    static func checkLength(_ path: String) throws(LocalFault) {
        let limit = Int(BELLHOP_LOCAL_PATH_ROOM) - 1
        guard path.utf8.count <= limit else { throw .pathTooLong(path: path, limit: limit) }
    }
}
