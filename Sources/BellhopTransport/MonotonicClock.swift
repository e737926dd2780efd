internal import CBellhopResolv
internal import Glibc

/// The clock for deadlines: it never goes back and no one can set it. It goes on while the machine sleeps, so what was due meanwhile is
/// due at once, like the question whether the server is still there.
package enum MonotonicClock {
    /// Time since an arbitrary start, the same for the whole machine.
    package static func now() -> Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Duration(secondsComponent: Int64(time.tv_sec), attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000)
    }
}
