/// How fast something may go on: so many a second, after so many at once.
package struct Pace: Equatable, Sendable {
    /// From 1 to 1,000,000.
    package let perSecond: Int
    /// How many may come at once after a rest; from 1 to 1,000,000.
    package let burst: Int

    /// Takes what is out of these bounds for the nearest bound.
    package init(perSecond: Int, burst: Int) {
        self.perSecond = min(max(1, perSecond), 1_000_000)
        self.burst = min(max(1, burst), 1_000_000)
    }

    /// The time between two at the steady pace.
    var interval: Duration { .nanoseconds(1_000_000_000 / Int64(perSecond)) }
}
