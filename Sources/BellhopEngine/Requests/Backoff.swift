/// How long to wait before the next attempt, so that a thousand bots do not come back in the same second.
///
/// Time after a break is cut into windows, each twice as long as the one before, and each window has one attempt, at a random
/// moment of it. So whenever a server is back, those who wait for it are spread evenly over a window: with waits that
/// were drawn one after the other, they would crowd after some.
///
/// The first window has 1 s, where only our line was cut, and `spread`, where all clients of the server lost it together.
/// No window is longer than 150 s or `spread`, so no wait is longer than twice that. The windows begin anew only after a session
/// that held for 60 s. Times are monotonic.
package struct Backoff: Equatable, Sendable {
    package enum Cause: Equatable, Sendable {
        /// Something between us and the server, that may be ours alone.
        case line
        /// The server itself, whose other clients are in the same position.
        case server
    }

    private enum State: Equatable, Sendable {
        /// The attempts that were waited for so far end, with their window, at this moment.
        case offline(until: Duration)
        case online(since: Duration)
    }

    private let first: Duration
    private let spread: Duration
    private let cap: Duration
    private let stable: Duration
    private var failures = 0
    /// Whether the server itself was the cause since the windows began.
    private var isSpread = false
    private var state = State.offline(until: .zero)

    package init(
        first: Duration = .seconds(1), spread: Duration = .seconds(40), cap: Duration = .seconds(150),
        stable: Duration = .seconds(60)
    ) {
        self.first = first
        self.spread = spread
        self.cap = cap
        self.stable = stable
    }

    /// A session began.
    package mutating func wentOnline(_ now: Duration) { state = .online(since: now) }

    /// An attempt failed or a session ended: how long to wait.
    ///
    /// - Parameter random: 64 random bits; 0 means the beginning of the window, all ones nearly its end.
    package mutating func failed(_ now: Duration, _ cause: Cause, random: UInt64) -> Duration {
        var start = now
        switch state {
        case .online(let since):
            if now - since >= stable {
                failures = 0
                isSpread = false
            }
        case .offline(let end): start = max(now, end)
        }
        switch cause {
        case .server where !isSpread && spread > first:
            isSpread = true
            failures = 0
            start = now
        case .server, .line: break
        }
        let window = window
        if window < longest { failures += 1 }
        state = .offline(until: start + window)
        return start - now + window * (Double(random >> 11) / Double(1 << 53))
    }

    /// How long the next window is.
    package var window: Duration {
        // 30 doublings are beyond any cap that makes sense, and within what a Duration holds.
        min(longest, (isSpread ? spread : first) * (1 << min(failures, 30)))
    }

    private var longest: Duration { max(cap, spread) }
}
