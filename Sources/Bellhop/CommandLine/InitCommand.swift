/// `init`: asks, and writes a configuration that was not there before.
package enum InitCommand {
    package enum Outcome: Equatable, Sendable {
        /// Mode 0600, in that file; roles that the bot's code names and nobody has are lacking.
        case written(String, lacking: [String] = [])
        /// The same, and `register` is to make the password.
        case writtenWithoutPassword(String, lacking: [String] = [])
        case exists(String)
        case noPlace
        case gaveUp
        /// A wrong answer that did not come from a person.
        case refused(InitDialog.Question)
        /// What stands in the place of a person's answers gives none.
        case unusable(InitInput.Fault)
        case failed(String, reason: String)

        package var exitCode: ExitCode {
            switch self {
            case .written, .writtenWithoutPassword: .success
            case .exists, .failed: .cannotCreate
            case .noPlace, .gaveUp: .configuration
            case .refused, .unusable: .usage
            }
        }

        /// What a person reads; `bot` is the program's name.
        package func sentence(bot: String) -> String {
            switch self {
            case .written(let file, let lacking):
                """
                Wrote \(file) (readable by you alone). Next: \(bot) check --online --config \(ShellWord.quoted(file)) \
                (an account that is not there yet is made with: \(bot) register --config \(ShellWord.quoted(file)))\
                \(Self.advice(lacking))
                """
            case .writtenWithoutPassword(let file, let lacking):
                """
                Wrote \(file) (readable by you alone). Next: \(bot) register --config \(ShellWord.quoted(file)), which makes \
                the password and the account\(Self.advice(lacking))
                """
            case .exists(let file): "\(file) is there already and was left as it is; name another file with --config."
            case .noPlace: "There is no home directory to write to; name a file with --config."
            case .gaveUp: "Nothing was written, since the answers were not complete."
            case .refused(.account):
                "The first line is no address like bot@example.org. \(Self.lines)"
            case .refused(.admins):
                "The third line holds something that is no address of an admin like you@example.org. \(Self.lines)"
            case .refused(.password):
                "The second line holds a character that no password may hold, like a control character. \(Self.lines)"
            case .unusable(let fault): "\(fault.clause) \(Self.lines)"
            case .failed(let file, let reason): "\(file) can't be written: \(reason)."
            }
        }

        /// What stands in the lines is not repeated: one too many or too few, and it is the password.
        private static let lines =
            "Without a terminal the lines are the bot's address, its password and the admins; nothing was written."

        private static func advice(_ lacking: [String]) -> String {
            guard !lacking.isEmpty else { return "" }
            let roles = InitDialog.roles(lacking, "[\"you@example.org\"]")
            return ". The bot starts once somebody has the \(lacking.count == 1 ? "role" : "roles") "
                + "\(lacking.joined(separator: ", ")): add \"roles\": \(roles) to the file"
        }
    }

    /// Asks only if there is a place to write to; `roles` are those that the bot's code names.
    package static func run(
        bot: String, file: String?, roles: [String] = [], surroundings: any Surroundings, prompter: inout some Prompter
    ) -> Outcome {
        guard let file = file ?? StandardPaths(bot: bot, surroundings: surroundings).ownConfiguration else {
            return .noPlace
        }
        if SystemFile.exists(file) { return .exists(file) }
        return ask(file, roles, &prompter)
    }

    /// The same where nobody can be asked: the answers are three lines.
    package static func run(
        bot: String, file: String?, roles: [String] = [], surroundings: any Surroundings,
        input: () -> Result<[UInt8], FileTrouble>
    ) -> Outcome {
        guard let file = file ?? StandardPaths(bot: bot, surroundings: surroundings).ownConfiguration else {
            return .noPlace
        }
        if SystemFile.exists(file) { return .exists(file) }
        switch InitInput.read(input()) {
        case .failure(let fault): return .unusable(fault)
        case .success(let lines):
            var lines = InitLines(lines)
            return ask(file, roles, &lines)
        }
    }

    private static func ask(_ file: String, _ roles: [String], _ prompter: inout some Prompter) -> Outcome {
        let answers: InitDialog.Answers
        do throws(InitDialog.Failure) {
            answers = try InitDialog.run(&prompter)
        } catch {
            switch error {
            case .gaveUp: return .gaveUp
            case .refused(let question): return .refused(question)
            }
        }
        let text = InitDialog.text(answers, roles: roles, passwordFile: StandardPaths.passwordFile(besides: file))
        let lacking = answers.admins.isEmpty ? roles : []
        switch SystemFile.create(file, Array(text.utf8)) {
        case .success:
            return answers.password == nil
                ? .writtenWithoutPassword(file, lacking: lacking) : .written(file, lacking: lacking)
        case .failure(let trouble): return .failed(file, reason: trouble.phrase)
        }
    }
}
