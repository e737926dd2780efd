/// A moment on the wall clock, in milliseconds since 1970-01-01T00:00:00Z.
///
/// Kept for what is stored and shown; deadlines use the monotonic clock.
public struct Timestamp: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

    /// The time from `start` to `end`; negative when `end` is the earlier one.
    public static func - (end: Timestamp, start: Timestamp) -> Duration {
        .milliseconds(end.milliseconds) - .milliseconds(start.milliseconds)
    }

    /// The moment so much later, cut to whole milliseconds; stops at the ends of what can be counted.
    public static func + (start: Timestamp, duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = Timestamp.countable(duration).components
        let offset = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        let (sum, overflow) = start.milliseconds.addingReportingOverflow(offset)
        return Timestamp(milliseconds: overflow ? (offset < 0 ? .min : .max) : sum)
    }

    /// The moment so much earlier, likewise.
    public static func - (start: Timestamp, duration: Duration) -> Timestamp {
        start + (.zero - Timestamp.countable(duration))
    }

    /// A duration goes further than 64 bits of milliseconds do.
    private static func countable(_ duration: Duration) -> Duration {
        let most = Duration.seconds(Int64.max / 1001)
        return min(max(duration, .zero - most), most)
    }
}
