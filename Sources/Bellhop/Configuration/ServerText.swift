/// A server as people write it: `host`, `host:port`, `192.0.2.1`, `[2001:db8::1]:5222`, `2001:db8::1`, and each of them behind
/// `xmpps://` where TLS comes first.
struct ServerText: Equatable {
    /// Without brackets.
    var host: String
    /// What was asked for where none is written; nil where what stands behind the colon is no port.
    var port: UInt16?
    var hasDefaultPort: Bool
    var isDirectTLS = false

    /// What people write in front of a host where nothing is needed.
    static let needlessScheme = "xmpp://"

    /// Nil for what is no host.
    static func read(_ text: String) -> ServerText? {
        let scheme = "xmpps://"
        guard text.hasPrefix(scheme) else { return read(text[...], standardPort: 5222) }
        var server = read(text.dropFirst(scheme.count), standardPort: 5223)
        server?.isDirectTLS = true
        return server
    }

    /// Reads a host and perhaps a port, without a scheme; nil for what is no host.
    static func read(_ text: Substring, standardPort: UInt16) -> ServerText? {
        func plain(_ host: String) -> ServerText { ServerText(host: host, port: standardPort, hasDefaultPort: true) }
        if text.hasPrefix("[") {
            guard let close = text.firstIndex(of: "]") else { return nil }
            let host = String(text[text.index(after: text.startIndex)..<close])
            guard isIPv6(host) else { return nil }
            let rest = text[text.index(after: close)...]
            if rest.isEmpty { return plain(host) }
            guard rest.hasPrefix(":") else { return nil }
            return ServerText(host: host, port: port(rest.dropFirst()), hasDefaultPort: false)
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count > 2 { return isIPv6(String(text)) ? plain(String(text)) : nil }
        guard let host = parts.first.map(String.init), isName(host) else { return nil }
        guard parts.count == 2 else { return plain(host) }
        // What looks like https://host is no host with a mistaken port.
        if parts[1].hasPrefix("/") { return nil }
        return ServerText(host: host, port: port(parts[1]), hasDefaultPort: false)
    }

    /// Whether packets to that host never leave the machine.
    static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host == "localhost." || host == "::1" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        // Only four decimal numbers: a name like 127.example.org is no address.
        return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
    }

    private static func port(_ text: Substring) -> UInt16? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(text), port > 0 else {
            return nil
        }
        return port
    }

    private static func isIPv6(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9A-Fa-f:.]{2,45}(%[A-Za-z0-9_.-]{1,32})?/) != nil && text.contains(":")
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 253
            && text.unicodeScalars.allSatisfy {
                !$0.properties.isWhitespace && $0.properties.generalCategory != .control
                    && !"/@[]\"'\\".unicodeScalars.contains($0)
            }
    }
}
