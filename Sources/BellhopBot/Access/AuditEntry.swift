package import BellhopXMPP

/// One run of something that is not open to everybody, or an attempt at it.
package struct AuditEntry: Sendable, Equatable {
    /// The row of the message that it came from.
    package var row: RowID
    /// Who wrote it, bare.
    package var person: JID
    /// The command's name.
    package var command: String
    /// The message, cut to `typedLimit` characters.
    package var typed: String
    package var at: Timestamp
    /// What let the person in or kept them out, as `AccessRule` describes it.
    package var rule: String
    package var outcome: AuditOutcome
    /// How long it ran; nil while it does, and where nobody knows.
    package var duration: Duration?

    package init(
        row: RowID, person: JID, command: String, typed: String, at: Timestamp, rule: String, outcome: AuditOutcome,
        duration: Duration? = nil
    ) {
        self.row = row
        self.person = person
        self.command = command
        self.typed = String(typed.prefix(Self.typedLimit))
        self.at = at
        self.rule = rule
        self.outcome = outcome
        self.duration = duration
    }

    /// What is kept of a message, in characters.
    package static let typedLimit = 1_000
}

/// What became of a run.
package enum AuditOutcome: Sendable, Equatable {
    /// It waits for the person's yes.
    case waiting
    /// It is at work.
    case started
    case answered
    /// The handler threw; with the code that the person was told, or `usage` where the arguments did not fit.
    case failed(code: String?)
    case timedOut
    /// The bot was stopped while it worked.
    case interrupted
    case denied
    /// Called off before it was done.
    case cancelled

    /// The word for it, which is stored.
    package var word: String {
        switch self {
        case .waiting: "waiting"
        case .started: "started"
        case .answered: "answered"
        case .failed: "failed"
        case .timedOut: "timed out"
        case .interrupted: "interrupted"
        case .denied: "denied"
        case .cancelled: "cancelled"
        }
    }

    package var code: String? {
        guard case .failed(let code) = self else { return nil }
        return code
    }

    /// The outcome of that word; nil for a word that this program does not know.
    package init?(word: String, code: String?) {
        switch word {
        case "waiting": self = .waiting
        case "started": self = .started
        case "answered": self = .answered
        case "failed": self = .failed(code: code)
        case "timed out": self = .timedOut
        case "interrupted": self = .interrupted
        case "denied": self = .denied
        case "cancelled": self = .cancelled
        default: return nil
        }
    }
}
