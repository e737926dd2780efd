internal import CBellhopICU

extension Preparation {
    /// Prepares the domain of a JID for comparing (RFC 7622 section 3.2): lower case, internationalised labels in
    /// Unicode, one dot at the end cut off; an address literal in its usual spelling, IPv6 in brackets.
    ///
    /// Internationalised names follow UTS 46 without transitional mappings, with the rules of IDNA 2008 for
    /// joiners, bidirectional text and ASCII. A name in plain ASCII may also hold underscores, which hosts in private
    /// networks have. A name whose last label is a number is refused, unless it is an IPv4 address, since resolvers would
    /// read it as one.
    package static func domain(_ text: String) throws(PreparationFault) -> String {
        let text = try withoutLastDot(text)
        if let literal = try plainDomain(text) { return literal }
        // Only the conversion to ASCII checks the lengths.
        _ = unsafe try converted(text, by: bellhop_idna_to_ascii)
        return unsafe try converted(text, by: bellhop_idna_to_unicode)
    }

    /// Prepares a domain for DNS, SNI and certificates: as `domain`, internationalised labels as `xn--` ones.
    package static func asciiDomain(_ text: String) throws(PreparationFault) -> String {
        let text = try withoutLastDot(text)
        if let literal = try plainDomain(text) { return literal }
        return unsafe try converted(text, by: bellhop_idna_to_ascii)
    }

    /// Cuts off one dot, in any of the forms that IDNA takes for one.
    private static func withoutLastDot(_ text: String) throws(PreparationFault) -> String {
        var scalars = text.unicodeScalars
        switch scalars.last {
        case ".", "\u{3002}", "\u{ff0e}", "\u{ff61}": scalars.removeLast()
        default: break
        }
        guard !scalars.isEmpty else { throw .empty }
        return String(scalars)
    }

    /// The prepared domain where it needs no ICU: an address literal, or ASCII without `xn--` labels; nil for others.
    private static func plainDomain(_ text: String) throws(PreparationFault) -> String? {
        if text.utf8.first == UInt8(ascii: "[") {
            guard let address = AddressLiteral(text) else { throw .invalidDomain }
            return address.text
        }
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let lowercased = lowercasedASCII(text)
        let labels = lowercased.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        for label in labels {
            if label.starts(with: "xn--".utf8) { return nil }
            guard
                let first = label.first, first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-"),
                label.allSatisfy(isAllowedInLabel)
            else { throw .invalidDomain }
            guard label.count <= 63 else { throw .domainTooLong }
        }
        guard lowercased.utf8.count <= 253 else { throw .domainTooLong }
        try checkLastLabel(of: lowercased)
        return lowercased
    }

    private static func isAllowedInLabel(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func checkLastLabel(of domain: String) throws(PreparationFault) {
        let label = domain.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }
        guard label.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else { return }
        guard AddressLiteral(domain) != nil else { throw .invalidDomain }
    }

    private typealias IDNAConversion = (
        OpaquePointer?, UnsafePointer<UInt16>?, Int32, UnsafeMutablePointer<UInt16>?, Int32,
        UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<UErrorCode>?
    ) -> Int32

    private static func converted(_ text: String, by conversion: IDNAConversion) throws(PreparationFault) -> String {
        guard let idna = unsafe IDNA.handle else { throw .unavailable(U_MISSING_RESOURCE_ERROR.rawValue) }
        var faults: UInt32 = 0
        let (converted, error) = unsafe ICUText.convert(text) { input, count, output, capacity, error in
            unsafe conversion(idna, input, count, output, capacity, &faults, error)
        }
        guard let converted else { throw .unavailable(error.rawValue) }
        let tooLong = UInt32(UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG)
        if faults & UInt32(UIDNA_ERROR_BIDI) != 0 { throw .bidi }
        if faults & ~tooLong != 0 || converted.utf8.last == UInt8(ascii: ".") { throw .invalidDomain }
        if faults != 0 { throw .domainTooLong }
        try checkLastLabel(of: converted)
        return converted
    }
}

/// ICU's processor for UTS 46, opened at the first use.
private enum IDNA {
    // Unsafe: ICU only reads an open processor.
    nonisolated(unsafe) static let handle = unsafe bellhop_open_idna()
}
