internal import BellhopBot

/// The program and its arguments as the configuration has them, with places for what a person writes.
///
/// `{unit}` stands for the argument `unit`, `{{unit}}` for the text `{unit}`; every other brace is a brace. Each word stays
/// one word, whatever it is filled with.
package struct ProgramTemplate: Equatable, Sendable {
    enum Piece: Equatable, Sendable {
        case text(String)
        case argument(String)
    }

    let words: [[Piece]]

    package init(_ words: [String]) { self.words = words.map(Self.pieces) }

    /// The program itself, which is never chosen by a person.
    var program: String {
        (words.first ?? []).map { piece in
            switch piece {
            case .text(let text): text
            case .argument(let label): "{\(label)}"
            }
        }.joined()
    }

    /// The arguments that a word names.
    func labels(inWord place: Int) -> [String] {
        words[place].compactMap { piece in
            guard case .argument(let label) = piece else { return nil }
            return label
        }
    }

    /// The same with another program.
    func running(_ program: String) -> ProgramTemplate {
        var words = words
        if !words.isEmpty { words[0] = [.text(program)] }
        return ProgramTemplate(pieces: words)
    }

    /// The words with the values in their places. A word that names an argument which was not given is left out.
    ///
    /// Throws where a value begins a word with a dash and so could be taken for an option: not right behind a `--`
    /// and other arguments, nor inside a word like `--unit={unit}`, nor where the configuration itself lists the value among the choices.
    func filled(with values: [ParsedArgument]) throws(Failure) -> [String] {
        var filled: [String] = []
        // A `--` is for the program that it was written behind: in `env -- prog {a}` it is none of prog's.
        var isBehindDashes = false
        for (place, pieces) in words.enumerated() {
            let isFixed = !pieces.contains { if case .argument = $0 { true } else { false } }
            if isFixed { isBehindDashes = place > 0 && pieces == [.text("--")] }
            guard let word = try word(pieces, values, mayBeDash: place == 0 || isBehindDashes) else { continue }
            filled.append(word)
        }
        return filled
    }

    private func word(
        _ pieces: [Piece], _ values: [ParsedArgument], mayBeDash: Bool
    ) throws(Failure) -> String? {
        var word = ""
        for piece in pieces {
            switch piece {
            case .text(let text): word += text
            case .argument(let label):
                guard let value = values.first(where: { $0.label == label }), value.value != .absent else { return nil }
                let isListed = if case .choice = value.value { true } else { false }
                // The byte and not the character: with a mark upon it a dash is another character, and still an option's.
                if word.isEmpty && value.text.utf8.first == UInt8(ascii: "-") && !mayBeDash && !isListed {
                    throw Failure(ProgramPhrases.startsWithDash(value.text, argument: label))
                }
                word += value.text
            }
        }
        return word
    }

    private init(pieces: [[Piece]]) { words = pieces }

    private static func pieces(of word: String) -> [Piece] {
        var pieces: [Piece] = []
        var text = ""
        var rest = word[...]
        while let first = rest.first {
            if let match = rest.prefixMatch(of: /\{\{([A-Za-z][A-Za-z0-9_-]*)\}\}/) {
                text += "{\(match.1)}"
                rest = rest[match.range.upperBound...]
            } else if let match = rest.prefixMatch(of: /\{([A-Za-z][A-Za-z0-9_-]*)\}/) {
                if !text.isEmpty { pieces.append(.text(text)) }
                text = ""
                pieces.append(.argument(String(match.1)))
                rest = rest[match.range.upperBound...]
            } else {
                text.append(first)
                rest.removeFirst()
            }
        }
        if !text.isEmpty || pieces.isEmpty { pieces.append(.text(text)) }
        return pieces
    }
}
