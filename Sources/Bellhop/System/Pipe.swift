internal import CBellhopProcess
internal import Glibc

/// The two ends of a pipe; what is still open is closed with the last reference.
final class Pipe {
    private(set) var reading: Int32
    private(set) var writing: Int32

    /// Nil when the process has no descriptor left; `errno` says why.
    ///
    /// Programs that we start do not inherit the ends, and none of them is 0, 1 or 2, so that putting one of them in such a
    /// place cannot close another.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe bellhop_pipe(&ends, O_CLOEXEC) == 0 else { return nil }
        for place in ends.indices where ends[place] <= 2 {
            let moved = fcntl(ends[place], F_DUPFD_CLOEXEC, 3)
            close(ends[place])
            ends[place] = moved
        }
        (reading, writing) = (ends[0], ends[1])
        guard reading >= 0, writing >= 0 else { return nil }
    }

    deinit {
        closeReading()
        closeWriting()
    }

    func closeReading() {
        if reading >= 0 { close(reading) }
        reading = -1
    }

    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// Makes a descriptor answer at once, whatever the other side does.
    static func unblock(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
}
