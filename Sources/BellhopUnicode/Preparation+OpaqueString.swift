internal import CBellhopICU

extension Preparation {
    /// Prepares the resource of a JID after the profile OpaqueString (RFC 8265 section 4.2): spaces of other scripts
    /// become plain spaces, and the text is normalised to NFC; case is kept.
    ///
    /// It refuses control characters and noncharacters only. RFC 8264 would refuse more: characters that are unassigned
    /// in the tables at hand, private ones and invisible ones. But servers have newer tables, emoji are joined with
    /// invisible characters, and a nickname in a room must never make its owner's address unreadable.
    package static func opaqueString(_ text: String) throws(PreparationFault) -> String {
        guard !text.isEmpty else { throw .empty }
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            for byte in text.utf8 where byte < 0x20 || byte == 0x7f { throw .forbidden(Unicode.Scalar(byte)) }
            return text
        }
        var mapped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if bellhop_is_control(scalar.codePoint) || bellhop_is_noncharacter(scalar.codePoint) {
                throw .forbidden(scalar)
            }
            mapped.append(bellhop_is_space(scalar.codePoint) ? " " : scalar)
        }
        return try normalizedNFC(String(mapped))
    }
}
