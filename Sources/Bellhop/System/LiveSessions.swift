internal import Glibc
internal import Synchronization

/// The sessions of this process that run now, so that none of them outlives it.
enum LiveSessions {
    private static let leaders = Mutex<Set<pid_t>>([])

    static func add(_ session: ProcessSession) {
        leaders.withLock { _ = $0.insert(session.leader) }
    }

    static func remove(_ session: ProcessSession) {
        leaders.withLock { _ = $0.remove(session.leader) }
    }

    /// Ends all of them by force; the last thing that a bot does.
    static func endAll() {
        // Within the lock: who is removed is reaped next, and its number may then come to mean another.
        leaders.withLock { leaders in
            for leader in leaders { ProcessSession(leader: leader).end() }
        }
    }
}
