internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopJournal
internal import BellhopTransport

/// `doctor`: what of everything that the bot needs works, what will be missing, and what to do.
extension BotProgram {
    func doctor(_ invocation: Invocation, json: Bool) -> ExitCode {
        var findings: [Finding] = []
        var code: ExitCode?
        var said = ExitCode.success
        examine(invocation) { fact in
            let finding = DoctorPhrases.finding(fact)
            findings.append(finding)
            code = code ?? fact.exitCode
            guard said == .success, invocation.verbosity != .quiet || finding.isTrouble else { return }
            said = say(json ? DoctorTable.json(finding) : DoctorTable.text(finding))
        }
        guard said == .success else { return said }
        if !json, invocation.verbosity != .quiet { said = say(DoctorPhrases.summary(findings) + "\n") }
        guard said == .success else { return said }
        return code ?? (findings.contains { $0.verdict == .degraded } ? .denied : .success)
    }

    private func examine(_ invocation: Invocation, _ tell: (DoctorFact) -> Void) {
        switch load(invocation) {
        case .success(let loaded):
            let configuration = loaded.configuration
            let problems = configuration.equipped(bot, log: .silent).problems(prefix: configuration.commands.prefix)
            for problem in problems { tell(.configurationWrong(line: problem.description)) }
            if problems.isEmpty { tell(.configurationRight(origin: loaded.origin.description)) }
            examine(loaded, running: running(configuration), canLogIn: true, invocation, tell)
        case .failure(let report):
            guard case .success(let loaded) = load(invocation, needsPassword: false) else {
                for line in report.lines { tell(.configurationWrong(line: line)) }
                return
            }
            let running = running(loaded.configuration)
            var runs = false
            if case .botRuns = running { runs = true }
            for (line, problem) in zip(report.lines, report.problems) {
                tell(.secretMissing(line: line, botRuns: runs, isUnmade: problem.isPasswordNotMade))
            }
            examine(loaded, running: running, canLogIn: false, invocation, tell)
        }
    }

    private func examine(
        _ loaded: LoadedConfiguration, running: DoctorFact, canLogIn: Bool, _ invocation: Invocation,
        _ tell: (DoctorFact) -> Void
    ) {
        for note in loaded.notes { tell(.configurationNote(note)) }
        tell(running)
        withoutActuallyEscaping(tell) { tell in
            DoctorRun(
                configuration: loaded.configuration, canLogIn: canLogIn,
                log: errandLog(invocation, loaded.configuration), tell: tell
            ).run()
        }
    }

    /// Whether a bot runs with this journal, and how it is.
    private func running(_ configuration: Configuration) -> DoctorFact {
        let journal = configuration.journal.path
        return
            switch ControlClient.ask(
                .status, for: configuration.account.jid, at: ControlServer.path(journal: journal))
        {
        case .answered(.status(let status)): .botRuns(status)
        case .answered(.failed(let failure)): .botUnreachable(reason: ErrandPhrases.sentence(failure))
        case .answered, .nobody: .botDoesNotRun
        case .failed(.timedOut):
            .botUnreachable(
                reason: ErrandPhrases.silent(JournalClaim.holder(journal: journal), mayHappen: false))
        case .failed(let fault): .botUnreachable(reason: ErrandPhrases.sentence(fault, bot: name))
        }
    }
}

extension Finding {
    /// Whether there is something to do.
    fileprivate var isTrouble: Bool { verdict == .failed || verdict == .degraded }
}
