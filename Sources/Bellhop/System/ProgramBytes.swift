/// Takes what a program prints as it is.
struct ProgramBytes: ProgramSink {
    private(set) var bytes: [UInt8] = []

    var nextDeadline: ContinuousClock.Instant? { nil }

    mutating func received(output more: ArraySlice<UInt8>) { bytes += more }
    mutating func received(errors more: ArraySlice<UInt8>) {}
    mutating func reachedDeadline() {}

    /// Runs a program whose input is empty and whose errors go where ours go, and returns its output when it ended with
    /// exit code 0. Blocks.
    static func output(
        of arguments: [String], timeLimit: Duration, sizeLimit: Int
    ) -> Result<[UInt8], ConfigurationProblem.CommandFailure> {
        var call = ProgramCall(arguments, timeLimit: timeLimit, outputLimit: sizeLimit)
        call.errors = .inherited
        call.grace = .milliseconds(500)
        guard let run = ProgramRun(call) else { return .failure(.notStarted(reason: "too many open files")) }
        var sink = ProgramBytes()
        switch run.run(&sink).ending {
        case .exited(0): return .success(sink.bytes)
        case .exited(let code): return .failure(.exit(code))
        case .signalled(let number): return .failure(.signal(number))
        case .timedOut, .cancelled: return .failure(.timedOut(timeLimit))
        case .outputLimit: return .failure(.tooMuchOutput(limit: sizeLimit))
        case .notStarted(let failure): return .failure(.notStarted(reason: ProgramPhrases.reason(failure)))
        }
    }
}
