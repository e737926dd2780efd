/// What a word means to an argument.
extension ArgumentDescription {
    /// The value of a text that stands for all that is given to the argument, such as its default.
    package func value(of text: String) throws(ArgumentProblem) -> ParsedValue {
        if case .rest = kind { return .text(text) }
        guard repeats else { return try value(ofWord: text) }
        var reader = ArgumentReader(text)
        return try reader.take(self) ?? .list([])
    }

    /// The value of one word.
    func value(ofWord word: String) throws(ArgumentProblem) -> ParsedValue {
        switch kind {
        case .text, .rest:
            return .text(word)
        case .integer:
            guard let digits = NumberText(word), digits.isInteger else { break }
            guard let number = digits.integer else { throw .outOfRange(self, given: word) }
            return .integer(number)
        case .number:
            guard let digits = NumberText(word) else { break }
            guard let number = digits.double else { throw .outOfRange(self, given: word) }
            return .number(number)
        case .flag:
            guard let flag = Self.flag(Self.folded(word)) else { break }
            return .flag(flag)
        case .choice(let choices):
            if choices.contains(word) { return .choice(word) }
            let folded = Self.folded(word)
            guard let choice = choices.first(where: { Self.folded($0) == folded }) else { break }
            return .choice(choice)
        }
        throw .unfit(self, given: word)
    }

    private static func flag(_ word: String) -> Bool? {
        switch word {
        case "yes", "y", "on", "true", "1": true
        case "no", "n", "off", "false", "0": false
        default: nil
        }
    }

    /// The form in which choices are compared: lower case, every row of dashes one hyphen, straight apostrophes, and
    /// nothing that cannot be seen. A phone makes one dash of two hyphens.
    static func folded(_ word: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in word.lowercased().unicodeScalars where !scalar.isUnseen && !scalar.isJoiner {
            if scalar.isDash {
                if folded.last != "-" { folded.append("-") }
            } else {
                folded.append(scalar == "\u{2019}" || scalar == "\u{2018}" ? "'" : scalar)
            }
        }
        return String(folded)
    }
}
