/// A name in the domain name system: its labels in lower case, without the root's empty one (RFC 1035 section 3.1).
struct DomainName: Hashable, Sendable, CustomStringConvertible {
    let labels: [[UInt8]]

    init(labels: [[UInt8]]) { self.labels = labels.map { $0.map(Self.lowercased) } }

    /// Reads a name in ASCII, with or without the dot at its end; nil for what no name server can be asked.
    init?(_ text: String) {
        var bytes = Array(text.utf8)
        if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
        guard labels.allSatisfy({ (1...63).contains($0.count) && $0.allSatisfy { $0 < 0x80 } }) else { return nil }
        self.init(labels: labels)
        guard wire.count <= 255 else { return nil }
    }

    /// As it stands in a message, without compression.
    var wire: [UInt8] { labels.flatMap { [UInt8(clamping: $0.count)] + $0 } + [0] }

    /// With dots; empty for the root.
    var description: String { labels.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".") }

    /// Whether nothing in it could surprise who reads or connects to it.
    var isHost: Bool {
        !labels.isEmpty
            && labels.allSatisfy { label in
                label.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                        UInt8(ascii: "-"), UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
            }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
