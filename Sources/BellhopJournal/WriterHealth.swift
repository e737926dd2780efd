package import BellhopSQLite

/// Whether the disk takes rows: a machine that decides when to try again and when to stop waiting.
package struct WriterHealth: Equatable, Sendable {
    /// How long the caller may keep its bytes back.
    package static let patience = Duration.milliseconds(250)
    /// How often a disk is asked that has taken nothing for longer.
    package static let interval = Duration.seconds(1)

    private enum State: Equatable {
        /// The last commit succeeded. Next: `waiting` on a failed one.
        case clear
        /// Commits have failed since a moment ago. Next: `clear`, or `holding` when patience is used up.
        case waiting(since: Duration, retry: Duration, step: Duration)
        /// Commits fail, and the bot goes on without them. Next: `clear`.
        case holding(since: Duration, retry: Duration, reason: DatabaseError)
    }

    /// What the writer has to do after a commit was tried.
    package enum Action: Equatable, Sendable {
        case goOn
        /// Keep the bytes back and try again at the deadline.
        case wait
        /// Say once that a kill now may lose or repeat.
        case announceHolding(DatabaseError)
        case hold
        /// Say once that all is written, and how long it was not.
        case announceRecovery(after: Duration)
    }

    private var state = State.clear

    package init() {}

    package var isHolding: Bool {
        switch state {
        case .holding: true
        case .clear, .waiting: false
        }
    }

    package var isClear: Bool { state == .clear }

    /// Since when commits fail.
    package var since: Duration? {
        switch state {
        case .clear: nil
        case .waiting(let since, _, _), .holding(let since, _, _): since
        }
    }

    /// Why commits fail; nil until that is announced.
    package var reason: DatabaseError? {
        switch state {
        case .clear, .waiting: nil
        case .holding(_, _, let reason): reason
        }
    }

    /// When to try again; nil when nothing failed.
    package var retry: Duration? {
        switch state {
        case .clear: nil
        case .waiting(_, let retry, _), .holding(_, let retry, _): retry
        }
    }

    package mutating func committed(now: Duration) -> Action {
        switch state {
        case .clear: return .goOn
        case .waiting:
            state = .clear
            return .goOn
        case .holding(let since, _, _):
            state = .clear
            return .announceRecovery(after: now - since)
        }
    }

    /// `mayWait` is false when there is no room to wait in.
    package mutating func failed(_ error: DatabaseError, mayWait: Bool, now: Duration) -> Action {
        let since: Duration
        var step = Duration.milliseconds(1)
        switch state {
        case .clear: since = now
        case .waiting(let start, _, let last):
            since = start
            step = min(last * 2, .milliseconds(32))
        case .holding(let start, _, _):
            state = .holding(since: start, retry: now + Self.interval, reason: error)
            return .hold
        }
        if mayWait, now - since < Self.patience {
            state = .waiting(since: since, retry: min(now + step, since + Self.patience), step: step)
            return .wait
        }
        state = .holding(since: since, retry: now + Self.interval, reason: error)
        return .announceHolding(error)
    }
}
