internal import BellhopXML
public import BellhopXMPP

/// A message that the bot sent unasked, and what becomes of it.
public final class Sent: Sendable {
    /// What has become of a message.
    public enum State: Equatable, Sendable {
        /// In the journal; it goes out as soon as there is a connection.
        case queued
        /// The server has it.
        case sent
        /// It did not arrive; the reason is the bounce's.
        case failed(String)
    }

    /// Whom it goes to.
    public let to: JID
    let text: String
    let payloads: [Element]
    let type: MessageType
    let journalled = Settlement<Result<Void, BotError>>()
    private let settled = Settlement<State>()

    init(to: JID, text: String, payloads: [Element], type: MessageType) {
        self.to = to
        self.text = text
        self.payloads = payloads
        self.type = type
    }

    /// What is known now; a message that was sent can still turn out to have failed.
    public var state: State { settled.current ?? .queued }

    /// Waits until the server has the message or it has failed; throws only when the waiting task is cancelled.
    public var outcome: State {
        get async throws { try await settled.value }
    }

    func settle(_ state: State) { settled.settle(state) }
}

/// Why the bot could not do what was asked of it.
public enum BotError: Error, Equatable, Sendable {
    /// The journal takes nothing any more: the disk is full or the database locked for long.
    case journalFull
    /// More is asked of the bot than it can take up: wait for each `send` before the next, or for some of them together.
    case tooMuch
    /// The bot is stopping.
    case stopped
}
