public import BellhopXML
public import BellhopXMPP

/// The running bot: what a handler can do besides answering.
///
/// Above 4,096 requests that wait to be taken up, those that throw say so, and those that cannot throw are dropped, which the
/// log notes.
public struct BotHandle: Sendable {
    private let post: @Sendable (DeskInput) -> Void
    private let gate: InputGate

    init(gate: InputGate, post: @escaping @Sendable (DeskInput) -> Void) {
        self.gate = gate
        self.post = post
    }

    private func ask(_ request: BotRequest) -> Bool {
        guard gate.lets(request) else { return false }
        post(.asked(request))
        return true
    }

    /// Sends a message unasked; returns when the journal has it, so that it survives a restart.
    ///
    /// Throws `BotError.tooMuch` while 4,096 requests of the bot's code, or 16 MiB of them, wait to be taken up. Code that
    /// awaits each message before the next never sees that.
    @discardableResult
    public func send(
        _ text: String, to: JID, payloads: [Element] = [], type: MessageType = .chat
    ) async throws -> Sent {
        let sent = Sent(to: to, text: text, payloads: payloads, type: type)
        guard ask(.send(sent)) else { throw BotError.tooMuch }
        try await sent.journalled.value.get()
        return sent
    }

    /// Shows the bot as available, away or busy, with a status text; kept until changed, over reconnects too.
    public func presence(_ show: Show, _ status: String? = nil) {
        _ = ask(.presence(show, status))
    }

    /// Everybody in the roster, with who is online.
    public var contacts: [Contact] {
        get async throws {
            let answer = Settlement<Result<[Contact], BotError>>()
            guard ask(.contacts(answer)) else { throw BotError.tooMuch }
            return try await answer.value.get()
        }
    }

    /// Adds a contact or changes its name and groups, and asks to see its presence.
    public func add(_ jid: JID, name: String? = nil, groups: [String] = []) {
        _ = ask(.add(jid.bare, name: name, groups: groups))
    }

    /// Removes a contact and both subscriptions.
    public func remove(_ jid: JID) {
        _ = ask(.remove(jid.bare))
    }
}

/// Somebody in the roster, and where they are online.
public struct Contact: Sendable, Equatable {
    public var item: RosterItem
    /// What each of their resources shows; empty when they are offline or hide it.
    public var resources: [String: Availability]

    public init(item: RosterItem, resources: [String: Availability] = [:]) {
        self.item = item
        self.resources = resources
    }

    public var jid: JID { item.jid }
    public var isOnline: Bool { !resources.isEmpty }
}
