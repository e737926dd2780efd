internal import BellhopBot
internal import BellhopDiagnostics

extension Configuration {
    /// The bot with the commands that the configuration declares.
    ///
    /// - Parameter runner: Who runs their programs, where one that is at work goes on; nil for a new one.
    func equipped(_ bot: Bot, log: Log, runner: ProgramRunner? = nil) -> Bot {
        guard !commands.list.isEmpty else { return bot }
        let runner = runner ?? ProgramRunner(atOnce: commands.programsAtOnce)
        let surroundings = SystemSurroundings()
        var inherited = ["PATH": ProgramSearch.standardPath]
        for name in ["PATH", "HOME", "LANG"] {
            if let value = surroundings.variable(name), !value.isEmpty { inherited[name] = value }
        }
        return bot.adding(
            commands.list.enumerated().map { place, declared in
                command(
                    declared,
                    at: "commands.list[\(place)]",
                    ProgramHandler(
                        command: declared, timeLimit: declared.timeLimit ?? commands.timeout, runner: runner,
                        inherited: inherited, log: log))
            })
    }

    private func command(_ declared: ProgramCommand, at path: String, _ handler: ProgramHandler) -> Command {
        var command = Command(
            declared.name, declared.help, arguments: declared.arguments.map(\.description)
        ) { context, values in
            try await handler.run(context, values)
        }
        .within(handler.deskLimit).declared(at: path)
        if let roles = declared.roles { command = command.allow(roles) } else { command = command.open() }
        if declared.isIdempotent { command = command.idempotent() }
        return declared.isConfirmed ? command.confirmed() : command
    }
}
