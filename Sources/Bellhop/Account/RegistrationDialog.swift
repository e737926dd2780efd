package import BellhopEngine

/// Asks a person what a server wants to know for an account.
package enum RegistrationDialog {
    /// How often a wrong answer may be mended, since a file of answers would never get better.
    private static let attempts = 3
    /// How many values one field may get.
    private static let valueLimit = 100

    /// The answers by the fields' names; nil when the person gave up.
    ///
    /// `picture` is the file in which the picture can be looked at.
    package static func run(
        _ question: RegistrationQuestion, picture: String?, domain: String, _ prompter: inout some Prompter
    ) -> [String: [String]]? {
        for sentence in AccountPhrases.introduction(to: question, picture: picture, domain: domain) {
            prompter.say(sentence)
        }
        var answers: [String: [String]] = [:]
        for field in question.fields {
            guard let values = values(of: field, &prompter) else { return nil }
            answers[field.name] = values
        }
        return answers
    }

    private static func values(
        of field: RegistrationQuestion.Field, _ prompter: inout some Prompter
    ) -> [String]? {
        for _ in 0..<attempts {
            guard let first = ask(AccountPhrases.prompt(for: field), field, &prompter) else { return nil }
            if first.isEmpty { continue }
            var values = [first]
            while field.takesSeveral, values.count < valueLimit {
                guard let next = ask(AccountPhrases.promptForMore, field, &prompter), !next.isEmpty else { break }
                values.append(next)
            }
            if field.options.isEmpty || values.allSatisfy(field.options.contains) { return values }
            prompter.say(AccountPhrases.notAnOption(field))
        }
        return nil
    }

    private static func ask(
        _ prompt: String, _ field: RegistrationQuestion.Field, _ prompter: inout some Prompter
    ) -> String? {
        field.isSecret ? prompter.askSecret(prompt) : prompter.ask(prompt)
    }
}
