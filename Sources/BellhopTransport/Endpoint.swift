/// A host and a port to connect to.
package struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// A name or a numeric address, without brackets.
    package var host: String
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether the text is an IPv4 address, or an IPv6 address in brackets.
    package static func isAddress(_ text: String) -> Bool {
        if text.hasPrefix("[") { return true }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Whether the text is the address of a host, IPv6 without brackets.
    package static func isNumeric(_ text: String) -> Bool { NumericAddress(text) != nil }

    /// Whether the host is this machine itself: `localhost`, 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        return host.hasPrefix("127.") && Self.isAddress(host)
    }
}
