internal import BellhopDiagnostics
internal import BellhopXMPP

/// Lanes: what waits behind a running handler of its conversation.
extension Desk {
    /// Keeps a job behind the others of its conversation; when memory is full its row in the ledger waits alone. When too
    /// many wait there, it is declined: each of them costs the ledger a place in memory.
    func wait(_ job: Job, at moment: Moment) {
        guard var lane = lanes.removeValue(forKey: job.peer) else { return }
        if lane.isSpilled || lane.waiting.count >= settings.laneLimit || waitingCount >= settings.waitingLimit {
            lane.isSpilled = true
            guard lane.spilled < settings.spillLimit else {
                lanes[job.peer] = lane
                settle(job, .declined, reason: "too many")
                return notify(job, Phrases.tooManyWait, at: moment)
            }
            lane.spilled += 1
        } else {
            lane.waiting.append(job)
            lane.lastRow = job.row
            waitingCount += 1
        }
        lanes[job.peer] = lane
    }

    /// The handler of this conversation is done: takes what waits, until a handler runs again or nothing is left.
    func advance(_ peer: JID, at moment: Moment) {
        while true {
            if isLimited, mustWait(peer, at: moment) { return }
            guard let job = nextJob(of: peer) else { break }
            // A handler that runs on the spot is done when this returns; one in a task takes the lane.
            let before = lastRun
            handle(job, at: moment)
            if lastRun != before, runs[RunID(number: lastRun)] != nil { return }
        }
        lanes[peer] = nil
    }

    private func nextJob(of peer: JID) -> Job? {
        guard var lane = lanes.removeValue(forKey: peer) else { return nil }
        defer { lanes[peer] = lane }
        if lane.waiting.isEmpty && lane.isSpilled {
            let stored = ledger.waiting(peer, after: lane.lastRow, limit: settings.laneLimit)
            lane.isSpilled = stored.count >= settings.laneLimit
            lane.spilled = lane.isSpilled ? max(0, lane.spilled - stored.count) : 0
            lane.waiting = stored.compactMap { Self.job($0, peer: peer) }
            lane.lastRow = stored.last?.row ?? lane.lastRow
            waitingCount += lane.waiting.count
        }
        guard !lane.waiting.isEmpty else { return nil }
        waitingCount -= 1
        return lane.waiting.removeFirst()
    }

    private static func job(_ stored: UnfinishedMessage, peer: JID) -> Job? {
        guard let sender = stored.message.sender else { return nil }
        return Job(row: stored.row, message: stored.message, sender: sender, peer: peer)
    }

    /// Takes up what the last process left, in the order of the rows; called once, before anything is received.
    package func resume(_ unfinished: [UnfinishedMessage], at moment: Moment) {
        noteStoredPause()
        takeUp(unfinished, at: moment)
    }

    /// Takes up what waits in the ledger after a restart or a pause, in the order of the rows.
    ///
    /// What was only received runs now, if it is not stale. What was started is not run again, for it may be half done:
    /// its sender is told. Only what is declared idempotent simply runs again.
    func takeUp(_ unfinished: [UnfinishedMessage], at moment: Moment) {
        for stored in unfinished {
            guard let sender = stored.message.sender, let job = Self.job(stored, peer: sender.bare) else { continue }
            switch stored.state {
            case .started where isPaused || !isIdempotent(job):
                log.info(
                    "interrupted", "A command was cut off by a restart; its sender is told.",
                    ["peer": job.peer.bareText])
                settle(job, .interrupted, reason: "restart")
                closeAudit(job, .interrupted, after: nil)
                send(
                    Reply(text: Phrases.restarted(job.text ?? ""), payloads: []), to: job, ordinal: 0, at: moment)
            case .received where stored.reason == Self.waitsForYes:
                forget(job, at: moment)
            case .received where isStale(stored, at: moment):
                settle(job, .declined, reason: "stale")
                notify(job, Phrases.stale(job.text ?? ""), at: moment)
            case .received where isPaused && runsHandler(job):
                keep(job)
            case .received, .started:
                take(job, at: moment)
            case .handled, .interrupted, .declined:
                continue
            }
        }
    }

    func isStale(_ stored: UnfinishedMessage, at moment: Moment) -> Bool {
        let age = moment.clock.milliseconds.subtractingReportingOverflow(stored.receivedAt.milliseconds).partialValue
        return .milliseconds(age) > settings.maxAge
    }

    private func isIdempotent(_ job: Job) -> Bool {
        guard let text = job.text else { return payloadHandler?.rules.isIdempotent ?? true }
        switch router.route(text) {
        case .command(let place, _): return commands[place].rules.isIdempotent
        case .otherwise: return otherwise?.rules.isIdempotent ?? true
        case .builtin, .unknown, .nothing: return true
        }
    }
}
