internal import CBellhopICU

/// The rule for text that holds right-to-left characters (RFC 5893 section 2).
enum BidiRule {
    /// Whether the text may be shown without being taken for another one; text without right-to-left characters may.
    static func holds(for text: String.UnicodeScalarView) -> Bool {
        let classes = text.map { BidiClasses(of: $0) }
        let present = classes.reduce(BidiClasses()) { $0.union($1) }
        guard
            !present.isDisjoint(with: .rightToLeft), let first = classes.first,
            let last = classes.last(where: { $0 != .nonspacingMark })
        else { return true }
        if BidiClasses([.r, .al]).contains(first) {
            return present.isSubset(of: [.r, .al, .an, .en, .neutral])
                && BidiClasses([.r, .al, .en, .an]).contains(last)
                && !present.isSuperset(of: [.en, .an])
        }
        return first == .l && present.isSubset(of: [.l, .en, .neutral]) && BidiClasses([.l, .en]).contains(last)
    }
}

/// Unicode's bidirectional classes.
private struct BidiClasses: OptionSet {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    init(of scalar: Unicode.Scalar) { self.init(rawValue: 1 << bellhop_bidi_class(scalar.codePoint)) }

    private init(_ direction: UCharDirection) { self.init(rawValue: 1 << direction.rawValue) }

    static let l = BidiClasses(U_LEFT_TO_RIGHT)
    static let r = BidiClasses(U_RIGHT_TO_LEFT)
    static let al = BidiClasses(U_RIGHT_TO_LEFT_ARABIC)
    static let an = BidiClasses(U_ARABIC_NUMBER)
    static let en = BidiClasses(U_EUROPEAN_NUMBER)
    static let nonspacingMark = BidiClasses(U_DIR_NON_SPACING_MARK)
    static let rightToLeft: BidiClasses = [.r, .al, .an]
    /// What may stand in text of either direction: ES, CS, ET, ON, BN, NSM.
    static let neutral: BidiClasses = [
        BidiClasses(U_EUROPEAN_NUMBER_SEPARATOR), BidiClasses(U_COMMON_NUMBER_SEPARATOR),
        BidiClasses(U_EUROPEAN_NUMBER_TERMINATOR), BidiClasses(U_OTHER_NEUTRAL), BidiClasses(U_BOUNDARY_NEUTRAL),
        .nonspacingMark,
    ]
}
