import Bellhop

/// Why a command has no answer, in sentences for the person who asked.
enum OpsFailure {
    static func unreadable(_ path: String, _ trouble: SmallFile.Trouble) -> Failure {
        Failure("\(path) can't be read: \(trouble).")
    }

    static func notUnderstood(_ path: String) -> Failure {
        Failure("\(path) is not as I know it; this machine's kernel may be newer or other than those I was made for.")
    }

    /// What became of a program that was to answer.
    static func program(_ name: String, _ result: ProgramResult, _ limit: Duration) -> Failure {
        let said = result.errors.isEmpty ? result.lines.suffix(3) : result.errors.suffix(3)
        let words = said.isEmpty ? "" : ": \(said.joined(separator: " "))"
        switch result.outcome {
        case .exited(let code): return Failure("\(name) failed with exit code \(code)\(words.isEmpty ? "." : words)")
        case .signalled(let signal): return Failure("\(name) was ended by \(signal).")
        case .timedOut: return Failure("\(name) did not answer within \(limit.components.seconds) seconds.")
        case .tooMuchOutput: return Failure("\(name) printed more than I can read.")
        case .cancelled: return Failure("\(name) was cancelled.")
        case .noTurn: return Failure("Too many programs run at the moment; please try again later.")
        case .missing: return Failure(missing(name))
        case .notStarted(let reason): return Failure("\(name) could not be started: \(reason).")
        }
    }

    private static func missing(_ name: String) -> String {
        switch name {
        case "systemctl", "journalctl": "There is no \(name) on this machine; units need systemd."
        case "curl":
            "There is no curl on this machine, so I can only try ports: reach HOST:PORT. To try URLs, install curl."
        default: "There is no \(name) on this machine."
        }
    }
}
