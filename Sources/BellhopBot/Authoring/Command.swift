/// A command that people send by name, like `!echo hello`.
///
/// It runs only for admins and for the roles that it is allowed to, unless it is `.open()`; the configuration has the last
/// word (`commands.access`).
public struct Command: Sendable {
    package let description: CommandDescription
    let handler: Handler
    var rules = RunRules()

    public var name: String { description.name }
    public var summary: String { description.summary }

    private init(_ name: String, _ summary: String, arguments: [ArgumentDescription], handler: Handler) {
        description = CommandDescription(name: name, summary: summary, arguments: arguments)
        self.handler = handler
    }

    /// Declares a command whose arguments are known at run time; its handler gets one value for each description.
    package init(
        _ name: String, _ summary: String, arguments: [ArgumentDescription],
        run: @escaping @Sendable (Context, [ParsedArgument]) async throws -> String?
    ) {
        self.init(
            name, summary, arguments: arguments,
            handler: .suspending { context in
                var reader = ArgumentReader(context.arguments)
                var values: [ParsedArgument] = []
                for argument in arguments { values.append(try reader.read(argument)) }
                try reader.expectEnd()
                return try await run(context, values)
            })
    }

    /// Lets everybody run it, strangers too.
    public func open() -> Command {
        var copy = self
        copy.rules.isOpen = true
        return copy
    }

    /// Lets those run it who have one of these roles, which the configuration has to define; admins always may.
    public func allow(_ roles: Role...) -> Command {
        var copy = self
        copy.rules.roles += roles
        return copy
    }

    /// The same for roles that are known at run time only.
    package func allow(_ roles: [Role]) -> Command {
        var copy = self
        copy.rules.roles += roles
        return copy
    }

    /// Gives it a time limit of its own, in place of the one that all have.
    package func within(_ limit: Duration) -> Command {
        var copy = self
        copy.rules.timeLimit = limit
        return copy
    }

    /// Promises that it is quick: it runs on the loop's own thread, and blocks everything else while it computes.
    ///
    /// It may be run again when the bot was killed before its answer was stored.
    public func inline() -> Command {
        var copy = self
        copy.rules.isInline = true
        copy.rules.isIdempotent = true
        return copy
    }

    /// Says that running it twice does no harm, so that a restart in the middle simply runs it again.
    public func idempotent() -> Command {
        var copy = self
        copy.rules.isIdempotent = true
        return copy
    }

    /// Asks "really?" first, and runs only when the same person answers yes within the time; at least a second.
    ///
    /// Anything else that they write calls it off. While it waits, nothing else does.
    public func confirmed(within limit: Duration = .seconds(60)) -> Command {
        var copy = self
        copy.rules.confirmation = max(limit, .seconds(1))
        return copy
    }
}

// The overloads say what a handler may look like: it returns a text, an optional text or nothing, and it awaits or does
// not. Only a handler that does not await can be called without a task. The ones with `String?` are needed for handlers
// of several statements that return nil; disfavoured, they leave handlers that return nothing unambiguous.
extension Command {
    /// Declares a command whose handler gets the context and one value for each argument.
    public init<each Argument: CommandArgument, Result: HandlerResult>(
        _ name: String, _ summary: String, _ arguments: repeat each Argument,
        run: @escaping @Sendable (Context, repeat (each Argument).Value) throws -> Result
    ) {
        self.init(
            name, summary, arguments: Self.describe(repeat each arguments),
            handler: .immediate { context in
                var reader = ArgumentReader(context.arguments)
                let values = (repeat try (each arguments).read(from: &reader))
                try reader.expectEnd()
                return try run(context, repeat each values).answer
            })
    }

    @_disfavoredOverload
    public init<each Argument: CommandArgument>(
        _ name: String, _ summary: String, _ arguments: repeat each Argument,
        run: @escaping @Sendable (Context, repeat (each Argument).Value) throws -> String?
    ) {
        self.init(
            name, summary, arguments: Self.describe(repeat each arguments),
            handler: .immediate { context in
                var reader = ArgumentReader(context.arguments)
                let values = (repeat try (each arguments).read(from: &reader))
                try reader.expectEnd()
                return try run(context, repeat each values)
            })
    }

    public init<each Argument: CommandArgument>(
        _ name: String, _ summary: String, _ arguments: repeat each Argument,
        run: @escaping @Sendable (Context, repeat (each Argument).Value) throws -> Void
    ) {
        self.init(
            name, summary, arguments: Self.describe(repeat each arguments),
            handler: .immediate { context in
                var reader = ArgumentReader(context.arguments)
                let values = (repeat try (each arguments).read(from: &reader))
                try reader.expectEnd()
                try run(context, repeat each values)
                return nil
            })
    }

    public init<each Argument: CommandArgument, Result: HandlerResult>(
        _ name: String, _ summary: String, _ arguments: repeat each Argument,
        run: @escaping @Sendable (Context, repeat (each Argument).Value) async throws -> Result
    ) {
        self.init(
            name, summary, arguments: Self.describe(repeat each arguments),
            handler: .suspending { context in
                var reader = ArgumentReader(context.arguments)
                let values = (repeat try (each arguments).read(from: &reader))
                try reader.expectEnd()
                return try await run(context, repeat each values).answer
            })
    }

    @_disfavoredOverload
    public init<each Argument: CommandArgument>(
        _ name: String, _ summary: String, _ arguments: repeat each Argument,
        run: @escaping @Sendable (Context, repeat (each Argument).Value) async throws -> String?
    ) {
        self.init(
            name, summary, arguments: Self.describe(repeat each arguments),
            handler: .suspending { context in
                var reader = ArgumentReader(context.arguments)
                let values = (repeat try (each arguments).read(from: &reader))
                try reader.expectEnd()
                return try await run(context, repeat each values)
            })
    }

    public init<each Argument: CommandArgument>(
        _ name: String, _ summary: String, _ arguments: repeat each Argument,
        run: @escaping @Sendable (Context, repeat (each Argument).Value) async throws -> Void
    ) {
        self.init(
            name, summary, arguments: Self.describe(repeat each arguments),
            handler: .suspending { context in
                var reader = ArgumentReader(context.arguments)
                let values = (repeat try (each arguments).read(from: &reader))
                try reader.expectEnd()
                try await run(context, repeat each values)
                return nil
            })
    }

    private static func describe<each Argument: CommandArgument>(
        _ arguments: repeat each Argument
    ) -> [ArgumentDescription] {
        var descriptions: [ArgumentDescription] = []
        for argument in repeat each arguments { descriptions.append(argument.description) }
        return descriptions
    }
}
