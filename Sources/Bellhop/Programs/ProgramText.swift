internal import BellhopDiagnostics

/// Turns what a program prints, in pieces of any size, into lines that people can read.
///
/// What is no UTF-8 becomes U+FFFD, colours and other escape sequences of terminals (ECMA-48) are dropped, a carriage
/// return starts its line anew as on a terminal, tabs stay, other control characters are dropped.
struct ProgramText {
    /// A line longer than this many bytes is broken.
    static let lineLimit = 16_384

    private enum Place {
        case text
        /// Behind ESC.
        case escape
        /// Inside a sequence that a letter ends, like a colour.
        case control
        /// Inside a sequence that BEL, or ESC and a backslash, ends, like a window's title.
        case string
        /// Behind an ESC in such a sequence.
        case stringEscape
    }

    private var place = Place.text
    private var line: [UInt8] = []
    /// Whether a carriage return came, which a line feed makes harmless.
    private var isReturned = false
    private(set) var lines: [String] = []

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes { add(byte) }
    }

    /// The complete lines since the last time.
    mutating func takeLines() -> [String] {
        defer { lines = [] }
        return lines
    }

    /// Ends the last line, which often has no line feed.
    mutating func finish() {
        if !line.isEmpty { endLine() }
    }

    private mutating func add(_ byte: UInt8) {
        switch place {
        case .text: addText(byte)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): place = .control
            case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "X"):
                place = .string
            // Intermediate bytes, as in a choice of character sets: one more follows.
            case 0x20...0x2F: break
            default: place = .text
            }
        case .control:
            // A line feed inside a sequence is a program that was cut short, not a sequence.
            if byte == 0x0A { place = .text; addText(byte) } else if (0x40...0x7E).contains(byte) { place = .text }
        case .string:
            if byte == 0x07 { place = .text } else if byte == 0x1B { place = .stringEscape }
            if byte == 0x0A { place = .text; addText(byte) }
        case .stringEscape: place = byte == UInt8(ascii: "\\") ? .text : .string
        }
    }

    private mutating func addText(_ byte: UInt8) {
        switch byte {
        case 0x0A:
            isReturned = false
            endLine()
            return
        case 0x0D:
            isReturned = true
            return
        case 0x1B:
            place = .escape
            return
        case 0x08:
            if !line.isEmpty { line.removeLast() }
            return
        case 0x09, 0x20..., 0x80...: break
        default: return
        }
        if byte == 0x7F { return }
        if isReturned {
            line = []
            isReturned = false
        }
        // Between scalars, so that no character is torn.
        if line.count >= Self.lineLimit && byte & 0xC0 != 0x80 { endLine() }
        line.append(byte)
    }

    private mutating func endLine() {
        var text = ""
        for scalar in String(decoding: line, as: UTF8.self).unicodeScalars {
            // C1 controls and what turns the direction of writing would show something else than what is there.
            if scalar == "\t" || !VisibleText.isHarmful(scalar) { text.unicodeScalars.append(scalar) }
        }
        lines.append(text)
        line = []
    }
}
