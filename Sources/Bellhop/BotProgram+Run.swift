internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopTransport

/// `run`: the bot itself.
extension BotProgram {
    func start(_ invocation: Invocation) -> ExitCode {
        withLoaded(invocation) { start($0, log: $1, level: invocation.verbosity?.level, registration: nil) }
    }

    func start(
        _ loaded: LoadedConfiguration, log: Log, level: LogLevel?, registration: AccountRegistration?
    ) -> ExitCode {
        if LocalConnection.ownUser == 0 { log.warning("root", ServicePhrases.runsAsRoot(bot: name)) }
        let source = ConfigurationSource(loaded, loader: loader(), level: level)
        let run = BotRun(
            bot: bot, configuration: loaded.configuration, program: name, log: log, source: source,
            service: ServiceLink(surroundings, process: SystemProcess.number), registration: registration)
        return run.run()
    }
}
