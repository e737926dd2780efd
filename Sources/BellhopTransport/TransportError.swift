internal import Glibc

/// Why bytes could not be moved.
package enum TransportError: Error, Equatable, Sendable {
    /// A system call failed; the code is an errno.
    case system(call: String, code: Int32)
    /// The host name has no address.
    case noAddress(host: String, reason: String)
    /// No address could be connected to; one reason for each address tried.
    case unreachable([Attempt])
    /// The peer closed the connection.
    case closed
    /// The time for connecting was over.
    case timedOut

    package struct Attempt: Equatable, Sendable {
        package var address: String
        package var port: UInt16
        package var reason: String
        /// Whether the machine is there and nobody listens.
        package var isRefusal: Bool

        package init(address: String, port: UInt16, reason: String, isRefusal: Bool = false) {
            self.address = address
            self.port = port
            self.reason = reason
            self.isRefusal = isRefusal
        }
    }

    static func reason(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}

extension TransportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let call, let code): "\(call): \(Self.reason(code))"
        case .noAddress(let host, let reason): "no address for \(host): \(reason)"
        case .unreachable(let attempts):
            attempts.map { "\($0.address) port \($0.port): \($0.reason)" }.joined(separator: "; ")
        case .closed: "the connection was closed"
        case .timedOut: "no answer in time"
        }
    }
}
