/// Names as XML 1.0 with namespaces allows them: no colon, and not every character.
enum XMLName {
    /// Whether the name is made of ASCII letters, digits, `-`, `_` and `.` only, and begins with a letter or `_`.
    ///
    /// Nearly every name is; the others, valid or not, take the slow way through `repaired`.
    static func isPlain(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = unsafe name.first, first >= UInt8(ascii: "A") else { return false }
        for index in name.indices {
            let byte = unsafe name[index]
            let mask = byte < 0x40 ? digits : letters
            if byte >= 0x80 || mask &>> UInt64(byte & 0x3F) & 1 == 0 { return false }
        }
        return true
    }

    /// A bit for each of the first 64 characters that a name may hold: `-`, `.` and the digits.
    private static let digits: UInt64 = 0x03FF_6000_0000_0000
    /// A bit for each of the next 64 characters that a name may hold: the letters and `_`.
    private static let letters: UInt64 = 0x07FF_FFFE_87FF_FFFE

    /// The name with each character that cannot stand there replaced by `_`.
    static func repaired(_ name: String) -> String {
        var repaired = ""
        for scalar in name.unicodeScalars {
            if repaired.isEmpty && !canBegin(scalar) {
                repaired += canContinue(scalar) ? "_" + String(scalar) : "_"
            } else {
                repaired.unicodeScalars.append(canContinue(scalar) ? scalar : "_")
            }
        }
        return repaired.isEmpty ? "_" : repaired
    }

    /// NameStartChar of XML 1.0, fifth edition, without the colon.
    private static func canBegin(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x41...0x5A, 0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF,
            0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
            0x10000...0xEFFFF:
            true
        default: false
        }
    }

    /// NameChar of XML 1.0, fifth edition, without the colon.
    private static func canContinue(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: canBegin(scalar)
        }
    }
}
