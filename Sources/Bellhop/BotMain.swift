public import BellhopBot
internal import BellhopDiagnostics
internal import Glibc

/// A program that is one bot; `@main` on it gives the program the command line that every bot shares.
public protocol BotMain {
    static var bot: Bot { get }
}

extension BotMain {
    /// Reads the command line, does what it asks and ends the process with an exit code.
    public static func main() {
        let code = BotProgram(bot: bot, arguments: CommandLine.arguments).run()
        LiveSessions.endAll()
        exit(code.rawValue)
    }
}
