import Bellhop

/// The name of a systemd unit (systemd.unit(5)), like `nginx.service`; a name without a type is a service.
struct UnitName: Hashable, ArgumentValue {
    static let argumentExpectation: String? = "the name of a systemd unit, like nginx or nginx.service"

    /// With its type.
    let text: String

    private static let types: Set<Substring> = [
        "service", "socket", "device", "mount", "automount", "swap", "target", "path", "timer", "slice", "scope",
    ]

    /// Nil for what no unit can be called, and for what a program could take for an option or a pattern.
    init?(argumentText text: String) {
        guard let first = text.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "."),
            text.utf8.count <= 240,
            text.utf8.allSatisfy({ Self.mayHold($0) })
        else { return nil }
        let dot = text.lastIndex(of: ".")
        let hasType = dot.map { Self.types.contains(text[$0...].dropFirst()) } ?? false
        self.text = hasType ? text : text + ".service"
    }

    private static func mayHold(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "\\"),
            UInt8(ascii: "@"):
            true
        default: false
        }
    }

    var argumentText: String { text }
}
