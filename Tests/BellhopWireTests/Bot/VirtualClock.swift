import Synchronization

/// Time that only a test lets pass; handlers that are slow are slow by this clock.
///
/// Whoever falls asleep while a test has just let time pass began before it: a task may start late, by no fault of its
/// own.
final class VirtualClock: Sendable {
    private struct State {
        var now: Duration = .zero
        /// When the last stretch of time began that the test let pass.
        var start: Duration = .zero
        var sleepers: [(until: Duration, wake: CheckedContinuation<Void, Never>)] = []
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// Returns when the test has let so much time pass.
    func wait(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                let until = state.start + duration
                if state.hasEnded || until <= state.now { return true }
                state.sleepers.append((until, continuation))
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// Lets time pass.
    func advance(by duration: Duration) {
        let awake = state.withLock { state in
            state.start = state.now
            state.now += duration
            let awake = state.sleepers.filter { $0.until <= state.now }
            state.sleepers.removeAll { $0.until <= state.now }
            return awake
        }
        for sleeper in awake { sleeper.wake.resume() }
    }

    /// Lets all the time pass that there is.
    func end() {
        let awake = state.withLock { state in
            state.hasEnded = true
            defer { state.sleepers = [] }
            return state.sleepers
        }
        for sleeper in awake { sleeper.wake.resume() }
    }
}
