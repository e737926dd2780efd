package import BellhopXMPP

/// When something happens, on both clocks.
package struct Moment: Sendable, Equatable {
    /// Monotonic, since an arbitrary start; for deadlines and limits.
    package var now: Duration
    /// The wall clock; for what is stored.
    package var clock: Timestamp

    package init(now: Duration, clock: Timestamp) {
        self.now = now
        self.clock = clock
    }
}
