internal import BellhopDiagnostics
internal import BellhopXMPP

/// Asks for what a configuration needs, again where an answer is wrong.
package struct InitDialog {
    /// How often a wrong answer may be mended, since a file of answers would never get better.
    private static let attempts = 3

    /// What a person wants.
    package struct Answers: Equatable, Sendable {
        package var jid: JID
        /// Nil where `register` is to make one.
        package var password: String?
        package var admins: [JID]
    }

    /// Nil when the person gave up.
    package static func run(_ prompter: inout some Prompter) -> Answers? {
        guard let jid = address(&prompter) else { return nil }
        guard let password = password(&prompter) else { return nil }
        guard let admins = admins(&prompter) else { return nil }
        return Answers(jid: jid, password: password.allSatisfy(\.isWhitespace) ? nil : password, admins: admins)
    }

    private static func address(_ prompter: inout some Prompter) -> JID? {
        for _ in 0..<attempts {
            guard let answer = prompter.ask("The bot's address (like bot@example.org): ") else { return nil }
            switch read(answer) {
            case .success(let jid): return jid
            case .failure(let complaint): prompter.say(complaint.sentence)
            }
        }
        return nil
    }

    private static func password(_ prompter: inout some Prompter) -> String? {
        prompter.askSecret("Its password (nothing where the account is not there yet: register makes one): ")
    }

    private static func admins(_ prompter: inout some Prompter) -> [JID]? {
        asking: for _ in 0..<attempts {
            let question = "Who may run every command (addresses with spaces between them, or nothing): "
            // The end of the answers is an answer too: nobody.
            let answer = prompter.ask(question) ?? ""
            var admins: [JID] = []
            for word in answer.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
                switch read(String(word)) {
                case .success(let jid): if !admins.contains(jid) { admins.append(jid) }
                case .failure(let complaint):
                    prompter.say(complaint.sentence)
                    continue asking
                }
            }
            return admins
        }
        return nil
    }

    private static func read(_ answer: String) -> Result<JID, ConfigurationProblem> {
        var answer = answer[...]
        while answer.first?.isWhitespace == true { answer = answer.dropFirst() }
        while answer.last?.isWhitespace == true { answer = answer.dropLast() }
        return ConfigurationForm<JID>.account(String(answer)).mapError { ConfigurationProblem($0, path: "") }
    }

    /// The file, complete and with a word on where the rest is explained.
    ///
    /// A password that is to be made will be in that file, beside the configuration.
    package static func text(_ answers: Answers, passwordFile: String) -> String {
        let password =
            answers.password.map(JSONText.string) ?? "{\"file\": \(JSONText.string(passwordFile))}"
        return """
            {
              // Every other key is explained in docs/configuration.md and shown in config.example.json.
              "account": {
                "jid": \(JSONText.string(answers.jid.bareText)),
                "password": \(password)
              },
              "admins": \(JSONText.array(answers.admins.map { JSONText.string($0.bareText) }))
            }

            """
    }
}
