internal import CBellhopResolv

/// An IPv4 or IPv6 address, without a port.
struct NumericAddress: Hashable, Sendable, CustomStringConvertible {
    /// Four bytes of IPv4, or sixteen of IPv6.
    let bytes: [UInt8]
    /// The interface of a link-local address; 0 for none.
    let scope: UInt32

    var isIPv6: Bool { bytes.count == 16 }

    /// Nil for what has neither four nor sixteen bytes.
    init?(bytes: [UInt8], scope: UInt32 = 0) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
        self.scope = scope
    }

    /// Reads an address as people write it, IPv6 without brackets; nil for a name.
    init?(_ text: String) {
        guard case .success(let list) = SystemNames.addresses(of: text, isNumeric: true), let first = list.first else {
            return nil
        }
        self = first
    }

    init(_ raw: bellhop_address) {
        let count = raw.is_v6 != 0 ? 16 : 4
        bytes = unsafe withUnsafeBytes(of: raw.bytes) { all in unsafe Array(all.prefix(count)) }
        scope = raw.scope
    }

    private var raw: bellhop_address {
        var raw = bellhop_address()
        raw.is_v6 = isIPv6 ? 1 : 0
        raw.scope = scope
        unsafe withUnsafeMutableBytes(of: &raw.bytes) { unsafe $0.copyBytes(from: bytes) }
        return raw
    }

    /// Like `192.0.2.1` or `2001:db8::1`.
    var description: String {
        var room = [CChar](repeating: 0, count: 80)
        var raw = raw
        guard unsafe bellhop_address_text(&raw, &room, Int32(room.count)) == 0 else { return "?" }
        return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Connects a socket of the same family, or begins to; 0, or -1 with an errno.
    func connect(_ descriptor: Int32, port: UInt16) -> Int32 {
        var raw = raw
        return unsafe bellhop_connect(descriptor, &raw, port)
    }

    /// IPv6 and IPv4 in turn, each family in its order, beginning with that of the first.
    static func inTurn(_ addresses: [NumericAddress]) -> [NumericAddress] {
        guard let first = addresses.first else { return [] }
        let leading = addresses.filter { $0.isIPv6 == first.isIPv6 }
        let others = addresses.filter { $0.isIPv6 != first.isIPv6 }
        return (0..<max(leading.count, others.count)).flatMap { index in
            [leading, others].compactMap { index < $0.count ? $0[index] : nil }
        }
    }
}
