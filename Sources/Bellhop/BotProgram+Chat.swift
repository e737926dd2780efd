internal import BellhopDiagnostics
internal import BellhopXMPP

/// `chat`: the bot in the terminal.
extension BotProgram {
    func chat(_ invocation: Invocation, as person: JID?) -> ExitCode {
        var configuration: Configuration?
        // Only one that was named: without it the chat has to work whatever lies around.
        if invocation.configuration != nil {
            let loader = ConfigurationLoader(bot: name, surroundings: surroundings, needsPassword: false)
            switch loader.load(file: invocation.configuration) {
            case .failure(let report):
                for line in report.lines { complain(line) }
                return .configuration
            case .success(let loaded): configuration = loaded.configuration
            }
        }
        guard declarationIsRight(prefix: configuration?.commands.prefix ?? "!") else { return .configuration }
        let log = makeLog(invocation, level: .warning, format: .text)
        return TerminalSession(bot: bot, program: name, configuration: configuration, person: person, log: log).run()
    }
}
