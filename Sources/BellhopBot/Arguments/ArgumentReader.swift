/// The text behind a command, from which its arguments are taken one after the other.
///
/// What separates words and what quotes them is said in `nextWord()`. A kind of value of one's own is an `ArgumentValue`.
public struct ArgumentReader {
    private let text: String
    private var position: String.Index
    /// The ways of quoting for which no closing mark is ahead, so that no text is searched twice in vain.
    private var unclosable: UInt64 = 0

    init(_ text: String) {
        self.text = text
        position = text.startIndex
    }

    // MARK: Arguments

    /// Takes one argument, or its default; a description whose default does not fit is answered as if that was given.
    mutating func read(_ argument: ArgumentDescription) throws(ArgumentProblem) -> ParsedArgument {
        if let value = try take(argument) { return ParsedArgument(label: argument.label, value: value) }
        switch argument.requirement {
        case .required: throw .missing(argument)
        case .optional: return ParsedArgument(label: argument.label, value: .absent)
        case .defaulted(let text): return ParsedArgument(label: argument.label, value: try argument.value(of: text))
        }
    }

    /// Takes one argument; nil when nothing is left.
    mutating func take(_ argument: ArgumentDescription) throws(ArgumentProblem) -> ParsedValue? {
        if case .rest = argument.kind { return takeRest().map { .text($0) } }
        guard argument.repeats else {
            guard let word = nextWord() else { return nil }
            return try argument.value(ofWord: word)
        }
        var values: [ParsedValue] = []
        while let word = nextWord() { values.append(try argument.value(ofWord: word)) }
        return values.isEmpty ? nil : .list(values)
    }

    /// Takes all that is left, as typed; nil when that is nothing.
    mutating func takeRest() -> String? {
        guard position < text.endIndex else { return nil }
        defer { position = text.endIndex }
        return position == text.startIndex ? text : String(text[position...])
    }

    /// Text that no argument takes is a misunderstanding, and a command that does something must not run from one.
    mutating func expectEnd() throws(ArgumentProblem) {
        guard position < text.endIndex else { return }
        let left = text[position...]
        if nextWord() != nil { throw .tooMuch(String(left)) }
    }

    // MARK: Words

    /// Takes the next word; nil when none is left.
    ///
    /// - Words are separated by Unicode White_Space. Characters that cannot be seen are no part of a word at its ends.
    /// - A word that begins with a quotation mark goes on to the mark that closes it, which white space or the end must
    ///   follow: so the apostrophes of `it's` and `'it's mine'` are letters, and a mark that nothing closes is one, too.
    /// - Inside quotes a backslash in front of a quotation mark takes its meaning away; any other stays as typed.
    mutating func nextWord() -> String? {
        let scalars = text.unicodeScalars
        while true {
            skip { $0.isBlank || $0.isUnseen }
            guard position < text.endIndex else { return nil }
            if let quotation = Quotation(opening: scalars[position]), let word = takeQuoted(quotation) { return word }
            let start = position
            skip { !$0.isBlank }
            let word = scalars[start..<position].trimmingUnseen
            skip(\.isBlank)
            if !word.isEmpty { return String(word) }
        }
    }

    private mutating func takeQuoted(_ quotation: Quotation) -> String? {
        let scalars = text.unicodeScalars
        let start = scalars.index(after: position)
        guard let end = end(of: quotation, from: start, .strictly) ?? end(of: quotation, from: start, .loosely) else {
            return nil
        }
        let content = quotation.content(of: scalars[start..<end])
        position = scalars.index(after: end)
        skip(\.isBlank)
        return content
    }

    /// Where the mark stands that closes a quotation.
    private mutating func end(
        of quotation: Quotation, from start: String.Index, _ manner: Quotation.Manner
    ) -> String.Index? {
        let way: UInt64 = 1 << UInt64(quotation.rawValue * 2 + manner.rawValue)
        guard unclosable & way == 0 else { return nil }
        let scalars = text.unicodeScalars
        var index = start
        while index < text.endIndex {
            let next = scalars.index(after: index)
            let follower = next < text.endIndex ? scalars[next] : nil
            if scalars[index] == "\\", let follower, quotation.isMark(follower) {
                index = scalars.index(after: next)
                continue
            }
            if quotation.isClosed(by: scalars[index], manner), follower.map({ $0.isBlank || $0.isUnseen }) ?? true {
                return index
            }
            index = next
        }
        unclosable |= way
        return nil
    }

    private mutating func skip(_ condition: (Unicode.Scalar) -> Bool) {
        let scalars = text.unicodeScalars
        while position < text.endIndex, condition(scalars[position]) { position = scalars.index(after: position) }
    }
}

extension Substring.UnicodeScalarView {
    /// Without the characters at both ends that cannot be seen.
    fileprivate var trimmingUnseen: Substring {
        var trimmed = Substring(drop(while: \.isUnseen))
        while let last = trimmed.unicodeScalars.last, last.isUnseen { trimmed.unicodeScalars.removeLast() }
        return trimmed
    }
}
