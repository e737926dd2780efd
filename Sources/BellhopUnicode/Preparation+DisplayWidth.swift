internal import CBellhopICU

extension Preparation {
    /// How many columns of a terminal the text takes: wide East Asian characters and emoji two, combining, invisible
    /// and control characters none, others one.
    package static func displayWidth(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count { $0 >= 0x20 && $0 != 0x7f } }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    private static func width(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        if isEmoji(scalars) { return 2 }
        // Some scripts join several letters to one character, and each letter takes its column.
        return scalars.reduce(0) { $0 + width(of: $1) }
    }

    /// A picture, or one made of several: joined, coloured, a keycap, or two letters for a flag.
    private static func isEmoji(_ scalars: String.UnicodeScalarView) -> Bool {
        guard let first = scalars.first else { return false }
        if first.properties.isEmojiPresentation { return scalars.count > 1 || !isRegionalIndicator(first) }
        return first.properties.isEmoji && scalars.contains("\u{fe0f}")
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool { 0x1f1e6...0x1f1ff ~= scalar.value }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .control, .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator, .surrogate:
            return 0
        default: break
        }
        // The vowels and finals of old Hangul are drawn into the consonant before them.
        if 0x1160...0x11ff ~= scalar.value || 0xd7b0...0xd7ff ~= scalar.value { return 0 }
        if bellhop_is_ignorable(scalar.codePoint) { return 0 }
        return bellhop_is_wide(scalar.codePoint) ? 2 : 1
    }
}
