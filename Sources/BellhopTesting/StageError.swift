internal import BellhopTestServer

/// Why a stage cannot go on; `description` is a sentence for the bot's author.
public enum StageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The bot's declaration or the stage's configuration is wrong: one line for each mistake.
    case mistakes([String])
    /// What was waited for did not come; what there was instead, and what the bot logged last.
    case missing(String, because: String, instead: [String], log: [String])
    /// The bot does not run, so this cannot be done.
    case notRunning(String)
    case runsAlready
    /// No such name can be a person's.
    case noName(String)
    /// The machine does not give what the stage needs.
    case machine(String)

    public var description: String { StagePhrases.sentence(self) }

    init(_ failure: TestServerFailure, log: [String]) {
        let reason =
            switch failure.reason {
            case .impatient(let patience): StagePhrases.impatient(patience)
            case .ended(let reason), .wrong(let reason): reason
            case .cancelled: StagePhrases.cancelled
            }
        self = .missing(failure.wanted, because: reason, instead: failure.instead, log: log)
    }
}
