/// Makes text harmless for a terminal and for a file of lines: what could move the cursor, start a new line or turn the
/// direction of writing is shown as an escape.
package enum VisibleText {
    /// The text on one line: line breaks become `\n`, other control characters `\u{1b}` and the like.
    package static func oneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        var visible = ""
        for scalar in text.unicodeScalars { append(scalar, to: &visible) }
        return visible
    }

    /// The lines of the text (`\n`, `\r\n` and lone `\r` end a line), each made harmless; tabs become four spaces.
    package static func lines(_ text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        var afterReturn = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where afterReturn: afterReturn = false
            case "\n", "\r":
                lines.append(line)
                line = ""
                afterReturn = scalar == "\r"
            default:
                afterReturn = false
                if scalar == "\t" { line += "    " } else { append(scalar, to: &line) }
            }
        }
        lines.append(line)
        return lines
    }

    private static func append(_ scalar: Unicode.Scalar, to visible: inout String) {
        guard isHarmful(scalar) else { return visible.unicodeScalars.append(scalar) }
        switch scalar {
        case "\n": visible += "\\n"
        case "\r": visible += "\\r"
        case "\t": visible += "\\t"
        default: visible += "\\u{\(String(scalar.value, radix: 16))}"
        }
    }

    /// C0, DEL, C1, the Unicode line and paragraph separators, the marks, embeddings, overrides and isolates of
    /// bidirectional text (UAX 9), the byte order mark and the tag characters.
    package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF,
            0xE0001:
            true
        default: false
        }
    }
}
