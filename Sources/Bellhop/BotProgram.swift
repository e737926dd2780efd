internal import BellhopBot
internal import BellhopDiagnostics

/// What a bot's process does with its command line.
struct BotProgram {
    let bot: Bot
    /// The program's name, like `echobot`, which its files have, too.
    let name: String
    let arguments: [String]
    let surroundings = SystemSurroundings()

    init(bot: Bot, arguments: [String]) {
        self.bot = bot
        name = arguments.first?.split(separator: "/").last.map(String.init) ?? "bot"
        self.arguments = Array(arguments.dropFirst())
    }

    func run() -> ExitCode {
        switch Invocation.parse(arguments) {
        case .failure(let error):
            complain(error.sentence(bot: name))
            return .usage
        case .success(let invocation): return run(invocation)
        }
    }

    private func run(_ invocation: Invocation) -> ExitCode {
        switch invocation.verb {
        case .help(nil): return say(CommandHelp.overview(bot: name))
        case .help(let command?): return say(CommandHelp.about(command).text(bot: name))
        case .version: return say("\(name) \(Version.current)\n")
        case .initialise: return initialise(invocation)
        case .chat(let person): return chat(invocation, as: person)
        case .check(let online): return check(invocation, online: online)
        case .doctor(let json): return doctor(invocation, json: json)
        case .log(let verb): return read(verb, invocation)
        case .run: return start(invocation)
        case .fetch(let person, let age, let json): return fetch(invocation, person, since: age, json: json)
        case .forget(let person): return forget(person, invocation)
        case .backup(let file, let force): return backUp(to: file, force: force, invocation)
        case .restore(let file): return restore(from: file, invocation)
        case .register(let answers, let runs): return register(invocation, answers: answers, runs: runs)
        case .changePassword(let choice): return changePassword(invocation, choice)
        case .unregister(let confirmed): return unregister(invocation, confirmed: confirmed)
        case .why(let jid, let command): return why(invocation, jid, command)
        case .audit(let selection): return audit(invocation, selection)
        case .send(let jid, let text): return send(invocation, to: jid, text: text)
        case .roster(let verb): return roster(invocation, verb)
        case .requests(let verb): return requests(invocation, verb)
        case .outbox(let action): return outbox(invocation, action)
        case .status(let json): return status(invocation, json: json)
        case .pause: return pause(invocation)
        case .resume: return resume(invocation)
        case .resetLogin: return resetLogin(invocation)
        }
    }

    // MARK: What needs no account

    private func initialise(_ invocation: Invocation) -> ExitCode {
        let roles = bot.declaration.roles
        let outcome: InitCommand.Outcome
        if TerminalPrompter.isAtTerminal {
            var prompter = TerminalPrompter()
            outcome = InitCommand.run(
                bot: name, file: invocation.configuration, roles: roles, surroundings: surroundings,
                prompter: &prompter)
        } else {
            outcome = InitCommand.run(
                bot: name, file: invocation.configuration, roles: roles, surroundings: surroundings
            ) { SystemFile.readStandardInput(limit: InitInput.limit).map(\.bytes) }
        }
        complain(outcome.sentence(bot: name))
        return outcome.exitCode
    }

    // MARK: What needs a configuration

    /// Loads the configuration and hands it on with a log as it asks for; 78 with every problem when it is wrong.
    func withConfiguration(_ invocation: Invocation, _ work: (Configuration, Log) -> ExitCode) -> ExitCode {
        withLoaded(invocation) { work($0.configuration, $1) }
    }

    /// The same, for who wants to know where the configuration came from.
    func withLoaded(
        _ invocation: Invocation, needsPassword: Bool = true, makesPassword: Bool = false,
        _ work: (LoadedConfiguration, Log) -> ExitCode
    ) -> ExitCode {
        switch load(invocation, needsPassword: needsPassword, makesPassword: makesPassword) {
        case .failure(let report): return refuse(report)
        case .success(let loaded):
            let configuration = loaded.configuration
            let log = makeLog(
                invocation, level: configuration.diagnostics.level, format: configuration.diagnostics.format)
            for note in loaded.notes { log.warning("configuration", note) }
            guard isRight(configuration.equipped(bot, log: log), prefix: configuration.commands.prefix) else {
                return .configuration
            }
            return work(loaded, log)
        }
    }

    /// Reads configurations for this bot.
    func loader(needsPassword: Bool = true, makesPassword: Bool = false) -> ConfigurationLoader {
        ConfigurationLoader(
            bot: name, surroundings: surroundings, needsPassword: needsPassword, makesPassword: makesPassword,
            declaration: bot.declaration,
            settings: bot.settingsReader)
    }

    func load(
        _ invocation: Invocation, needsPassword: Bool = true, makesPassword: Bool = false
    ) -> Result<LoadedConfiguration, ConfigurationReport> {
        let loaded = loader(needsPassword: needsPassword, makesPassword: makesPassword).load(
            file: invocation.configuration)
        // The folder that nobody chose is made; one that an operator wrote may be a slip of the finger.
        if case .success(let loaded) = loaded,
            loaded.configuration.journal.path == StandardPaths(bot: name, surroundings: surroundings).journal
        {
            SystemFile.makeFolders(above: loaded.configuration.journal.path)
        }
        return loaded
    }

    func makeLog(_ invocation: Invocation, level: LogLevel, format: LogFormat) -> Log {
        let sink = StandardErrorSink(
            format: invocation.logFormat ?? format, journalStream: surroundings.variable("JOURNAL_STREAM"))
        return Log(level: invocation.verbosity?.level ?? level, sink: sink)
    }

    /// Mistakes of the bot's author are said at the start, all of them.
    func isRight(_ bot: Bot, prefix: String) -> Bool {
        let problems = bot.problems(prefix: prefix)
        for problem in problems { complain(problem.description) }
        return problems.isEmpty
    }

    // MARK: Words

    func say(_ text: String) -> ExitCode {
        if StandardStream.output.write(text) { return .success }
        complain("standard output takes nothing; is its file full or its reader gone?")
        return .inputOutput
    }

    func complain(_ sentence: String) { _ = StandardStream.error.write("\(name): \(sentence)\n") }
}
