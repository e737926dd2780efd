/// One look over an address's bytes: where it is cut, and whether it is plain ASCII that needs no preparation.
///
/// Nearly every address on the wire was prepared by a server, and looking at it costs a hundredth of asking the
/// Unicode tables. "Needs no preparation" is only said where RFC 7622 would change nothing and refuse nothing.
struct JIDScan {
    /// Where the local part ends; nil without an `@` before the first slash.
    private(set) var at: Int?
    /// Where the first slash is; nil for a bare address.
    private(set) var slash: Int?
    private(set) var isPrepared: Bool

    init(_ bytes: Span<UInt8>) {
        let firstCut = JIDScan.firstCut(in: bytes)
        var domainStart = 0
        isPrepared = true
        if firstCut.index < bytes.count, bytes[firstCut.index] == UInt8(ascii: "@") {
            at = firstCut.index
            domainStart = firstCut.index + 1
            isPrepared = firstCut.isLocal && firstCut.index > 0 && firstCut.index <= JID.partLimit
        }
        let domain = JIDScan.domain(in: bytes, from: domainStart)
        isPrepared = isPrepared && domain.isPrepared
        if domain.end < bytes.count {
            slash = domain.end
            isPrepared = isPrepared && JIDScan.isPreparedResource(in: bytes, from: domain.end + 1)
        }
    }

    /// The first `@` or `/`, and whether all bytes before it may stand in a prepared local part.
    private static func firstCut(in bytes: Span<UInt8>) -> (index: Int, isLocal: Bool) {
        var isLocal = true
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "@") || byte == UInt8(ascii: "/") { break }
            isLocal = isLocal && isPreparedLocal(byte)
            index += 1
        }
        return (index, isLocal)
    }

    /// Where the domain ends, and whether it is lower-case letters, digits and hyphens in labels that IDNA would leave
    /// alone. A label with "--" in the third place (as in "xn--") is not, nor a name that ends in a number, which may be
    /// an address in an unusual spelling.
    private static func domain(in bytes: Span<UInt8>, from start: Int) -> (end: Int, isPrepared: Bool) {
        var isPrepared = true
        var isNumber = true
        var label = start
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "/") { break }
            if byte == UInt8(ascii: ".") {
                isPrepared = isPrepared && isLabel(bytes, label, index)
                label = index + 1
                isNumber = true
            } else {
                isPrepared = isPrepared && isPreparedDomain(byte)
                isNumber = isNumber && byte <= UInt8(ascii: "9") && byte >= UInt8(ascii: "0")
            }
            index += 1
        }
        isPrepared = isPrepared && isLabel(bytes, label, index) && index - start <= 253 && !isNumber
        return (index, isPrepared)
    }

    private static func isLabel(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
        let hyphen = UInt8(ascii: "-")
        guard end > start, end - start <= 63, bytes[start] != hyphen, bytes[end - 1] != hyphen else { return false }
        return end - start < 4 || bytes[start + 2] != hyphen || bytes[start + 3] != hyphen
    }

    private static func isPreparedResource(in bytes: Span<UInt8>, from start: Int) -> Bool {
        guard start < bytes.count, bytes.count - start <= JID.partLimit else { return false }
        var index = start
        while index < bytes.count {
            guard bytes[index] >= 0x20, bytes[index] < 0x7F else { return false }
            index += 1
        }
        return true
    }

    private static func isPreparedLocal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "\""), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "/"), UInt8(ascii: ":"),
            UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "@"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            false
        default: byte > 0x20 && byte < 0x7F
        }
    }

    private static func isPreparedDomain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
