/// The code behind a command, with its argument types erased.
enum Handler: Sendable {
    /// Can be called directly on the loop's thread.
    case immediate(@Sendable (Context) throws -> String?)
    /// Needs a task.
    case suspending(@Sendable (Context) async throws -> String?)
}

/// How a handler may be run, and for whom; the same for everything that runs from a message.
struct RunRules: Sendable, Equatable {
    /// Whether everybody may run it; else only admins, and those who have one of `roles`.
    var isOpen = false
    var roles: [Role] = []
    /// How long it waits for the person's yes before it runs; nil runs at once.
    var confirmation: Duration?
    /// How long it may run; nil for as long as the settings say.
    var timeLimit: Duration?
    /// Whether it promises to be quick and runs on the loop's own thread; implies `isIdempotent`.
    var isInline = false
    /// Whether it may simply run again when the bot was restarted while it ran.
    var isIdempotent = false
}
