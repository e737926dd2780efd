/// How long to wait before the next attempt: anything up to a ceiling that doubles with each failure ("full jitter"),
/// so that a thousand bots do not come back in the same second.
///
/// The ceiling is 1 s at first and 300 s at most, and begins anew only after a session that held for 60 s. Times are
/// monotonic.
package struct Backoff: Equatable, Sendable {
    private enum State: Equatable, Sendable {
        case offline
        case online(since: Duration)
    }

    private let first: Duration
    private let cap: Duration
    private let stable: Duration
    private var failures = 0
    private var state = State.offline

    package init(first: Duration = .seconds(1), cap: Duration = .seconds(300), stable: Duration = .seconds(60)) {
        self.first = first
        self.cap = cap
        self.stable = stable
    }

    /// A session began.
    package mutating func wentOnline(_ now: Duration) { state = .online(since: now) }

    /// An attempt failed or a session ended: how long to wait.
    ///
    /// - Parameter random: 64 random bits; 0 means no wait, all ones nearly the whole ceiling.
    package mutating func failed(_ now: Duration, random: UInt64) -> Duration {
        switch state {
        case .online(let since) where now - since >= stable: failures = 0
        case .online, .offline: break
        }
        state = .offline
        let ceiling = ceiling
        if ceiling < cap { failures += 1 }
        return ceiling * (Double(random >> 11) / Double(1 << 53))
    }

    /// The longest that the next wait can be.
    package var ceiling: Duration {
        // 30 doublings are beyond any cap that makes sense, and within what a Duration holds.
        min(cap, first * (1 << min(failures, 30)))
    }
}
