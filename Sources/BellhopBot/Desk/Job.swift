internal import BellhopXMPP

/// A message that may run something, from its admission to its end.
///
/// A class, because a message holds twenty references and is handed on through many calls.
final class Job: Sendable {
    let row: RowID
    let message: IncomingMessage
    /// The full address that wrote.
    let sender: JID
    /// The bare address; its conversation's name.
    let peer: JID

    init(row: RowID, message: IncomingMessage, sender: JID, peer: JID) {
        self.row = row
        self.message = message
        self.sender = sender
        self.peer = peer
    }

    /// Nil for a message without a body, which only `OnMessage` hears.
    var text: String? { message.text }
}

/// Something of the bot that can run from a message: a command, `Otherwise` or `OnMessage`.
final class Runnable: Sendable {
    let handler: Handler
    let rules: RunRules
    /// What the log calls it.
    let name: String
    /// How it is typed; nil for what is no command.
    let usage: String?
    /// What it reads from the text behind its name.
    let arguments: [ArgumentDescription]
    /// Who may run it, by the code and the configuration.
    let policy: AccessPolicy
    /// Whether everybody may run it, so that no decision is made and nothing audited.
    let isOpen: Bool
    /// Whether it runs without a decision and without a question.
    let isPlain: Bool

    init(
        _ handler: Handler, _ rules: RunRules, name: String, policy: AccessPolicy, usage: String? = nil,
        arguments: [ArgumentDescription] = []
    ) {
        self.handler = handler
        self.rules = rules
        self.name = name
        self.usage = usage
        self.arguments = arguments
        self.policy = policy
        isOpen = policy.isOpen
        isPlain = policy.isOpen && rules.confirmation == nil
    }
}

/// What runs from a message, and with which text.
struct Work {
    let runnable: Runnable
    let arguments: String
}

/// A handler that runs, or is about to, in a task.
struct Run {
    let job: Job
    let work: Work
    let startedAt: Duration
    var deadline: Duration
    /// Nil until the turn that wrote `started` is committed.
    var task: Task<Void, Never>?
    var replies = 0
}
