/// The ids of the messages that this bot writes: the journal's tag, a row, and an ordinal.
///
/// A command that runs again gives its answers the same ids, and a bounce leads back to its row.
enum MessageIdentifier {
    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    static let tagLength = 5

    /// Fifteen bytes and less are kept in the string itself, which most ids are.
    static func make(tag: String, row: Int64, ordinal: Int) -> String {
        var id = tag
        append(UInt64(max(row, 0)), to: &id)
        id.unicodeScalars.append(".")
        append(UInt64(max(ordinal, 0)), to: &id)
        return id
    }

    /// The row that an id names; nil when it is not of this journal.
    static func row(in id: String, tag: String) -> Int64? {
        guard id.utf8.count > tag.utf8.count, id.utf8.starts(with: tag.utf8) else { return nil }
        var row: Int64 = 0
        for byte in id.utf8.dropFirst(tag.utf8.count) {
            if byte == UInt8(ascii: ".") { return row }
            guard let digit = digits.firstIndex(of: byte), row < 1 << 57 else { return nil }
            row = row << 5 | Int64(digit)
        }
        return nil
    }

    static func newTag() -> String {
        var bits = UInt64.random(in: .min ... .max)
        var tag: [UInt8] = []
        for _ in 0..<tagLength {
            tag.append(digits[Int(bits & 31)])
            bits >>= 5
        }
        return String(decoding: tag, as: UTF8.self)
    }

    private static func append(_ number: UInt64, to id: inout String) {
        var shift = max(0, (UInt64.bitWidth - number.leadingZeroBitCount - 1) / 5 * 5)
        while shift >= 0 {
            id.unicodeScalars.append(Unicode.Scalar(digits[Int(number >> UInt64(shift) & 31)]))
            shift -= 5
        }
    }
}
