internal import CBellhopICU

/// An IPv4 address, or an IPv6 address in brackets, as the domain of a JID may be (RFC 7622 section 3.2).
package enum AddressLiteral: Equatable, Sendable {
    /// Four decimal numbers with dots.
    case ipv4(String)
    /// The usual spelling, without brackets.
    case ipv6(String)

    /// Reads a literal; nil for anything else, like a host name.
    package init?(_ text: String) {
        if text.hasPrefix("["), text.hasSuffix("]") {
            guard let spelling = Self.ipv6Spelling(String(text.dropFirst().dropLast())) else { return nil }
            self = .ipv6(spelling)
        } else if Self.isIPv4(text) {
            self = .ipv4(text)
        } else {
            return nil
        }
    }

    /// The literal as a domain, IPv6 in brackets.
    package var text: String {
        switch self {
        case .ipv4(let address): address
        case .ipv6(let address): "[" + address + "]"
        }
    }

    /// The address alone, as a socket or a certificate names it.
    package var address: String {
        switch self {
        case .ipv4(let address), .ipv6(let address): address
        }
    }

    /// Four numbers from 0 to 255 without leading zeros, which some would read as octal.
    private static func isIPv4(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                guard part.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else { return false }
                return UInt8(String(Substring(part))) != nil && (part.count == 1 || part.first != UInt8(ascii: "0"))
            }
    }

    private static func ipv6Spelling(_ text: String) -> String? {
        guard !text.utf8.contains(0) else { return nil }
        var spelling = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard unsafe bellhop_ipv6_spelling(text, &spelling) else { return nil }
        return String(decoding: spelling.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
