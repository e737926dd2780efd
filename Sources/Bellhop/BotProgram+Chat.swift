internal import BellhopDiagnostics
internal import BellhopXMPP

/// `chat`: the bot in the terminal.
extension BotProgram {
    func chat(_ invocation: Invocation, as person: JID?) -> ExitCode {
        let log = makeLog(invocation, level: .warning, format: .text)
        let loader = ConfigurationLoader(
            bot: name, surroundings: surroundings, needsPassword: false, needsVariables: true,
            declaration: bot.declaration, settings: bot.settingsReader)
        switch loader.load(file: invocation.configuration) {
        case .success(let loaded):
            for note in loaded.notes { log.warning("configuration", note) }
            return chat(loaded.configuration.equipped(bot, log: log), loaded.configuration, as: person, log)
        case .failure(let report) where report.isAbsence: return chat(bot, nil, as: person, log)
        case .failure(let report):
            for line in report.lines { complain(line) }
            return .configuration
        }
    }

    private func chat(
        _ bot: Bot, _ configuration: Configuration?, as person: JID?, _ log: Log
    ) -> ExitCode {
        guard isRight(bot, prefix: configuration?.commands.prefix ?? "!") else { return .configuration }
        return TerminalSession(bot: bot, program: name, configuration: configuration, person: person, log: log).run()
    }
}
