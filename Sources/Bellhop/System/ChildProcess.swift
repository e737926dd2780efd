internal import Glibc

/// A program that is run for what it prints.
enum ChildProcess {
    /// Runs the program (found along `PATH`) without a shell, its input empty and its errors going where ours go, and
    /// returns its output when it ended with exit code 0.
    static func output(
        of arguments: [String], timeLimit: Duration, sizeLimit: Int
    ) -> Result<[UInt8], ConfigurationProblem.CommandFailure> {
        let deadline = ContinuousClock.now + timeLimit
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            return .failure(.notStarted(reason: SystemReason.phrase(errno)))
        }
        let (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(reading) }
        let started = spawn(arguments, output: writing)
        close(writing)
        let child: pid_t
        switch started {
        case .failure(let failure): return .failure(failure)
        case .success(let pid): child = pid
        }
        let output = collect(reading, until: deadline, sizeLimit: sizeLimit, timeLimit: timeLimit)
        guard case .success(let bytes) = output else {
            end(child)
            return output
        }
        guard let status = wait(for: child, until: deadline) else {
            end(child)
            return .failure(.timedOut(timeLimit))
        }
        // The layout of a wait status, whose macros Swift cannot see: the signal below, the exit code above.
        let signal = status & 0x7F
        if signal != 0 { return .failure(.signal(signal)) }
        let code = status >> 8 & 0xFF
        return code == 0 ? .success(bytes) : .failure(.exit(code))
    }

    private static func spawn(
        _ arguments: [String], output: Int32
    ) -> Result<pid_t, ConfigurationProblem.CommandFailure> {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // A program expects the usual answer to a closed pipe, whatever we do with that signal ourselves.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var child = pid_t()
        let code = unsafe posix_spawnp(&child, arguments.first ?? "", &actions, &attributes, &words, environ)
        return code == 0 ? .success(child) : .failure(.notStarted(reason: SystemReason.phrase(code)))
    }

    private static func collect(
        _ descriptor: Int32, until deadline: ContinuousClock.Instant, sizeLimit: Int, timeLimit: Duration
    ) -> Result<[UInt8], ConfigurationProblem.CommandFailure> {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { return .failure(.timedOut(timeLimit)) }
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&wanted, 1, Int32(min(left + 1, 60_000))) > 0 else { continue }
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return .success(bytes) }
            bytes += chunk[..<count]
            if bytes.count > sizeLimit { return .failure(.tooMuchOutput(limit: sizeLimit)) }
        }
    }

    /// The wait status; nil when the deadline came first.
    private static func wait(for child: pid_t, until deadline: ContinuousClock.Instant) -> Int32? {
        while true {
            var status: Int32 = 0
            let ended = unsafe waitpid(child, &status, WNOHANG)
            if ended == child { return status }
            if ended < 0 && errno != EINTR { return 0xFF00 }
            guard deadline > .now else { return nil }
            // It closed its output but still runs, which is rare and short; there is nothing to wait on but time.
            poll(nil, 0, 5)
        }
    }

    private static func end(_ child: pid_t) {
        kill(child, SIGKILL)
        while waitpid(child, nil, 0) < 0 && errno == EINTR {}
    }
}
