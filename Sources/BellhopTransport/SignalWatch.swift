internal import Glibc

/// Turns SIGINT, SIGTERM and SIGHUP into calls on a thread of its own.
package enum SignalWatch {
    package enum Signal: Int32, Sendable {
        case interrupt = 2
        case terminate = 15
        case hangUp = 1
    }

    /// Blocks the signals for this thread and all it starts later, and calls `heard` for each that comes.
    ///
    /// Call it once, before any other thread exists. SIGPIPE is ignored from then on.
    package static func start(_ heard: @escaping @Sendable (Signal) -> Void) throws(TransportError) {
        signal(SIGPIPE, SIG_IGN)
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [Signal.interrupt, .terminate, .hangUp] { unsafe sigaddset(&set, number.rawValue) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        let watched = set
        try LoopThread.start("signals") {
            var set = watched
            while true {
                var number: Int32 = 0
                guard unsafe sigwait(&set, &number) == 0 else { continue }
                if let signal = Signal(rawValue: number) { heard(signal) }
            }
        }
    }
}
