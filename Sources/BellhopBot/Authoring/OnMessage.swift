/// Hears a message that carries extension elements and no body; read them from `context.message.stanza`.
///
/// Like a command it answers only those whom the configuration names unless it is `.open()`.
public struct OnMessage: Sendable {
    let handler: Handler
    var rules = RunRules()

    /// Lets everybody talk to it, strangers too.
    public func open() -> OnMessage {
        var copy = self
        copy.rules.isOpen = true
        return copy
    }

    /// Lets those use it who have one of these roles, which the configuration has to define; admins always may.
    public func allow(_ roles: Role...) -> OnMessage {
        var copy = self
        copy.rules.roles += roles
        return copy
    }

    /// Promises that it is quick; see `Command.inline()`.
    public func inline() -> OnMessage {
        var copy = self
        copy.rules.isInline = true
        copy.rules.isIdempotent = true
        return copy
    }

    /// Says that running it twice does no harm.
    public func idempotent() -> OnMessage {
        var copy = self
        copy.rules.isIdempotent = true
        return copy
    }
}

// The overloads are those of `Command`, for the same reasons.
extension OnMessage {
    public init<Result: HandlerResult>(_ run: @escaping @Sendable (Context) throws -> Result) {
        handler = .immediate { context in try run(context).answer }
    }

    @_disfavoredOverload
    public init(_ run: @escaping @Sendable (Context) throws -> String?) {
        handler = .immediate { context in try run(context) }
    }

    public init(_ run: @escaping @Sendable (Context) throws -> Void) {
        handler = .immediate { context in
            try run(context)
            return nil
        }
    }

    public init<Result: HandlerResult>(_ run: @escaping @Sendable (Context) async throws -> Result) {
        handler = .suspending { context in try await run(context).answer }
    }

    @_disfavoredOverload
    public init(_ run: @escaping @Sendable (Context) async throws -> String?) {
        handler = .suspending { context in try await run(context) }
    }

    public init(_ run: @escaping @Sendable (Context) async throws -> Void) {
        handler = .suspending { context in
            try await run(context)
            return nil
        }
    }
}
