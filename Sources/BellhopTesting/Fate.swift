internal import BellhopTestServer
internal import Synchronization

/// When and at which point of a turn a bot is to die; ordered on any thread, looked up on the bot's.
final class Fate: Sendable {
    private struct State {
        var point: KillPoint?
        var waitsForMessage = false
        /// Whether a plan wanted it, which wants the bot back as well.
        var comesBack = false
    }

    private let state = Mutex(State())

    /// The bot dies in its next turn.
    func strike(_ point: KillPoint) { state.withLock { $0 = State(point: point) } }

    /// The bot dies in the turn in which it gets its next message, and is started again.
    func await(_ point: KillPoint) {
        state.withLock { state in
            guard state.point == nil else { return }
            state = State(point: point, waitsForMessage: true, comesBack: true)
        }
    }

    /// Where this turn ends, if it does.
    func point(hasMessage: Bool) -> KillPoint? {
        state.withLock { state in hasMessage || !state.waitsForMessage ? state.point : nil }
    }

    /// The bot is dead; whether it is to be started again.
    func fulfilled() -> Bool {
        state.withLock { state in
            defer { state = State() }
            return state.comesBack
        }
    }
}
