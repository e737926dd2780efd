/// `init`: asks, and writes a configuration that was not there before.
package enum InitCommand {
    package enum Outcome: Equatable, Sendable {
        /// Mode 0600, in that file.
        case written(String)
        /// The same, and `register` is to make the password.
        case writtenWithoutPassword(String)
        case exists(String)
        case noPlace
        case gaveUp
        case failed(String, reason: String)

        package var exitCode: ExitCode {
            switch self {
            case .written, .writtenWithoutPassword: .success
            case .exists, .failed: .cannotCreate
            case .noPlace, .gaveUp: .configuration
            }
        }

        /// What a person reads; `bot` is the program's name.
        package func sentence(bot: String) -> String {
            switch self {
            case .written(let file):
                """
                Wrote \(file) (readable by you alone). Next: \(bot) check --online --config \(ShellWord.quoted(file)) \
                (an account that is not there yet is made with: \(bot) register --config \(ShellWord.quoted(file)))
                """
            case .writtenWithoutPassword(let file):
                """
                Wrote \(file) (readable by you alone). Next: \(bot) register --config \(ShellWord.quoted(file)), which makes \
                the password and the account
                """
            case .exists(let file): "\(file) is there already and was left as it is; name another file with --config."
            case .noPlace: "There is no home directory to write to; name a file with --config."
            case .gaveUp: "Nothing was written, since the answers were not complete."
            case .failed(let file, let reason): "\(file) can't be written: \(reason)."
            }
        }
    }

    /// Asks only if there is a place to write to.
    package static func run(
        bot: String, file: String?, surroundings: any Surroundings, prompter: inout some Prompter
    ) -> Outcome {
        guard let file = file ?? StandardPaths(bot: bot, surroundings: surroundings).ownConfiguration else {
            return .noPlace
        }
        if SystemFile.exists(file) { return .exists(file) }
        guard let answers = InitDialog.run(&prompter) else { return .gaveUp }
        let text = InitDialog.text(answers, passwordFile: StandardPaths.passwordFile(besides: file))
        switch SystemFile.create(file, Array(text.utf8)) {
        case .success: return answers.password == nil ? .writtenWithoutPassword(file) : .written(file)
        case .failure(let trouble): return .failed(file, reason: trouble.phrase)
        }
    }
}
