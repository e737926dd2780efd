/// The ids of the messages that this bot writes: the journal's tag, a row, and an ordinal.
///
/// A command that runs again gives its answers the same ids, and a bounce leads back to its row.
enum MessageIdentifier {
    static let tagLength = 5

    /// Fifteen bytes and less are kept in the string itself, which most ids are.
    static func make(tag: String, row: Int64, ordinal: Int) -> String {
        var bytes = InlineArray<40, UInt8>(repeating: UInt8(ascii: "."))
        let tag = tag.utf8.span
        var count = min(tag.count, tagLength)
        for index in 0..<count { bytes[index] = tag[index] }
        append(UInt64(max(row, 0)), to: &bytes, &count)
        count += 1
        append(UInt64(max(ordinal, 0)), to: &bytes, &count)
        // All of it is ASCII.
        guard let text = try? UTF8Span(validating: bytes.span.extracting(first: count)) else { return "" }
        return String(copying: text)
    }

    /// The row that an id names; nil when it is not of this journal.
    static func row(in id: String, tag: String) -> Int64? {
        guard id.utf8.count > tag.utf8.count, id.utf8.starts(with: tag.utf8) else { return nil }
        var row: Int64 = 0
        for byte in id.utf8.dropFirst(tag.utf8.count) {
            if byte == UInt8(ascii: ".") { return row }
            guard let digit = value(of: byte), row < 1 << 57 else { return nil }
            row = row << 5 | digit
        }
        return nil
    }

    static func newTag() -> String {
        var bits = UInt64.random(in: .min ... .max)
        var tag: [UInt8] = []
        for _ in 0..<tagLength {
            tag.append(digit(UInt8(truncatingIfNeeded: bits) & 31))
            bits >>= 5
        }
        return String(decoding: tag, as: UTF8.self)
    }

    /// Thirteen digits hold any number.
    private static func append(_ number: UInt64, to bytes: inout InlineArray<40, UInt8>, _ count: inout Int) {
        var shift = max(0, (UInt64.bitWidth - number.leadingZeroBitCount - 1) / 5 * 5)
        while shift >= 0 {
            bytes[count] = digit(UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 31)
            count += 1
            shift -= 5
        }
    }

    /// Crockford's alphabet: the digits and letters without i, l, o and u.
    private static func digit(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<10: UInt8(ascii: "0") + value
        case 10..<18: UInt8(ascii: "a") + value - 10
        case 18..<20: UInt8(ascii: "j") + value - 18
        case 20..<22: UInt8(ascii: "m") + value - 20
        case 22..<27: UInt8(ascii: "p") + value - 22
        default: UInt8(ascii: "v") + value - 27
        }
    }

    private static func value(of digit: UInt8) -> Int64? {
        for value in 0..<UInt8(32) where self.digit(value) == digit { return Int64(value) }
        return nil
    }
}
