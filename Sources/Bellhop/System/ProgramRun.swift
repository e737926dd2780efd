internal import BellhopTransport
internal import Glibc
internal import Synchronization

/// One program from its start to the end of everybody in its session.
///
/// `run` blocks its thread; a second thread waits for the process itself, because a pipe may stay open longer, or be closed
/// sooner, than the process lives.
final class ProgramRun: Sendable {
    /// How a run ended, and whether somebody of its session still lives whom we may not end.
    struct Outcome: Equatable, Sendable {
        var ending: ProgramEnding
        var isBeyondReach = false
    }

    private enum Phase {
        case running
        case stopping(ProgramEnding, forceAt: ContinuousClock.Instant)
        /// Ended by force; who is still there at that moment belongs to another user.
        case forced(ProgramEnding, leaveAt: ContinuousClock.Instant)
    }

    /// Who of the two threads takes the process's status off the system.
    private enum Watch { case waiting, ended, left }

    /// How long a process may take to go that was killed.
    private static let leaving: Duration = .seconds(5)

    private let call: ProgramCall
    private let bell: Doorbell
    private let watch = Mutex(Watch.waiting)

    /// Nil when the process has no descriptor left.
    init?(_ call: ProgramCall) {
        guard let bell = Doorbell() else { return nil }
        self.call = call
        self.bell = bell
    }

    /// Stops the program, from any thread; before the start it keeps the program from running for long.
    func cancel() { bell.ring(.cancelled) }

    /// Starts the program and returns when it ended and nobody of its session is left. A program that has something to
    /// read needs a thread of its own, on which SIGPIPE stays blocked.
    func run(_ sink: inout some ProgramSink) -> Outcome {
        let start: ProcessStart
        do throws(ProgramEnding.StartFailure) {
            start = try ProcessStart(call)
        } catch {
            return Outcome(ending: .notStarted(error))
        }
        LiveSessions.add(start.session)
        if !call.input.isEmpty { Self.blockPipeSignal() }
        let leader = start.session.leader
        do {
            try LoopThread.start("program") { [self] in waitForEnd(of: leader) }
        } catch {
            start.session.end()
            _ = Self.reap(start.session)
            return Outcome(ending: .notStarted(.system(reason: "\(error)")))
        }
        return attend(start, &sink)
    }

    private func attend(_ start: ProcessStart, _ sink: inout some ProgramSink) -> Outcome {
        var phase = Phase.running
        let timeUp = ContinuousClock.now + call.timeLimit
        var streams = ProgramStreams(start, input: call.input, limit: call.outputLimit)
        while true {
            let now = ContinuousClock.now
            if let deadline = sink.nextDeadline, deadline <= now { sink.reachedDeadline() }
            switch phase {
            case .running:
                if now >= timeUp { stop(.timedOut, start.session, &phase, now) }
            case .stopping(let ending, let forceAt):
                if now >= forceAt {
                    start.session.end()
                    phase = .forced(ending, leaveAt: now + Self.leaving)
                }
            case .forced(let ending, let leaveAt):
                if now >= leaveAt && leave() {
                    LiveSessions.remove(start.session)
                    return Outcome(ending: ending, isBeyondReach: true)
                }
            }
            let deadlines = [Self.deadline(of: phase, timeUp), sink.nextDeadline].compactMap { $0 }
            let ready = streams.wait(bell: bell.reading, until: deadlines.min() ?? timeUp)
            let rings = ready ? bell.take() : []
            if rings.contains(.ended) {
                start.session.end()
                streams.transfer(&sink)
                return finish(start.session, phase, isOverLimit: streams.isOverLimit)
            }
            streams.transfer(&sink)
            if rings.contains(.cancelled) { stop(.cancelled, start.session, &phase, now) }
            if streams.isOverLimit { stop(.outputLimit, start.session, &phase, now) }
        }
    }

    private static func deadline(of phase: Phase, _ timeUp: ContinuousClock.Instant) -> ContinuousClock.Instant {
        switch phase {
        case .running: timeUp
        case .stopping(_, let forceAt): forceAt
        case .forced(_, let leaveAt): leaveAt
        }
    }

    private func stop(
        _ ending: ProgramEnding, _ session: ProcessSession, _ phase: inout Phase, _ now: ContinuousClock.Instant
    ) {
        guard case .running = phase else { return }
        session.terminate()
        phase = .stopping(ending, forceAt: now + call.grace)
    }

    private func finish(_ session: ProcessSession, _ phase: Phase, isOverLimit: Bool) -> Outcome {
        let status = Self.reap(session)
        switch phase {
        case .stopping(let ending, _), .forced(let ending, _): return Outcome(ending: ending)
        case .running where isOverLimit: return Outcome(ending: .outputLimit)
        case .running: return Outcome(ending: status)
        }
    }

    /// A program may stop reading before it has all; this thread is told by the write, not by a signal that ends the bot.
    private static func blockPipeSignal() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    // MARK: The process itself

    /// On a thread of its own. The status stays with the system (WNOWAIT), so that the session keeps its number until all
    /// of it is ended.
    private func waitForEnd(of leader: pid_t) {
        var facts = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(leader), &facts, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        let isLeft = watch.withLock { watch in
            if watch == .waiting { watch = .ended }
            return watch == .left
        }
        if isLeft { _ = Self.reap(ProcessSession(leader: leader)) } else { bell.ring(.ended) }
    }

    /// Leaves the process to the other thread; false when it has ended just now.
    private func leave() -> Bool {
        watch.withLock { watch in
            if watch == .waiting { watch = .left }
            return watch == .left
        }
    }

    private static func reap(_ session: ProcessSession) -> ProgramEnding {
        // From here on the number can come to mean another session.
        LiveSessions.remove(session)
        var status: Int32 = 0
        while unsafe waitpid(session.leader, &status, 0) < 0 {
            // Somebody else took the status, or the process ignores SIGCHLD; that it failed is the safe guess.
            guard errno == EINTR else { return .exited(255) }
        }
        // The layout of a wait status, whose macros Swift cannot see: the signal below, the exit code above.
        let signal = status & 0x7F
        return signal != 0 ? .signalled(signal) : .exited(status >> 8 & 0xFF)
    }
}
