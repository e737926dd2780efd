/// What a body says: a command by its name, or ordinary chat.
enum CommandReading: Equatable {
    /// The name is folded; the arguments are as typed, without the white space in front and the line breaks at the end.
    case command(name: String, isPrefixed: Bool, arguments: String)
    /// No word where a command would stand: nothing, a prefix alone or doubled, punctuation, only quoted lines.
    case chat
}

/// Reads commands from the bodies of a direct chat, where the prefix is optional.
///
/// Leading blanks are skipped, and so are lines that start with a quote mark. All Unicode White_Space separates words.
struct CommandReader: Sendable {
    private let prefix: [UInt8]

    init(prefix: String) { self.prefix = Array(prefix.utf8) }

    func read(_ body: String) -> CommandReading {
        let text = body.utf8.span
        var start = 0
        skipBlanksAndQuotes(in: text, &start)
        let isPrefixed = skipPrefix(in: text, &start)
        guard start < text.count, text.scalar(at: start).scalar.canStartName else { return .chat }

        var nameEnd = start
        while nameEnd < text.count {
            let (scalar, length) = text.scalar(at: nameEnd)
            if scalar.isBlank { break }
            nameEnd += length
        }
        var argumentStart = nameEnd
        skipBlanks(in: text, &argumentStart)
        var end = text.count
        while end > argumentStart, text[end - 1] == 0x0A || text[end - 1] == 0x0D { end -= 1 }
        return .command(
            name: CommandName.folded(Self.copy(text.extracting(start..<nameEnd))), isPrefixed: isPrefixed,
            arguments: Self.copy(text.extracting(argumentStart..<end)))
    }

    /// Whether the body begins with a quoted line.
    func isQuoting(_ body: String) -> Bool {
        let text = body.utf8.span
        var start = 0
        skipBlanks(in: text, &start)
        return start < text.count && Self.isQuoteMark(text.scalar(at: start).scalar)
    }

    private static func isQuoteMark(_ scalar: Unicode.Scalar) -> Bool { scalar == ">" || scalar == "»" }

    private func skipBlanks(in text: borrowing Span<UInt8>, _ offset: inout Int) {
        while offset < text.count {
            let (scalar, length) = text.scalar(at: offset)
            guard scalar.isBlank else { return }
            offset += length
        }
    }

    private func skipBlanksAndQuotes(in text: borrowing Span<UInt8>, _ offset: inout Int) {
        while true {
            skipBlanks(in: text, &offset)
            guard offset < text.count else { return }
            guard Self.isQuoteMark(text.scalar(at: offset).scalar) else { return }
            while offset < text.count, text[offset] != 0x0A { offset += 1 }
        }
    }

    private func skipPrefix(in text: borrowing Span<UInt8>, _ offset: inout Int) -> Bool {
        guard !prefix.isEmpty, text.count - offset >= prefix.count else { return false }
        for index in prefix.indices where text[offset + index] != prefix[index] { return false }
        offset += prefix.count
        return true
    }

    /// A piece of the body; it is cut between scalars, so it is valid. By way of a substring it would cost twice as much.
    private static func copy(_ piece: Span<UInt8>) -> String {
        guard let text = try? UTF8Span(validating: piece) else { return "" }
        return String(copying: text)
    }
}

extension Span<UInt8> {
    /// The scalar that starts at an offset and its length in bytes; the bytes are those of a String, so they are valid.
    fileprivate func scalar(at offset: Int) -> (scalar: Unicode.Scalar, length: Int) {
        let first = self[offset]
        guard first >= 0x80 else { return (Unicode.Scalar(first), 1) }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var value = UInt32(first) & (0xFF >> UInt32(length + 1))
        for index in offset + 1..<min(offset + length, count) { value = value << 6 | UInt32(self[index] & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }
}

extension Unicode.Scalar {
    /// Whether it is Unicode White_Space.
    var isBlank: Bool {
        if isASCII { return value == 0x20 || value &- 0x09 < 5 }
        return properties.isWhitespace
    }
}

extension Character {
    /// Whether it separates words: Unicode White_Space, and CR LF, which Swift sees as one character.
    var isSeparator: Bool { unicodeScalars.allSatisfy(\.isBlank) }
}
