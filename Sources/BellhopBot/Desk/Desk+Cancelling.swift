internal import BellhopDiagnostics
internal import BellhopXMPP

/// `cancel`: people stop what runs for them, admins what runs for anybody.
extension Desk {
    /// Whether a message is heard although a handler of its conversation runs: what is built in is quick, and `cancel`
    /// and `pause` would come too late behind what they are to stop.
    func overtakes(_ job: Job) -> Bool {
        guard let text = job.text, text.utf8.count <= Self.builtinLimit else { return false }
        if case .builtin = router.route(text) { return true }
        return false
    }

    /// Longer messages, in bytes, are not looked at before their turn.
    private static let builtinLimit = 4_096

    func cancel(_ arguments: String, _ job: Job, at moment: Moment) {
        let isAdmin = settings.permissions.isAdmin(job.sender)
        var output = Output(of: nil)
        guard let request = CancelRequest(arguments) else {
            settle(job, .handled)
            let usage = isAdmin ? Phrases.cancelUsageForAdmins : Phrases.cancelUsage
            return conclude(usage, in: &output, to: job, at: moment)
        }
        if let person = request.person, person != job.peer {
            guard isAdmin else {
                settle(job, .declined, reason: "not permitted")
                return notify(job, Phrases.notPermitted, at: moment)
            }
            settle(job, .handled)
            let rule = AccessPolicy(command: Builtin.cancel.rawValue, audience: .roles([]), source: .builtin)
            audit(job, decide(job, rule), .answered, at: moment)
            return cancel(for: person, request, job, at: moment)
        }
        settle(job, .handled)
        let waiting = lanes[job.peer]
        guard let run = interrupt(job.peer, at: moment) else {
            return conclude(Phrases.nothingToCancel, in: &output, to: job, at: moment)
        }
        let sentence =
            request.includesWaiting
            ? Phrases.cancelledAll(run.name, dropped: dropWaiting(job.peer))
            : Phrases.cancelled(
                run.name, waiting: waiting?.waiting.count ?? 0, isMore: waiting?.isSpilled ?? false)
        conclude(sentence, in: &output, to: job, at: moment)
        advance(job.peer, at: moment)
    }

    private func cancel(for person: JID, _ request: CancelRequest, _ job: Job, at moment: Moment) {
        var output = Output(of: nil)
        guard let run = interrupt(person, at: moment) else {
            return conclude(Phrases.nothingToCancel(for: person), in: &output, to: job, at: moment)
        }
        let dropped = request.includesWaiting ? dropWaiting(person) : 0
        send(
            Reply(text: Phrases.cancelledByAdmin(run.name, dropped: dropped), payloads: []), to: run.job, ordinal: 0,
            state: run.output.state, at: moment)
        conclude(
            Phrases.cancelledFor(person, run.work.runnable.name, dropped: dropped), in: &output, to: job, at: moment)
        advance(person, at: moment)
    }

    /// Ends the run of a conversation before its time; nil when nothing runs there.
    private func interrupt(_ person: JID, at moment: Moment) -> Run? {
        guard let id = lanes[person]?.running, let run = runs.removeValue(forKey: id) else { return nil }
        run.task?.cancel()
        ledger.mark(run.job.row, .interrupted, reason: "cancelled")
        endAudit(run, .cancelled, at: moment)
        stopTyping(run)
        log.info(
            "handler cancelled", "A handler was stopped by a person.",
            ["handler": run.work.runnable.name, "peer": person.bareText])
        return run
    }

    /// Declines what waits in a conversation, in memory and in the ledger; returns how much that was.
    private func dropWaiting(_ person: JID) -> Int {
        guard var lane = lanes.removeValue(forKey: person) else { return 0 }
        var dropped = lane.waiting.count
        for job in lane.waiting { settle(job, .declined, reason: "cancelled") }
        waitingCount -= lane.waiting.count
        lane.waiting = []
        while lane.isSpilled {
            let stored = ledger.waiting(person, after: lane.lastRow, limit: settings.laneLimit)
            for message in stored { ledger.mark(message.row, .declined, reason: "cancelled") }
            dropped += stored.count
            lane.lastRow = stored.last?.row ?? lane.lastRow
            lane.isSpilled = stored.count >= settings.laneLimit
        }
        lanes[person] = lane
        return dropped
    }
}

extension Run {
    /// What the person wrote, else what the handler is called.
    fileprivate var name: String { job.text ?? work.runnable.name }
}
