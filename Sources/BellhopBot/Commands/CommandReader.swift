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
    let prefix: String

    func read(_ body: String) -> CommandReading {
        let text = body.unicodeScalars
        var index = text.startIndex
        skipBlanksAndQuotes(in: text, &index)
        let isPrefixed = skipPrefix(in: text, &index)
        guard index < text.endIndex, text[index].canStartName else { return .chat }

        let nameStart = index
        while index < text.endIndex, !text[index].isBlank { text.formIndex(after: &index) }
        let name = CommandName.folded(body[nameStart..<index])

        while index < text.endIndex, text[index].isBlank { text.formIndex(after: &index) }
        var end = text.endIndex
        while end > index {
            let last = text.index(before: end)
            guard text[last] == "\n" || text[last] == "\r" else { break }
            end = last
        }
        return .command(name: name, isPrefixed: isPrefixed, arguments: String(text[index..<end]))
    }

    private func skipBlanksAndQuotes(in text: String.UnicodeScalarView, _ index: inout String.Index) {
        while true {
            while index < text.endIndex, text[index].isBlank { text.formIndex(after: &index) }
            guard index < text.endIndex, text[index] == ">" || text[index] == "»" else { return }
            while index < text.endIndex, text[index] != "\n" { text.formIndex(after: &index) }
        }
    }

    private func skipPrefix(in text: String.UnicodeScalarView, _ index: inout String.Index) -> Bool {
        guard !prefix.isEmpty else { return false }
        var candidate = index
        for expected in prefix.unicodeScalars {
            guard candidate < text.endIndex, text[candidate] == expected else { return false }
            text.formIndex(after: &candidate)
        }
        index = candidate
        return true
    }
}

extension Unicode.Scalar {
    /// Whether it is Unicode White_Space.
    var isBlank: Bool {
        if isASCII { return value == 0x20 || value &- 0x09 < 5 }
        return properties.isWhitespace
    }
}
