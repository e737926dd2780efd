internal import BellhopDiagnostics
internal import BellhopXMPP

/// Asks for what a configuration needs, again where an answer is wrong.
package struct InitDialog {
    /// How often a person may mend a wrong answer.
    private static let attempts = 3

    /// What a person wants.
    package struct Answers: Equatable, Sendable {
        package var jid: JID
        /// Nil where `register` is to make one.
        package var password: String?
        package var admins: [JID]
    }

    /// Why there are no answers.
    package enum Failure: Error, Equatable, Sendable {
        case gaveUp
        /// This answer is wrong, and nobody is there to mend it.
        case refused(Question)
    }

    /// What can be answered wrongly.
    package enum Question: Equatable, Sendable {
        case account, password, admins
    }

    /// What a person is told who answered wrongly.
    private struct Complaint: Error {
        var sentence: String
    }

    /// Asks; what is wrong is asked again where a person can mend it, and else ends the dialog.
    package static func run(_ prompter: inout some Prompter) throws(Failure) -> Answers {
        let jid = try mended(.account, "The bot's address (like bot@example.org): ", &prompter) { read($0) }
        let password = try mended(.password, passwordWords, &prompter) { read(password: $0) }
        let admins = try mended(
            .admins, "Who may run every command (addresses with spaces between them, or nothing): ", &prompter,
            // The end of the answers is an answer too: nobody.
            atEnd: [], { readAdmins($0) })
        return Answers(jid: jid, password: password, admins: admins)
    }

    private static func mended<Answer>(
        _ question: Question, _ words: String, _ prompter: inout some Prompter, atEnd end: Answer? = nil,
        _ read: (String) -> Result<Answer, Complaint>
    ) throws(Failure) -> Answer {
        for _ in 0..<attempts {
            guard let line = question == .password ? prompter.askSecret(words) : prompter.ask(words) else {
                guard let end else { throw .gaveUp }
                return end
            }
            switch read(line) {
            case .success(let answer): return answer
            case .failure(let complaint):
                // A line too many or too few puts the password here, and a complaint would print it.
                guard prompter.isPerson else { throw .refused(question) }
                prompter.say(complaint.sentence)
            }
        }
        throw .gaveUp
    }

    private static let passwordWords =
        "Its password (nothing where the account is not there yet: register makes one): "

    /// Nil for one that `register` is to make.
    private static func read(password: String) -> Result<String?, Complaint> {
        if password.allSatisfy({ $0.isWhitespace && !$0.isNewline }) { return .success(nil) }
        guard PasswordFile.isForbidden(Secret(password)) || password.contains(where: \.isNewline) else {
            return .success(password)
        }
        return .failure(
            Complaint(sentence: "That holds a character that no password may hold, like a control character."))
    }

    private static func readAdmins(_ answer: String) -> Result<[JID], Complaint> {
        var admins: [JID] = []
        for word in answer.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            switch read(String(word)) {
            case .success(let jid): if !admins.contains(jid) { admins.append(jid) }
            case .failure(let complaint): return .failure(complaint)
            }
        }
        return .success(admins)
    }

    private static func read(_ answer: String) -> Result<JID, Complaint> {
        var answer = answer[...]
        while answer.first?.isWhitespace == true { answer = answer.dropFirst() }
        while answer.last?.isWhitespace == true { answer = answer.dropLast() }
        return ConfigurationForm<JID>.account(String(answer)).mapError {
            Complaint(sentence: ConfigurationProblem($0, path: "").sentence)
        }
    }

    /// The file, complete and with a word on where the rest is explained.
    ///
    /// A password that is to be made will be in that file, beside the configuration. The admins get the roles that the bot's code
    /// names, without which it does not start.
    package static func text(_ answers: Answers, roles: [String], passwordFile: String) -> String {
        let password =
            answers.password.map(JSONText.string) ?? "{\"file\": \(JSONText.string(passwordFile))}"
        let admins = JSONText.array(answers.admins.map { JSONText.string($0.bareText) })
        return """
            {
              // Every other key is explained in docs/configuration.md and shown in config.example.json.
              "account": {
                "jid": \(JSONText.string(answers.jid.bareText)),
                "password": \(password)
              },
              "admins": \(admins)\(answers.admins.isEmpty ? "" : members(of: roles, admins))
            }

            """
    }

    /// All these roles for the same people, as it would stand in the file.
    static func roles(_ names: [String], _ people: String) -> String {
        "{" + names.map { "\(JSONText.string($0)): \(people)" }.joined(separator: ", ") + "}"
    }

    private static func members(of roles: [String], _ admins: String) -> String {
        guard !roles.isEmpty else { return "" }
        return """
            ,
              // Who has the roles that commands of this bot are for.
              "roles": \(Self.roles(roles, admins))
            """
    }
}
