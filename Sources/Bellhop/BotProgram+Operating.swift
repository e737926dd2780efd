internal import BellhopDiagnostics
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXMPP

/// `status`, `pause`, `resume` and `login reset`.
extension BotProgram {
    func status(_ invocation: Invocation, json: Bool) -> ExitCode {
        operate(invocation, .status) { outcome in
            switch outcome {
            case .answered(.status(let status)):
                let text =
                    json
                    ? status.json
                    : StatusText.text(status) { WallClock.localOffset(atMilliseconds: $0.milliseconds) }
                let said = say(text + "\n")
                guard said == .success, status.connection != .online else { return said }
                return .unavailable
            case .notRunning(let socket) where json:
                let said = say(ErrandPhrases.notRunningJSON(socket: socket) + "\n")
                return said == .success ? outcome.exitCode : said
            default: return nil
            }
        }
    }

    func pause(_ invocation: Invocation) -> ExitCode {
        operate(invocation, .pause) { outcome in
            guard case .answered(.paused(let since, let by, let isNew)) = outcome else { return nil }
            let offset = WallClock.localOffset(atMilliseconds: since.milliseconds)
            return say(isNew ? ErrandPhrases.paused : ErrandPhrases.alreadyPaused(since, by: by, offset: offset))
        }
    }

    func resume(_ invocation: Invocation) -> ExitCode {
        operate(invocation, .resume) { outcome in
            switch outcome {
            case .answered(.resumed(let run, let late)): return say(ErrandPhrases.resumed(run: run, late: late))
            case .answered(.notPaused): return say(ErrandPhrases.notPaused)
            default: return nil
            }
        }
    }

    func resetLogin(_ invocation: Invocation) -> ExitCode {
        operate(invocation, .resetLogin) { outcome in
            guard case .answered(.resetLogin(let mechanism)) = outcome else { return nil }
            return say(ErrandPhrases.resetLogin(mechanism))
        }
    }

    /// Asks the running bot, for which nobody needs a password; `done` says what came of it, nil where that is trouble.
    func operate(
        _ invocation: Invocation, _ request: ControlRequest, _ done: (ErrandOutcome) -> ExitCode?
    ) -> ExitCode {
        let loader = ConfigurationLoader(bot: name, surroundings: surroundings, needsPassword: false)
        var outcome: ErrandOutcome
        let journal: String?
        switch loader.load(file: invocation.configuration) {
        case .success(let loaded):
            let log = errandLog(invocation, loaded.configuration)
            journal = loaded.configuration.journal.path
            outcome = Errand(configuration: loaded.configuration, program: name, log: log).run(request)
        case .failure(let report):
            guard let beside = besideRunningBot(request, despite: report) else { return refuse(report) }
            journal = report.journal
            outcome = beside
        }
        // None of these asks the server, so it is the bot that did not answer.
        if case .answered(.failed(.noAnswer)) = outcome {
            outcome = .silent(
                process: journal.flatMap { JournalClaim.holder(journal: $0) }, mayHappen: !request.onlyLooks)
        }
        if let code = done(outcome) { return code }
        if let trouble = ErrandPhrases.trouble(outcome, bot: name) { complain(trouble) }
        return outcome.exitCode
    }
}
