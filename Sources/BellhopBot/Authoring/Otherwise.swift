/// What the bot says to a body that is no command; the text comes exactly as it was typed.
///
/// Like a command it answers only those whom the configuration names unless it is `.open()`.
public struct Otherwise: Sendable {
    let handler: Handler
    var rules = RunRules()

    /// Lets everybody talk to it, strangers too.
    public func open() -> Otherwise {
        var copy = self
        copy.rules.isOpen = true
        return copy
    }

    /// Lets those use it who have one of these roles, which the configuration has to define; admins always may.
    public func allow(_ roles: Role...) -> Otherwise {
        var copy = self
        copy.rules.roles += roles
        return copy
    }

    /// Promises that it is quick; see `Command.inline()`.
    public func inline() -> Otherwise {
        var copy = self
        copy.rules.isInline = true
        copy.rules.isIdempotent = true
        return copy
    }

    /// Says that running it twice does no harm.
    public func idempotent() -> Otherwise {
        var copy = self
        copy.rules.isIdempotent = true
        return copy
    }
}

// The overloads are those of `Command`, for the same reasons.
extension Otherwise {
    public init<Result: HandlerResult>(_ run: @escaping @Sendable (Context, String) throws -> Result) {
        handler = .immediate { context in try run(context, context.arguments).answer }
    }

    @_disfavoredOverload
    public init(_ run: @escaping @Sendable (Context, String) throws -> String?) {
        handler = .immediate { context in try run(context, context.arguments) }
    }

    public init(_ run: @escaping @Sendable (Context, String) throws -> Void) {
        handler = .immediate { context in
            try run(context, context.arguments)
            return nil
        }
    }

    public init<Result: HandlerResult>(_ run: @escaping @Sendable (Context, String) async throws -> Result) {
        handler = .suspending { context in try await run(context, context.arguments).answer }
    }

    @_disfavoredOverload
    public init(_ run: @escaping @Sendable (Context, String) async throws -> String?) {
        handler = .suspending { context in try await run(context, context.arguments) }
    }

    public init(_ run: @escaping @Sendable (Context, String) async throws -> Void) {
        handler = .suspending { context in
            try await run(context, context.arguments)
            return nil
        }
    }
}
