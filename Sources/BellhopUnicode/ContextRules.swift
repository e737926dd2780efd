internal import CBellhopICU

/// Whether a character that is valid only in some places is in one of them (RFC 5892 appendix A).
struct ContextRules {
    private let scalars: [Unicode.Scalar]
    private let hasKanaOrHan: Bool
    private let hasArabicIndicDigit: Bool
    private let hasExtendedArabicIndicDigit: Bool

    init(_ scalars: [Unicode.Scalar]) {
        self.scalars = scalars
        hasKanaOrHan = scalars.contains { bellhop_is_kana_or_han($0.codePoint) }
        hasArabicIndicDigit = scalars.contains { 0x0660...0x0669 ~= $0.value }
        hasExtendedArabicIndicDigit = scalars.contains { 0x06f0...0x06f9 ~= $0.value }
    }

    /// Whether the rule of the character at this index holds; a character without a rule is refused.
    func allow(at index: Int) -> Bool {
        let before = index > 0 ? scalars[index - 1] : nil
        let after = index + 1 < scalars.count ? scalars[index + 1] : nil
        switch scalars[index].value {
        case 0x200c: return follows(before, bellhop_is_virama) || joinsAcross(index)
        case 0x200d: return follows(before, bellhop_is_virama)
        case 0x00b7: return before == "l" && after == "l"
        case 0x0375: return follows(after, bellhop_is_greek)
        case 0x05f3, 0x05f4: return follows(before, bellhop_is_hebrew)
        case 0x30fb: return hasKanaOrHan
        case 0x0660...0x0669: return !hasExtendedArabicIndicDigit
        case 0x06f0...0x06f9: return !hasArabicIndicDigit
        default: return false
        }
    }

    private func follows(_ neighbour: Unicode.Scalar?, _ isFit: (Int32) -> Bool) -> Bool {
        neighbour.map { isFit($0.codePoint) } ?? false
    }

    /// Whether letters on both sides would join here, transparent characters between them left out.
    private func joinsAcross(_ index: Int) -> Bool {
        let left = scalars[..<index].last { !bellhop_joins_through($0.codePoint) }
        let right = scalars[(index + 1)...].first { !bellhop_joins_through($0.codePoint) }
        return follows(left, bellhop_joins_to_the_right) && follows(right, bellhop_joins_to_the_left)
    }
}
