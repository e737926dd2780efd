/// A bucket that holds `Pace.burst` tokens when it is full, and into which `Pace.perSecond` of them drop every second.
///
/// It keeps one moment and no count: the one at which it is full again. Times are monotonic.
package struct TokenBucket: Equatable, Sendable {
    private var fullAt: Duration

    /// A full bucket.
    package init() { fullAt = .zero }

    /// Takes a token; false when none is there.
    package mutating func take(_ pace: Pace, now: Duration) -> Bool {
        guard nextToken(pace) <= now else { return false }
        fullAt = max(fullAt, now) + pace.interval
        return true
    }

    /// From when on a token is there.
    package func nextToken(_ pace: Pace) -> Duration { fullAt - pace.interval * (pace.burst - 1) }

    /// Whether it is as good as a new one.
    package func isFull(now: Duration) -> Bool { fullAt <= now }
}
