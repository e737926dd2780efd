internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopXML
internal import BellhopXMPP

/// By which clock the age of a message is counted, and what a process that slept does not know of it.
extension AccountLoop {
    /// Clocks that differ by less are taken to be the same: it is what an ordinary machine gets wrong in a year without care.
    private static let tolerance: Duration = .seconds(60)

    /// Asks the server what time it is (XEP-0202). Before our presence, because what comes behind that may be old.
    func askTime() {
        let asked = now
        request(.get(ServerClock.question), to: server) { [self] reply in
            guard case .result(let payload?)? = reply,
                let clock = ServerClock(payload, asked: asked, answered: now)
            else { return }
            live?.reading.serverClock = clock
            compareClocks()
        }
    }

    /// Says once how far our clock is off, and again when that has changed.
    func compareClocks() {
        guard let lead = live?.reading.serverClock?.lead(of: clock, at: now) else { return }
        guard abs(lead - saidLead) > Self.tolerance else { return }
        if abs(lead) > Self.tolerance {
            saidLead = lead
            log.warning("clock", ClockPhrases.off(lead))
        } else {
            saidLead = .zero
            log.info("clock", ClockPhrases.right)
        }
    }

    private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }

    /// A live loop wakes at least so often, so that a longer pause between two turns shows that nobody ran it: the process was
    /// stopped, or the machine slept.
    var longestNap: Duration { settings.maxAge / 2 }

    /// The loop has not run since that moment, for longer than a command may be old. What the socket holds may have waited so long, and
    /// nothing in it says so; what the server writes behind its answer to a ping has not.
    func woke(_ session: LiveSession, sleptSince moment: Duration) {
        log.warning("sleep", ClockPhrases.slept(now - moment))
        session.reading.heldSince = moment
        request(.get(Element("ping", namespace: Namespace.ping)), to: server) { _ in session.reading.heldSince = nil }
    }
}
