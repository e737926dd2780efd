import BellhopClient
import BellhopTransport
import Synchronization

/// A bot's clock that a test can hold, so that what is counted in time does not hang on how fast the test runs.
final class HeldClock: Sendable {
    private enum State {
        case running(ahead: Duration)
        case held(at: Duration)

        var now: Duration {
            switch self {
            case .running(let ahead): MonotonicClock.now() + ahead
            case .held(let moment): moment
            }
        }
    }

    private let state = Mutex(State.running(ahead: .zero))

    var now: Duration { state.withLock { $0.now } }

    /// Stands still from now on.
    func hold() { state.withLock { $0 = .held(at: $0.now) } }

    /// Goes forward by so much.
    func pass(_ duration: Duration) {
        state.withLock { state in
            switch state {
            case .running(let ahead): state = .running(ahead: ahead + duration)
            case .held(let moment): state = .held(at: moment + duration)
            }
        }
    }

    /// Goes forward by so much, and the bot has seen it.
    func pass(_ duration: Duration, for bot: BotUnderTest) async throws {
        pass(duration)
        // A loop that waits knows nothing of a clock that jumps, until it is woken.
        try await bot.ask { _ in }
    }

    /// Goes again; the time for which it stood still passes at once, because those who dial know the real one only.
    func run() { state.withLock { $0 = .running(ahead: max(.zero, $0.now - MonotonicClock.now())) } }

    var loopWorld: LoopWorld {
        var world = LoopWorld()
        world.now = { [self] in now }
        return world
    }
}
