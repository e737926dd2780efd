internal import BellhopBot
internal import BellhopDiagnostics
internal import Glibc

/// What a bot's process does with its command line.
struct BotProgram {
    let bot: Bot
    let arguments: [String]

    func run() -> ExitCode {
        let log = Log(level: .info, sink: StandardErrorSink(format: .text, journalStream: nil))
        switch ConfigurationLoader(bot: "echobot", surroundings: SystemSurroundings()).load(file: arguments.last) {
        case .failure(let report):
            for line in report.lines { log.error("configuration", line) }
            return .configuration
        case .success(let loaded):
            return BotRun(bot: bot, configuration: loaded.configuration, program: "echobot", log: log).run()
        }
    }
}
