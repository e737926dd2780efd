internal import BellhopDiagnostics
package import BellhopXMPP

/// The pause: no handler runs and no answer of one leaves; what people write is logged and waits.
extension Desk {
    package var isPaused: Bool { pause != nil }

    /// Stops all handlers, and keeps what comes from running until `endPause`; false when the bot is paused already.
    ///
    /// Whoever waits for a handler is told that it was stopped. What waits behind one stays `received` in the ledger. The
    /// admins are told, except for the one who asked.
    package func beginPause(by who: String, except admin: JID? = nil, at moment: Moment) -> Bool {
        guard pause == nil else { return false }
        let pause = Pause(since: moment.clock, by: who)
        self.pause = pause
        ledger.store(pause)
        log.warning("paused", "Paused: nothing runs, and what people write waits.", ["by": who])
        pauseNotices = Self.newPauseNotices
        heldCommands = waitingCount
        stopAll(at: moment)
        showPresence()
        tellAdmins(Phrases.pausedBy(who), except: admin, at: moment)
        return true
    }

    /// Lets handlers run again; nil when the bot is not paused.
    ///
    /// What waited is treated as after a restart: messages to be sent leave, commands run unless they are stale.
    package func endPause(by who: String, except admin: JID? = nil, at moment: Moment) -> Resumption? {
        guard pause != nil else { return nil }
        pause = nil
        ledger.store(nil)
        heldCommands = 0
        showPresence()
        chat.sendQueued()
        var resumption = Resumption(run: 0, late: 0)
        if let waiting = ledger.unfinished() {
            resumption.late = waiting.count { $0.state == .received && isStale($0, at: moment) }
            resumption.run = waiting.count - resumption.late
            takeUp(waiting, at: moment)
        } else {
            log.warning("resumed", "The commands that waited cannot be read; they are taken up at the next start.")
        }
        log.info(
            "resumed", "The pause is over.",
            ["by": who, "run": "\(resumption.run)", "late": "\(resumption.late)"])
        tellAdmins(Phrases.resumedBy(who), except: admin, at: moment)
        return resumption
    }

    /// How many commands wait for the end of the pause.
    package var heldCommandCount: Int { heldCommands }

    static var newPauseNotices: NoticeLimit { NoticeLimit(count: 1, period: .seconds(600)) }

    /// A restart does not end a pause.
    func noteStoredPause() {
        guard let pause else { return }
        showPresence()
        log.warning(
            "paused", "Still paused: nothing runs, and what people write waits; this command ends it.",
            ["since": pause.since.description, "by": pause.by, "command": "\(program) resume"])
    }

    private func stopAll(at moment: Moment) {
        let stopped = runOrder.compactMap { runs[$0] }
        runs = [:]
        runOrder = []
        uncommitted = []
        lanes = [:]
        slowed = []
        waitingCount = 0
        chat.keepBack()
        events.cancel()
        callOffAll(because: "paused", at: moment)
        for run in stopped {
            run.task?.cancel()
            settle(run.job, .interrupted, reason: "paused")
            endAudit(run, .interrupted, at: moment)
            let sentence = Phrases.pausedWhileWorking(run.job.text ?? run.work.runnable.name)
            send(Reply(text: sentence, payloads: []), to: run.job, ordinal: 0, state: run.output.state, at: moment)
        }
    }

    // MARK: What comes meanwhile

    /// Keeps what would run a handler, and tells its sender; everything else is decided as always.
    func takePaused(_ job: Job, at moment: Moment) {
        guard runsHandler(job) else { return handle(job, at: moment) }
        let isKept = keep(job)
        // A message without a body comes from a program, which has no use for a sentence.
        guard job.text != nil, pauseNotices.allows(job.peer, now: moment.now) else { return }
        let sentence = isKept ? Phrases.paused(maxAge: settings.maxAge) : Phrases.pausedAndFull
        send(
            Reply(text: sentence, payloads: []), to: job, ordinal: isKept ? Ordinal.paused : 0, at: moment)
    }

    /// Leaves a job to the ledger until the pause is over; false when so many wait that it is declined.
    @discardableResult
    func keep(_ job: Job) -> Bool {
        guard heldCommands < settings.waitingLimit else {
            settle(job, .declined, reason: "paused")
            return false
        }
        heldCommands += 1
        return true
    }

    func runsHandler(_ job: Job) -> Bool {
        guard let text = job.text else { return isAllowed(payloadHandler, job) }
        guard text.utf8.count <= settings.textLimit else { return false }
        switch router.route(text) {
        case .command(let place, _): return isAllowed(commands[place], job)
        case .otherwise: return isAllowed(otherwise, job)
        case .builtin, .unknown, .nothing: return false
        }
    }

    private func isAllowed(_ runnable: Runnable?, _ job: Job) -> Bool {
        guard let runnable else { return false }
        return decide(job, runnable.policy).isAllowed
    }
}
