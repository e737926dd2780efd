internal import Synchronization

/// Runs programs for handlers.
public enum Program {
    /// Programs of handlers that run at once; the others wait in line.
    private static let runner = ProgramRunner(atOnce: 8)

    /// Runs a program for what it prints, and returns when it and everybody in its session has ended.
    ///
    /// The first argument is the program, as a path with a slash or a name that is looked for along `PATH`. No shell is
    /// involved, the input is empty, and of the environment only `PATH` and `HOME` are handed on, beside `LANG=C.UTF-8`.
    /// Cancelling the task stops it, as does more output than `outputLimit` in bytes.
    public static func run(
        _ arguments: [String], timeLimit: Duration = .seconds(10), outputLimit: Int = 262_144
    ) async -> ProgramResult {
        var call = ProgramCall(arguments, timeLimit: timeLimit, outputLimit: outputLimit)
        let surroundings = SystemSurroundings()
        call.environment = ["LANG": "C.UTF-8", "PATH": surroundings.variable("PATH") ?? ProgramSearch.standardPath]
        call.environment?["HOME"] = surroundings.variable("HOME")
        let heard = Lines()
        let report = await runner.run(call) { lines in heard.add(lines) }
        guard let report else { return ProgramResult(.noTurn) }
        return ProgramResult(
            ProgramResult.Outcome(report.ending), lines: heard.all + report.rest, errors: report.errors)
    }

    /// What was handed on while the program ran.
    private final class Lines: Sendable {
        private let stored = Mutex<[String]>([])

        func add(_ lines: [String]) { stored.withLock { $0 += lines } }
        var all: [String] { stored.withLock { $0 } }
    }
}
