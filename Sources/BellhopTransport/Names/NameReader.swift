/// Reads the parts of a message of the domain name system in order; every byte of it may be a lie.
struct NameReader {
    private let bytes: [UInt8]
    private(set) var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func number() throws(NameFault) -> UInt16 {
        let pair = try take(2)
        return UInt16(pair[0]) << 8 | UInt16(pair[1])
    }

    mutating func take(_ count: Int) throws(NameFault) -> [UInt8] {
        guard count >= 0, bytes.count - place >= count else { throw .malformed }
        defer { place += count }
        return Array(bytes[place..<(place + count)])
    }

    /// A name, perhaps with its end elsewhere (RFC 1035 section 4.1.4).
    mutating func name() throws(NameFault) -> DomainName {
        var labels: [[UInt8]] = []
        var length = 1
        var position = place
        // Each jump goes before everything that was read of the name, so that no circle is ever walked.
        var start = place
        var hasJumped = false
        while true {
            guard position < bytes.count else { throw .malformed }
            let first = bytes[position]
            switch first >> 6 {
            case 0:
                let end = position + 1 + Int(first)
                if !hasJumped { place = min(end, bytes.count) }
                if first == 0 { return DomainName(labels: labels) }
                length += 1 + Int(first)
                guard end <= bytes.count, length <= 255 else { throw .malformed }
                labels.append(Array(bytes[(position + 1)..<end]))
                position = end
            case 3:
                guard position + 1 < bytes.count else { throw .malformed }
                let target = Int(first & 0x3F) << 8 | Int(bytes[position + 1])
                guard target < start else { throw .malformed }
                if !hasJumped { place = position + 2 }
                hasJumped = true
                start = target
                position = target
            default: throw .malformed
            }
        }
    }
}
