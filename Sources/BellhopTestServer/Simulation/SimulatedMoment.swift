package import BellhopXMPP

/// Both clocks at one moment, as whoever drives the simulation has them.
package struct SimulatedMoment: Equatable, Sendable {
    /// For deadlines; never goes back.
    package var now: Duration
    /// For what is stored and shown.
    package var clock: Timestamp

    package init(now: Duration, clock: Timestamp) {
        self.now = now
        self.clock = clock
    }
}
