/// A question as it came, and the messages that answer it.
struct ZoneMessage {
    let number: [UInt8]
    let name: String
    let kind: UInt16
    /// The question as it stands in the message.
    private let question: [UInt8]

    private static let alias: UInt16 = 5
    private static let service: UInt16 = 33

    /// Nil for what is no question of ours.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > 16 else { return nil }
        var labels: [String] = []
        var place = 12
        while place < bytes.count, bytes[place] != 0 {
            let end = place + 1 + Int(bytes[place])
            guard end <= bytes.count else { return nil }
            labels.append(String(decoding: bytes[(place + 1)..<end], as: UTF8.self))
            place = end
        }
        guard place + 5 <= bytes.count else { return nil }
        number = Array(bytes[..<2])
        name = labels.joined(separator: ".").lowercased()
        kind = UInt16(bytes[place + 1]) << 8 | UInt16(bytes[place + 2])
        question = Array(bytes[12..<(place + 5)])
    }

    /// In words, like `SRV _xmpp-client._tcp.example.test`.
    var text: String { "\([1: "A", 28: "AAAA", 33: "SRV"][kind] ?? "\(kind)") \(name)" }

    /// The messages to send, in order.
    func answers(in zone: Zone, byStream: Bool) -> [[UInt8]] {
        switch zone.manner(for: name) {
        case .truthful: [truth(in: zone)]
        case .silent: []
        case .truncated: [byStream ? truth(in: zone) : message(flags: 0x8380)]
        case .truncatedForGood: byStream ? [] : [message(flags: 0x8380)]
        case .refusing(let code): [message(flags: 0x8180 | UInt16(code))]
        case .afterStrangers: [stranger(in: zone), otherQuestion, truth(in: zone)]
        case .bytes(let bytes): [number + bytes]
        case .records(let count, let bytes): [message(count: count, records: bytes)]
        }
    }

    private func truth(in zone: Zone) -> [UInt8] {
        guard zone.records(of: name) != nil else { return message(flags: 0x8183) }
        var records: [UInt8] = []
        var count: UInt16 = 0
        var owner = name
        for _ in 0..<4 {
            var next: String?
            for record in zone.records(of: owner) ?? [] {
                guard let (kind, data) = Self.data(record), kind == self.kind || kind == Self.alias else { continue }
                if case .alias(let target) = record { next = target }
                records += Self.wire(owner) + Self.bytes([kind, 1, 0, 60, UInt16(clamping: data.count)]) + data
                count += 1
            }
            guard let next else { break }
            owner = next
        }
        return message(count: count, records: records)
    }

    /// The truth under another number.
    private func stranger(in zone: Zone) -> [UInt8] {
        var lie = message(count: 1, records: Self.wire(name) + Self.bytes([kind, 1, 0, 60, 4]) + [192, 0, 2, 66])
        lie[0] = lie[0] ^ 0xFF
        return lie
    }

    private var otherQuestion: [UInt8] {
        number + Self.bytes([0x8180, 1, 0, 0, 0]) + Self.wire("another.example.test") + Self.bytes([kind, 1])
    }

    private func message(flags: UInt16 = 0x8180, count: UInt16 = 0, records: [UInt8] = []) -> [UInt8] {
        number + Self.bytes([flags, 1, count, 0, 0]) + question + records
    }

    private static func data(_ record: Zone.Record) -> (UInt16, [UInt8])? {
        switch record {
        case .address(let bytes): (bytes.count == 4 ? 1 : 28, bytes)
        case .service(let priority, let weight, let port, let target):
            (service, bytes([priority, weight, port]) + wire(target))
        case .alias(let target): (alias, wire(target))
        }
    }

    private static func bytes(_ numbers: [UInt16]) -> [UInt8] {
        numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    private static func wire(_ name: String) -> [UInt8] {
        name.split(separator: ".").flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) } + [0]
    }
}
