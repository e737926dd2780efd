/// What a name server is asked (RFC 1035 section 4.1.2).
struct NameQuestion: Hashable, Sendable {
    let name: DomainName
    let kind: Kind

    enum Kind: UInt16, Sendable {
        case address = 1
        case alias = 5
        case longAddress = 28
        case service = 33
    }

    /// The message that asks it; the server may ask others for the answer.
    func message(id: UInt16) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in [id, 0x0100, 1, 0, 0, 0] { Self.append(number, to: &bytes) }
        bytes += name.wire
        Self.append(kind.rawValue, to: &bytes)
        Self.append(1, to: &bytes)
        return bytes
    }

    private static func append(_ number: UInt16, to bytes: inout [UInt8]) {
        bytes.append(UInt8(number >> 8))
        bytes.append(UInt8(number & 0xFF))
    }
}
