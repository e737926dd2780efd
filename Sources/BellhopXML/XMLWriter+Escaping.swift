/// Escaping of text and attribute values.
extension XMLWriter {
    enum Place { case text, attribute }

    /// Writes the string so that it reads back as the same characters, those that XML 1.0 forbids as U+FFFD; before and
    /// behind it `before` and `after` as they are.
    mutating func escaped(
        _ string: String, in place: Place, before: StaticString = "", _ after: StaticString = ""
    ) {
        var string = string
        string.withUTF8 { utf8 in
            var before = before
            var start = 0
            var index = unsafe Self.nextSpecial(utf8, from: 0)
            while index < utf8.count {
                let length = unsafe utf8[index] < 0x80 ? 1 : 3
                if let replacement = unsafe Self.replacement(utf8, at: index, place) {
                    unsafe raw(before, UnsafeBufferPointer(rebasing: utf8[start..<index]), replacement)
                    before = ""
                    start = index + length
                }
                unsafe index = Self.nextSpecial(utf8, from: index + length)
            }
            unsafe raw(before, UnsafeBufferPointer(rebasing: utf8[start...]), after)
        }
    }

    /// What stands for the byte at `index`, nil for itself. A string is valid UTF-8, so two bytes follow 0xEF.
    private static func replacement(_ utf8: UnsafeBufferPointer<UInt8>, at index: Int, _ place: Place) -> StaticString?
    {
        switch unsafe utf8[index] {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "'"): place == .attribute ? "&apos;" : nil
        case 0x0D: "&#13;"
        case 0x0A: place == .attribute ? "&#10;" : nil
        case 0x09: place == .attribute ? "&#9;" : nil
        case 0x00..<0x20: "\u{FFFD}"
        case 0xEF:
            // U+FFFE is EF BF BE, and U+FFFF is EF BF BF.
            unsafe index + 2 < utf8.count && utf8[index + 1] == 0xBF && utf8[index + 2] >= 0xBE ? "\u{FFFD}" : nil
        default: nil
        }
    }

    /// The next position whose byte may need escaping, or the end; eight bytes are looked at together.
    private static func nextSpecial(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        let bytes = UnsafeRawBufferPointer(utf8)
        while index + 8 <= bytes.count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if hasSpecial(word) {
                for position in index..<index + 8 where unsafe isSpecial(bytes[position]) { return position }
            }
            index += 8
        }
        while index < bytes.count {
            if unsafe isSpecial(bytes[index]) { return index }
            index += 1
        }
        return index
    }

    /// Control characters, `&`, `'`, `<`, `>`, and what a noncharacter begins with.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x40
            ? (0xFFFF_FFFF | 1 << 0x26 | 1 << 0x27 | 1 << 0x3C | 1 << 0x3E) as UInt64 &>> UInt64(byte) & 1 == 1
            : byte == 0xEF
    }

    /// Whether one of eight bytes may be special: never false for one that is. Subtracting borrows out of a byte only
    /// where it is smaller, or zero after the exclusive or.
    private static func hasSpecial(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let controls = (word &- ones &* 0x20) & ~word
        let quotes = (word | ones) ^ (ones &* 0x27)
        let brackets = (word | ones &* 2) ^ (ones &* 0x3E)
        let noncharacters = word ^ (ones &* 0xEF)
        let marks =
            controls | (quotes &- ones) & ~quotes | (brackets &- ones) & ~brackets
            | (noncharacters &- ones) & ~noncharacters
        return marks & (ones &* 0x80) != 0
    }
}
