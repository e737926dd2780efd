internal import BellhopDiagnostics
internal import BellhopTransport

/// `run`: the bot itself.
extension BotProgram {
    func start(_ invocation: Invocation) -> ExitCode {
        withLoaded(invocation) { loaded, log in
            if LocalConnection.ownUser == 0 { log.warning("root", ServicePhrases.runsAsRoot(bot: name)) }
            let source = ConfigurationSource(loaded, loader: loader(), level: invocation.verbosity?.level)
            let run = BotRun(
                bot: bot, configuration: loaded.configuration, program: name, log: log, source: source,
                service: ServiceLink(surroundings, process: SystemProcess.number))
            return run.run()
        }
    }
}
