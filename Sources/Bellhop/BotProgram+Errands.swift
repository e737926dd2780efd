internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopXMPP

/// `send`, `roster`, `requests` and `log fetch`.
extension BotProgram {
    func send(_ invocation: Invocation, to jid: JID, text: String?) -> ExitCode {
        let message: String
        switch text.map(Result.success) ?? standardInput() {
        case .success(let text): message = text
        case .failure(let problem): return refuse(problem.sentence)
        }
        guard !message.isEmpty else { return refuse(UsageError.emptyText.sentence(bot: name)) }
        guard message.utf8.count <= ControlRequest.textLimit else {
            return refuse(ErrandPhrases.textTooLong(limit: ControlRequest.textLimit))
        }
        return errand(invocation, .send(to: jid, text: message)) { _ in .success }
    }

    func roster(_ invocation: Invocation, _ verb: Invocation.RosterVerb) -> ExitCode {
        switch verb {
        case .list(let json):
            return errand(invocation, .listRoster) { answer in
                guard case .roster(let rows) = answer else { return .success }
                if rows.contains(where: { $0.online == nil }) { complain(ErrandPhrases.presenceUnknown(bot: name)) }
                return say(json ? RosterTable.json(rows) : RosterTable.text(rows))
            }
        case .add(let jid, let contact, let groups):
            return errand(invocation, .addContact(jid, name: contact, groups: groups)) { _ in
                say(ErrandPhrases.added(jid))
            }
        case .remove(let jid):
            return errand(invocation, .removeContact(jid)) { _ in say(ErrandPhrases.removed(jid)) }
        }
    }

    func requests(_ invocation: Invocation, _ verb: Invocation.RequestsVerb) -> ExitCode {
        switch verb {
        case .list(let json):
            return errand(invocation, .listRequests) { answer in
                guard case .requests(let rows) = answer else { return .success }
                return say(
                    json
                        ? RequestsTable.json(rows)
                        : RequestsTable.text(rows) { WallClock.localOffset(atMilliseconds: $0.milliseconds) })
            }
        case .accept(let choice): return answer(invocation, choice, accepting: true)
        case .deny(let choice): return answer(invocation, choice, accepting: false)
        case .dryRun(let file): return dryRun(invocation, file: file)
        }
    }

    func fetch(_ invocation: Invocation, _ person: JID, since age: Duration, json: Bool) -> ExitCode {
        errand(invocation, .fetch(person, since: age)) { answer in
            guard case .fetched(let new, let known, let isWhole) = answer else { return .success }
            return say(
                json
                    ? ErrandPhrases.fetchedJSON(person, new: new, known: known, isWhole: isWhole)
                    : ErrandPhrases.fetched(person, new: new, known: known, isWhole: isWhole))
        }
    }

    private func answer(
        _ invocation: Invocation, _ choice: Invocation.RequestChoice, accepting: Bool
    ) -> ExitCode {
        errand(invocation, .answerRequests(choice, accepting: accepting)) { answer in
            guard case .answeredRequests(let rows, let accepted) = answer else { return .success }
            return say(ErrandPhrases.answered(rows, accepted: accepted))
        }
    }

    func errand(
        _ invocation: Invocation, _ request: ControlRequest, _ done: (ControlAnswer) -> ExitCode
    ) -> ExitCode {
        if let outcome = besideRunningBot(invocation, request) { return finish(outcome, done) }
        return withConfiguration(invocation) { configuration, _ in
            let errand = Errand(
                configuration: configuration, program: name, log: errandLog(invocation, configuration))
            return finish(errand.run(request), done)
        }
    }

    /// The password of a service is out of reach for a command line, and the bot that runs has it already.
    private func besideRunningBot(_ invocation: Invocation, _ request: ControlRequest) -> ErrandOutcome? {
        let loader = ConfigurationLoader(bot: name, surroundings: surroundings, needsPassword: false)
        switch loader.load(file: invocation.configuration) {
        case .failure(let report): return besideRunningBot(request, despite: report)
        case .success(let loaded):
            let log = errandLog(invocation, loaded.configuration)
            return Errand(configuration: loaded.configuration, program: name, log: log).beside(request)
        }
    }

    /// A bot goes on with what it has read when its configuration is broken. Nil where none is found: what is wrong is said by
    /// whoever needs all of it.
    func besideRunningBot(_ request: ControlRequest, despite report: ConfigurationReport) -> ErrandOutcome? {
        let beside = report.journal.flatMap({ Errand.beside(request, journal: $0, account: report.account) })
        guard let outcome = beside else { return nil }
        complain(ErrandPhrases.onlyJournalRead(report, bot: name, account: report.account))
        return outcome
    }

    private func finish(_ outcome: ErrandOutcome, _ done: (ControlAnswer) -> ExitCode) -> ExitCode {
        if let trouble = ErrandPhrases.trouble(outcome, bot: name) { complain(trouble) }
        guard case .answered(let answer) = outcome, outcome.exitCode == .success else { return outcome.exitCode }
        return done(answer)
    }

    private func dryRun(_ invocation: Invocation, file: String) -> ExitCode {
        withConfiguration(invocation) { configuration, _ in
            // A list of a million addresses is longer than anybody has use for.
            let limit = 67_108_864
            switch file == "-" ? SystemFile.readStandardInput(limit: limit) : SystemFile.read(file, limit: limit) {
            case .failure(let trouble):
                complain(ErrandPhrases.unreadable(file, trouble.phrase))
                return .inputOutput
            case .success(let contents):
                let run = DryRun(
                    String(decoding: contents.bytes, as: UTF8.self), file: file == "-" ? "standard input" : file,
                    policy: configuration.deskSettings(program: name).policy)
                guard say(run.output) == .success else { return .inputOutput }
                for problem in run.problems { complain(problem) }
                return run.problems.isEmpty ? .success : .inputOutput
            }
        }
    }

    /// Without `-v` the log is silent: what there is to say is said in one sentence at the end.
    func errandLog(_ invocation: Invocation, _ configuration: Configuration) -> Log {
        switch invocation.verbosity {
        case .verbose, .trace: makeLog(invocation, level: .debug, format: configuration.diagnostics.format)
        case .quiet, nil: .silent
        }
    }

    // MARK: The text

    private enum InputProblem: Error {
        case unreadable(FileTrouble)
        case notText

        var sentence: String {
            switch self {
            case .unreadable(let trouble): ErrandPhrases.unreadable("standard input", trouble.phrase)
            case .notText: ErrandPhrases.notText
            }
        }
    }

    /// All of standard input, without the newline at its end that programs write and nobody means.
    private func standardInput() -> Result<String, InputProblem> {
        switch SystemFile.readStandardInput(limit: ControlRequest.textLimit + 1) {
        case .failure(let trouble): return .failure(.unreadable(trouble))
        case .success(let contents):
            guard var text = String(validating: contents.bytes, as: UTF8.self) else { return .failure(.notText) }
            if text.last?.isNewline == true { text.removeLast() }
            return .success(text)
        }
    }

    func refuse(_ sentence: String) -> ExitCode {
        complain(sentence)
        return .usage
    }
}
