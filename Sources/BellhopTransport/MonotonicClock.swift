internal import Glibc

/// The clock for deadlines: it never goes back and no one can set it.
package enum MonotonicClock {
    /// Time since an arbitrary start, the same for the whole machine.
    package static func now() -> Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Duration(secondsComponent: Int64(time.tv_sec), attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000)
    }
}

/// The clock for what is stored and shown.
package enum WallClock {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package static func milliseconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
