internal import BellhopBot
internal import BellhopDiagnostics

/// `check`: says whether the configuration is right, and with `--online` whether it works.
extension BotProgram {
    func check(_ invocation: Invocation, online: Bool) -> ExitCode {
        switch load(invocation) {
        case .failure(let report): return refuse(report)
        case .success(let loaded):
            let configuration = loaded.configuration
            let log = errandLog(invocation, configuration)
            guard isRight(configuration.equipped(bot, log: log), prefix: configuration.commands.prefix) else {
                return .configuration
            }
            for note in loaded.notes { complain(note) }
            guard invocation.verbosity != .quiet || online else { return .success }
            let said = say(ConfigurationSummary.text(loaded) + "The configuration is right.\n")
            return online && said == .success ? tryOut(loaded.configuration, invocation) : said
        }
    }

    private func tryOut(_ configuration: Configuration, _ invocation: Invocation) -> ExitCode {
        let check = OnlineCheck(configuration: configuration, log: errandLog(invocation, configuration)) { step in
            _ = say(ErrandPhrases.step(step))
        }
        let outcome = check.run()
        if let trouble = ErrandPhrases.trouble(outcome) {
            complain(trouble)
        } else {
            _ = say(ErrandPhrases.works)
        }
        return outcome.exitCode
    }
}
