/// A host and perhaps a port, as `<see-other-host/>` names them: `host`, `host:port`, `[v6]` or `[v6]:port` (RFC 6120
/// section 4.9.3.19).
package struct HostAddress: Hashable, Sendable, CustomStringConvertible {
    /// A host name or an IP address, the latter without brackets.
    package let host: String
    /// Nil for the port that the reader would take by itself.
    package let port: UInt16?

    package init(host: String, port: UInt16?) {
        self.host = host
        self.port = port
    }

    /// Reads an address; nil for everything that is none.
    package init?(_ text: String) {
        guard text.utf8.count <= 300, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") })
        else {
            return nil
        }
        if text.utf8.first == UInt8(ascii: "[") {
            guard let close = text.firstIndex(of: "]") else { return nil }
            let host = String(text[text.index(after: text.startIndex)..<close])
            let rest = text[text.index(after: close)...]
            guard host.utf8.contains(UInt8(ascii: ":")), rest.isEmpty || rest.first == ":" else { return nil }
            self.init(host: host, portText: rest.isEmpty ? nil : rest.dropFirst())
            return
        }
        let pieces = text.split(separator: ":", omittingEmptySubsequences: false)
        switch pieces.count {
        case 1: self.init(host: text, portText: nil)
        case 2: self.init(host: String(pieces[0]), portText: pieces[1])
        // An IPv6 address without its brackets has no room for a port.
        default: self.init(host: text, portText: nil)
        }
    }

    private init?(host: String, portText: Substring?) {
        guard !host.isEmpty else { return nil }
        guard let portText else {
            self.init(host: host, port: nil)
            return
        }
        guard portText.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let port = UInt16(portText),
            port > 0
        else { return nil }
        self.init(host: host, port: port)
    }

    package var description: String {
        let host = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        guard let port else { return host }
        return "\(host):\(port)"
    }
}
