internal import CBellhopICU

extension Preparation {
    /// Prepares a password, or a user name for SCRAM, by SASLprep (RFC 4013) with the tables of Unicode 3.2.
    ///
    /// Characters that Unicode 3.2 did not know, today's emoji among them, pass unchanged, as RFC 4013 section 2.5 allows
    /// for text that is only compared with what a server has stored. Text of which nothing is left is `.empty`.
    package static func saslprep(_ text: String) throws(PreparationFault) -> String {
        guard !text.isEmpty else { throw .empty }
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            for byte in text.utf8 where byte < 0x20 || byte == 0x7f { throw .forbidden(Unicode.Scalar(byte)) }
            return text
        }
        guard let profile = unsafe SASLprepProfile.handle else { throw .unavailable(U_MISSING_RESOURCE_ERROR.rawValue) }
        var place = UParseError()
        let (prepared, error) = unsafe ICUText.convert(text) { input, count, output, capacity, error in
            unsafe bellhop_saslprep(profile, input, count, output, capacity, &place, error)
        }
        switch error {
        case U_STRINGPREP_PROHIBITED_ERROR: throw .forbidden(firstScalar(at: place))
        case U_STRINGPREP_CHECK_BIDI_ERROR: throw .bidi
        default: break
        }
        guard let prepared else { throw .unavailable(error.rawValue) }
        guard !prepared.isEmpty else { throw .empty }
        return prepared
    }

    /// The character at which ICU stopped: the first one of what it keeps of the text from the error on.
    private static func firstScalar(at place: UParseError) -> Unicode.Scalar {
        let units = unsafe withUnsafeBytes(of: place.postContext) { bytes in
            unsafe Array(bytes.bindMemory(to: UInt16.self)).prefix { $0 != 0 }
        }
        return String(decoding: units, as: UTF16.self).unicodeScalars.first ?? "\u{0}"
    }
}

/// ICU's tables for SASLprep, opened at the first use.
private enum SASLprepProfile {
    // Unsafe: ICU only reads an open profile.
    nonisolated(unsafe) static let handle = unsafe bellhop_open_saslprep()
}
