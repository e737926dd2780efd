import Bellhop

/// What to reach: a port of a host, or the URL of a web page.
enum ReachTarget: Hashable, ArgumentValue {
    static let argumentExpectation: String? =
        "HOST:PORT or a URL with http or https, like db.example.org:5432 or https://example.org/"

    case port(host: String, port: UInt16)
    /// As it was given.
    case page(String)

    /// Nil for what is neither. A URL with a user name or a password in it is refused, since chats are kept.
    init?(argumentText text: String) {
        guard text.utf8.count <= 2_000, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let lower = text.lowercased()
        for scheme in ["http://", "https://"] where lower.hasPrefix(scheme) {
            let authority = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
            guard !text.contains("\\"), Self.isServer(authority) else { return nil }
            self = .page(text)
            return
        }
        guard !text.contains("/"), let (host, port) = Self.parts(text[...]), let port else { return nil }
        self = .port(host: host, port: port)
    }

    var argumentText: String {
        switch self {
        case .port(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .page(let url): url
        }
    }

    private static func isServer(_ authority: Substring) -> Bool { parts(authority) != nil }

    /// Takes `host`, `host:port`, `[address]` or `[address]:port` apart.
    private static func parts(_ text: Substring) -> (host: String, port: UInt16?)? {
        let host: Substring
        var rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[..<end].dropFirst()
            rest = text[end...].dropFirst()
            guard host.contains(":"), host.utf8.allSatisfy(isPartOfAddress) else { return nil }
        } else {
            host = text.prefix { $0 != ":" }
            rest = text.dropFirst(host.count)
            guard isName(host) else { return nil }
        }
        guard !rest.isEmpty else { return (String(host), nil) }
        rest = rest.dropFirst()
        guard text[..<rest.startIndex].hasSuffix(":"), (1...5).contains(rest.utf8.count),
            rest.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let port = UInt16(rest),
            port > 0
        else { return nil }
        return (String(host), port)
    }

    /// A DNS name or an IPv4 address, by its letters.
    private static func isName(_ host: Substring) -> Bool {
        guard let first = host.utf8.first, host.utf8.count <= 253, first != UInt8(ascii: "-"),
            first != UInt8(ascii: ".")
        else { return false }
        return host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    private static func isPartOfAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ":"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
