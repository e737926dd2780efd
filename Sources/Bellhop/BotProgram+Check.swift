internal import BellhopBot

/// `check`: says whether the configuration is right.
extension BotProgram {
    func check(_ invocation: Invocation, online: Bool) -> ExitCode {
        switch load(invocation) {
        case .failure(let report):
            for line in report.lines { complain(line) }
            return .configuration
        case .success(let loaded):
            let problems = bot.problems(prefix: loaded.configuration.commands.prefix)
            for problem in problems { complain(problem.description) }
            guard problems.isEmpty else { return .configuration }
            return say(ConfigurationSummary.text(loaded) + "The configuration is right.\n")
        }
    }
}
