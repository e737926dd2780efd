internal import CBellhopICU

extension Preparation {
    /// Prepares the local part of a JID: profile UsernameCaseMapped (RFC 8265 section 3.3) without the characters that
    /// RFC 7622 section 3.3.1 forbids.
    ///
    /// Upper case becomes lower case by each character alone, so sigma does not depend on its place in the word.
    package static func usernameCaseMapped(_ text: String) throws(PreparationFault) -> String {
        guard !text.isEmpty else { throw .empty }
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            for byte in text.utf8 where !isAllowedInLocalPart(byte) { throw .forbidden(Unicode.Scalar(byte)) }
            return lowercasedASCII(text)
        }
        var prepared = try usernameOnce(text)
        for _ in 0..<3 {
            let again = try usernameOnce(prepared)
            if again.unicodeScalars.elementsEqual(prepared.unicodeScalars) { return prepared }
            prepared = again
        }
        throw .unstable
    }

    private static func usernameOnce(_ text: String) throws(PreparationFault) -> String {
        let mapped = text.unicodeScalars.map { $0.isASCII ? $0 : $0.widthMapped }
        for scalar in mapped where scalar.isASCII && !isAllowedInLocalPart(UInt8(truncatingIfNeeded: scalar.value)) {
            throw .forbidden(scalar)
        }
        try IdentifierClass.check(mapped)
        var lowercased = ""
        for scalar in mapped { lowercased += scalar.properties.lowercaseMapping }
        let normalized = try normalizedNFC(lowercased)
        guard BidiRule.holds(for: normalized.unicodeScalars) else { throw .bidi }
        return normalized
    }

    /// ASCII's printable characters but for the space and `"&'/:<>@`.
    private static func isAllowedInLocalPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "/"), UInt8(ascii: ":"),
            UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "@"):
            false
        default: byte > 0x20 && byte < 0x7f
        }
    }

    /// The text itself where nothing has to change, which is the usual case.
    static func lowercasedASCII(_ text: String) -> String {
        text.utf8.contains { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") } ? text.lowercased() : text
    }
}

extension Unicode.Scalar {
    /// The plain form of a fullwidth or halfwidth character (RFC 8264 section 5.2.1).
    fileprivate var widthMapped: Unicode.Scalar {
        Unicode.Scalar(UInt32(bitPattern: bellhop_width_mapped(codePoint))) ?? self
    }

    /// The scalar as ICU's functions take it.
    var codePoint: Int32 { Int32(bitPattern: value) }
}
