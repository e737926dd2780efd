/// What is wrong with the declaration of an argument.
public enum ArgumentMistake: Equatable, Sendable {
    /// The label is empty, holds white space or is that of another argument.
    case badLabel
    /// An argument before it takes all the rest.
    case behindRest
    /// An argument before it may be left out, so that nobody could tell which of the two was given.
    case requiredBehindOptional
    case noChoices
    /// Two choices are the same to a reader who does not mind the case of letters or the length of dashes.
    case sameChoices(String, String)
    /// The default is nothing of the kind.
    case unfitDefault(String)
}

extension ArgumentMistake {
    /// What is wrong, to stand behind the argument's name.
    package var clause: String { Phrases.clause(self) }
}

extension ArgumentDescription {
    /// What is wrong with the arguments of one command, in their order, with the place of each.
    package static func mistakes(in arguments: [ArgumentDescription]) -> [(place: Int, mistake: ArgumentMistake)] {
        var mistakes: [(place: Int, mistake: ArgumentMistake)] = []
        var labels: Set<String> = []
        for (place, argument) in arguments.enumerated() {
            let label = argument.label
            if label.isEmpty || label.unicodeScalars.contains(where: \.isBlank)
                || !labels.insert(label.uppercased()).inserted
            {
                mistakes.append((place, .badLabel))
            }
            if place > 0 {
                if arguments[place - 1].takesAll { mistakes.append((place, .behindRest)) }
                if argument.isRequired && !arguments[place - 1].isRequired {
                    mistakes.append((place, .requiredBehindOptional))
                }
            }
            mistakes += argument.mistakes.map { (place, $0) }
        }
        return mistakes
    }

    private var mistakes: [ArgumentMistake] {
        if case .choice(let choices) = kind {
            if choices.isEmpty { return [.noChoices] }
            var seen: [String: String] = [:]
            for choice in choices {
                if let other = seen.updateValue(choice, forKey: Self.folded(choice)) {
                    return [.sameChoices(other, choice)]
                }
            }
        }
        if case .defaulted(let text) = requirement, (try? value(of: text)) == nil { return [.unfitDefault(text)] }
        return []
    }
}
