internal import BellhopXMPP

/// A message that may run something, from its admission to its end.
struct Job {
    let row: RowID
    let message: IncomingMessage
    /// The full address that wrote.
    let sender: JID
    /// The bare address; its conversation's name.
    let peer: JID
    /// Nil for a message without a body, which only `OnMessage` hears.
    let text: String?
}

/// What runs from a message.
enum Work {
    case command(Command, arguments: String)
    case otherwise(Otherwise, text: String)
    case payload(OnMessage)

    var handler: Handler {
        switch self {
        case .command(let command, _): command.handler
        case .otherwise(let part, _): part.handler
        case .payload(let part): part.handler
        }
    }

    var rules: RunRules {
        switch self {
        case .command(let command, _): command.rules
        case .otherwise(let part, _): part.rules
        case .payload(let part): part.rules
        }
    }

    var arguments: String {
        switch self {
        case .command(_, let arguments): arguments
        case .otherwise(_, let text): text
        case .payload: ""
        }
    }

    /// What the log calls it.
    var name: String {
        switch self {
        case .command(let command, _): command.name
        case .otherwise: "Otherwise"
        case .payload: "OnMessage"
        }
    }
}

/// A handler that runs, or is about to, in a task.
struct Run {
    let job: Job
    let work: Work
    let deadline: Duration
    /// Nil until the turn that wrote `started` is committed.
    var task: Task<Void, Never>?
    var replies = 0
}
