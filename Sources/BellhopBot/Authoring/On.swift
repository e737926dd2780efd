/// Hears one kind of event, like `On(.contactOnline) { event in ... }`.
///
/// Event handlers run one after the other, off the loop, each for at most the time that commands have.
public struct On: Sendable {
    let name: EventName
    let run: @Sendable (Event, BotHandle) async throws -> Void

    public init<Payload>(
        _ kind: EventKind<Payload>, run: @escaping @Sendable (Heard<Payload>) async throws -> Void
    ) {
        name = kind.name
        self.run = { event, bot in
            guard let payload = kind.payload(event) else { return }
            try await run(Heard(payload: payload, bot: bot))
        }
    }
}

/// An event as its handler gets it: its members are those of the payload, and `bot` is at hand.
@dynamicMemberLookup
public struct Heard<Payload: Sendable>: Sendable {
    public let payload: Payload
    public let bot: BotHandle

    public subscript<Value>(dynamicMember member: KeyPath<Payload, Value>) -> Value { payload[keyPath: member] }
}
