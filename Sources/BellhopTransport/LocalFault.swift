/// Why two programs of this machine could not talk over a Unix socket.
package enum LocalFault: Error, Equatable, Sendable {
    /// The path has more bytes than a socket's address holds.
    case pathTooLong(path: String, limit: Int)
    /// Something else than a socket has the name.
    case notASocket(path: String)
    /// Others than its owner may change what is in the folder.
    case openFolder(path: String)
    /// Nobody listens there.
    case nobody(path: String)
    /// The socket belongs to another user, or is not open to us.
    case forbidden(path: String)
    /// The other side sent more bytes than are read.
    case tooLarge(limit: Int)
    /// The other side went away before its line was complete.
    case closed
    case timedOut
    /// A system call failed; the code is an errno.
    case system(call: String, code: Int32)
}

extension LocalFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .pathTooLong(let path, let limit): "the path \(path) is longer than the \(limit) bytes of a socket's name"
        case .notASocket(let path): "\(path) is there and is no socket"
        case .openFolder(let path): "others may write to the folder \(path)"
        case .nobody(let path): "nobody listens at \(path)"
        case .forbidden(let path): "\(path) belongs to another user"
        case .tooLarge(let limit): "more than \(limit) bytes came"
        case .closed: "the other side went away"
        case .timedOut: "no answer in time"
        case .system(let call, let code): "\(call): \(TransportError.reason(code))"
        }
    }
}
