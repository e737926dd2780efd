internal import BellhopDiagnostics
internal import BellhopXMPP

/// Handlers: called on the spot, or run in tasks, one at a time in each conversation.
extension Desk {
    /// Calls a handler that promised to be quick; one commit holds the message and its answers.
    func call(
        _ handler: @Sendable (Context) throws -> String?, _ work: Work, _ job: Job, at moment: Moment
    ) {
        let run = nextRun()
        let outcome: RunOutcome
        outlet.beginCall(run)
        do {
            outcome = .answered(try handler(context(of: run, work, job)))
        } catch {
            outcome = .failed(RunFailure(error))
        }
        let early = outlet.endCall()
        settle(job, .handled)
        var output = Output(of: run)
        for reply in early.prefix(Self.replyLimit) { say(reply, in: &output, to: job, at: moment) }
        if early.count > Self.replyLimit { tooManyReplies(job, work, at: moment) }
        if !work.runnable.isOpen { closeAudit(job, Self.auditOutcome(outcome, job), after: .zero) }
        finish(outcome, work, job, in: &output, at: moment)
    }

    /// Opens the lane, writes `started`, and lets the task start once that is committed.
    func begin(_ work: Work, _ job: Job, at moment: Moment) {
        let run = nextRun()
        settle(job, .started)
        let limit = work.runnable.rules.timeLimit ?? settings.handlerLimit
        let deadline = moment.now + limit
        var started = Run(
            job: job, work: work, startedAt: moment.now, deadline: deadline, output: Output(of: run))
        showTypingLater(&started, run, at: moment)
        runs[run] = started
        // Mostly at the end at once, since most runs have the same limit.
        let place = runOrder.lastIndex { runs[$0].map { $0.deadline <= deadline } ?? false }
        runOrder.insert(run, at: place.map { $0 + 1 } ?? 0)
        // One that may run for hours keeps those in their places that ended behind it.
        if runOrder.count > 64 && runOrder.count > 2 * runs.count { runOrder.removeAll { runs[$0] == nil } }
        uncommitted.append(run)
        if lanes[job.peer] == nil {
            lanes[job.peer] = Lane(running: run, lastRow: job.row)
        } else {
            lanes[job.peer]?.running = run
        }
    }

    func startTask(of id: RunID) {
        guard let run = runs[id] else { return }
        let context = context(of: id, run.work, run.job)
        let handler = run.work.runnable.handler
        let post = post
        let executor = run.work.runnable.rules.isInline ? inlineExecutor : taskExecutor
        runs[id]?.task = Task(executorPreference: executor) {
            do {
                let answer: String?
                switch handler {
                case .immediate(let handler): answer = try handler(context)
                case .suspending(let handler): answer = try await handler(context)
                }
                post(.finished(id, .answered(answer)))
            } catch {
                post(.finished(id, .failed(RunFailure(error))))
            }
        }
    }

    func handlerReplied(_ reply: Reply, _ id: RunID, at moment: Moment) {
        // A run that is over (its time was up, or its handler returned) says nothing any more.
        guard var run = runs[id] else { return }
        run.replies += 1
        let ordinal = run.output.ordinal
        if run.replies <= Self.replyLimit { say(reply, in: &run.output, to: run.job, at: moment) }
        if run.output.ordinal != ordinal { hasSpoken(&run, id, at: moment) }
        runs[id] = run
        if run.replies == Self.replyLimit + 1 {
            tooManyReplies(run.job, run.work, at: moment)
        }
    }

    func handlerFinished(_ id: RunID, _ outcome: RunOutcome, at moment: Moment) {
        guard var run = runs.removeValue(forKey: id) else { return }
        ledger.mark(run.job.row, .handled, reason: nil)
        endAudit(run, Self.auditOutcome(outcome, run.job), at: moment)
        let ordinal = run.output.ordinal
        finish(outcome, run.work, run.job, in: &run.output, at: moment)
        if run.output.ordinal == ordinal { stopTyping(run) }
        advance(run.job.peer, at: moment)
    }

    /// The last words of a run.
    private func finish(
        _ outcome: RunOutcome, _ work: Work, _ job: Job, in output: inout Output, at moment: Moment
    ) {
        let text: String
        switch outcome {
        case .answered(let answer):
            if !watch.isCalm { watch.handlerSucceeded(work.runnable.name) }
            guard let answer else { return }
            return say(Reply(text: answer, payloads: []), in: &output, to: job, at: moment)
        case .failed(.arguments(let problem)):
            // Only commands have arguments; an author's own error of this type has no usage to show.
            text = Phrases.usage(work.runnable.usage ?? work.runnable.name, problem)
        case .failed(.shown(let sentence)):
            text = sentence
        case .failed(.hidden(let description)):
            let code = Self.code(of: job.row)
            log.error(
                "handler failed", "A handler threw an error; the person was told its code.",
                ["code": code, "handler": work.runnable.name, "peer": job.peer.bareText, "error": description])
            handlerFailed(work.runnable.name, at: moment)
            text = Phrases.failed(code: code)
        }
        conclude(text, in: &output, to: job, at: moment)
    }

    private func tooManyReplies(_ job: Job, _ work: Work, at moment: Moment) {
        log.warning(
            "too many answers", "A handler sent more answers than one run may; the rest is dropped.",
            ["handler": work.runnable.name, "peer": job.peer.bareText, "limit": "\(Self.replyLimit)"])
        send(
            Reply(text: Phrases.tooManyReplies, payloads: []), to: job, ordinal: Ordinal.tooManyReplies, at: moment)
    }

    func stopLateRuns(at moment: Moment) {
        dropEndedRuns()
        while let id = runOrder.first, let run = runs[id], run.deadline <= moment.now {
            runOrder.removeFirst()
            runs[id] = nil
            run.task?.cancel()
            log.warning(
                "handler stopped", "A handler took too long and was cancelled.",
                ["handler": run.work.runnable.name, "peer": run.job.peer.bareText])
            ledger.mark(run.job.row, .interrupted, reason: "time limit")
            endAudit(run, .timedOut, at: moment)
            send(
                Reply(text: Phrases.timedOut(after: run.deadline - run.startedAt), payloads: []), to: run.job,
                ordinal: 0, state: run.output.state, at: moment)
            handlerFailed(run.work.runnable.name, at: moment)
            advance(run.job.peer, at: moment)
            dropEndedRuns()
        }
    }

    func dropEndedRuns() {
        guard let first = runOrder.first, runs[first] == nil else { return }
        let live = runOrder.firstIndex { runs[$0] != nil } ?? runOrder.endIndex
        runOrder.removeFirst(live)
    }

    private func nextRun() -> RunID {
        lastRun += 1
        return RunID(number: lastRun)
    }

    private func context(of run: RunID, _ work: Work, _ job: Job) -> Context {
        Context(arguments: work.arguments, job: job, run: run, outlet: outlet)
    }

    /// Answers that one run may send.
    static let replyLimit = 1_000

    /// The code that links the person's sentence with the log line: the row, so that the journal can be searched too.
    static func code(of row: RowID) -> String { "E" + String(row, radix: 36, uppercase: true) }
}
