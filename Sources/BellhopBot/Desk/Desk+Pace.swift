internal import BellhopDiagnostics
internal import BellhopXMPP

/// A person whose messages wait though nothing of theirs runs, and until when.
struct SlowedPerson: Equatable {
    let person: JID
    let until: Duration
}

/// People who write faster than they may: what they write is logged at once and taken up in its order at the pace that is
/// theirs, in their lane, and nobody else waits for it.
///
/// Nothing of it costs anything where `commands.perPerson` is off and fewer than `DeskSettings.runLimit` handlers run.
extension Desk {
    /// Whether anybody may have to wait though nothing of theirs runs.
    var isLimited: Bool { paces != nil || runs.count >= plan.settings.runLimit }

    /// How long to wait before looking again whether a handler may begin.
    private static let runPatience = Duration.seconds(1)

    /// Whether a message is taken up now. `cancel` always is while something runs for its person, because it ends more work
    /// than it makes.
    func mayGoOn(_ job: Job, at moment: Moment) -> Bool {
        if lanes[job.peer]?.running != nil, case .builtin(.cancel, _)? = job.text.map(router.route) { return true }
        // What came before it waits.
        guard lanes[job.peer] == nil || lanes[job.peer]?.running != nil else { return false }
        return isAllowed(job.peer, at: moment)
    }

    private func isAllowed(_ person: JID, at moment: Moment) -> Bool {
        guard runs.count < settings.runLimit else { return false }
        return paces?.allow(person, now: moment.now) ?? true
    }

    /// Lets a message wait for the pace of its person, behind what waits already.
    func slow(_ job: Job, at moment: Moment) {
        if lanes[job.peer] == nil {
            lanes[job.peer] = Lane(running: nil, lastRow: job.row - 1)
            letWait(job.peer, at: moment)
            if slowNotices.allows(job.peer, now: moment.now) {
                log.warning(
                    "slowed", "A person writes faster than allowed; their messages are logged and handled one by one.",
                    ["peer": job.peer.bareText])
            }
        }
        wait(job, at: moment)
    }

    /// Whether the next message of a lane, if there is one, has to wait; then it is taken up later.
    func mustWait(_ person: JID, at moment: Moment) -> Bool {
        guard let lane = lanes[person], !lane.waiting.isEmpty || lane.isSpilled else { return false }
        guard !isAllowed(person, at: moment) else { return false }
        lanes[person]?.running = nil
        letWait(person, at: moment)
        return true
    }

    private func letWait(_ person: JID, at moment: Moment) {
        let next = runs.count < settings.runLimit ? paces?.next(person) ?? moment.now : moment.now + Self.runPatience
        let until = max(next, moment.now + .nanoseconds(1))
        // Mostly at the end, since most wait equally long.
        let place = slowed.lastIndex { $0.until <= until }
        slowed.insert(SlowedPerson(person: person, until: until), at: place.map { $0 + 1 } ?? 0)
    }

    func goOnWithSlowed(at moment: Moment) {
        guard let first = slowed.first, first.until <= moment.now else { return }
        let due = slowed.prefix { $0.until <= moment.now }
        slowed.removeFirst(due.count)
        for entry in due {
            guard let lane = lanes[entry.person], lane.running == nil else { continue }
            advance(entry.person, at: moment)
        }
    }

    /// Another pace holds from now on; whoever waits is looked at anew.
    func changePace(to pace: Pace?, at moment: Moment) {
        paces = pace.map(PersonPaces.init)
        slowed = slowed.map { SlowedPerson(person: $0.person, until: moment.now) }
    }
}
