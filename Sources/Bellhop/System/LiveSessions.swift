internal import Glibc
internal import Synchronization

/// The sessions of this process that run now, so that none of them outlives it.
enum LiveSessions {
    private struct State {
        var leaders: Set<pid_t> = []
        var isClosed = false
    }

    private static let state = Mutex(State())

    static func add(_ session: ProcessSession) {
        let isLate = state.withLock { state in
            state.leaders.insert(session.leader)
            return state.isClosed
        }
        if isLate { session.end() }
    }

    static func remove(_ session: ProcessSession) {
        state.withLock { _ = $0.leaders.remove(session.leader) }
    }

    /// Ends all of them by force; the last thing that a bot does.
    static func endAll() {
        // Within the lock: who is removed is reaped next, and its number may then come to mean another.
        state.withLock { state in
            state.isClosed = true
            for leader in state.leaders { ProcessSession(leader: leader).end() }
        }
    }
}
