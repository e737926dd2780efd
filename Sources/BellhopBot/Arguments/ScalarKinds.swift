/// Kinds of characters that matter where arguments are read.
extension Unicode.Scalar {
    /// Whether it cannot be seen and means nothing to a command: marks of direction, breaks of no width, soft hyphens,
    /// byte order marks. They come with text that was copied. Joiners are none of these, since they make emoji and words.
    var isUnseen: Bool {
        switch value {
        case 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x2069, 0xFEFF:
            true
        default: false
        }
    }

    /// Whether it only changes how its neighbours look; no number and no choice is another because of it.
    var isJoiner: Bool { value == 0x200C || value == 0x200D || value == 0xFE0E || value == 0xFE0F }

    /// Whether it is what a keyboard or a phone makes of `-`.
    var isMinus: Bool {
        switch value {
        case 0x2D, 0x2010...0x2013, 0x2212, 0xFE58, 0xFE63, 0xFF0D: true
        default: false
        }
    }

    /// Whether it is what a keyboard or a phone makes of `-` or `--`.
    var isDash: Bool { isMinus || value == 0x2014 || value == 0x2015 }
}
