/// A moment on the wall clock, in milliseconds since 1970-01-01T00:00:00Z.
///
/// Kept for what is stored and shown; deadlines use the monotonic clock.
public struct Timestamp: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }
}
