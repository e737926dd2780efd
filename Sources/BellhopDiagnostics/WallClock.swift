internal import Glibc

/// The time of day, for what is shown and stored; never for waiting.
package enum WallClock {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package static func milliseconds() -> Int64 {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return 0 }
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// How far the local clock stands from UTC at that moment, in seconds east.
    package static func localOffset(atMilliseconds milliseconds: Int64) -> Int {
        var moment = time_t(milliseconds / 1000)
        var local = unsafe tm()
        guard unsafe localtime_r(&moment, &local) != nil else { return 0 }
        return unsafe local.tm_gmtoff
    }
}
