/// What came of a program.
public struct ProgramResult: Sendable, Equatable {
    public var outcome: Outcome
    /// What it printed, line by line, UTF-8 repaired and without control characters.
    public var lines: [String]
    /// The last lines of its standard error.
    public var errors: [String]

    public init(_ outcome: Outcome, lines: [String] = [], errors: [String] = []) {
        self.outcome = outcome
        self.lines = lines
        self.errors = errors
    }

    /// How it ended.
    public enum Outcome: Sendable, Equatable {
        /// By itself, with this exit code.
        case exited(Int)
        /// By a signal, like `SIGKILL`.
        case signalled(String)
        case timedOut
        case tooMuchOutput
        case cancelled
        /// Others ran all the time, so it never began.
        case noTurn
        /// There is no such program.
        case missing
        /// There is one that cannot be run; continues "it could not be started: ".
        case notStarted(String)
    }
}

extension ProgramResult.Outcome {
    init(_ ending: ProgramEnding) {
        self =
            switch ending {
            case .exited(let code): .exited(Int(code))
            case .signalled(let number): .signalled(ProgramPhrases.signal(number))
            case .timedOut: .timedOut
            case .outputLimit: .tooMuchOutput
            case .cancelled: .cancelled
            case .notStarted(.notFound): .missing
            case .notStarted(let failure): .notStarted(ProgramPhrases.reason(failure))
            }
    }
}
