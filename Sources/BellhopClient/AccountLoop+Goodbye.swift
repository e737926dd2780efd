internal import BellhopEngine
internal import BellhopXML
internal import BellhopXMPP

/// The two stages of stopping: goodbye, and then the end at once.
extension AccountLoop {
    /// How long the server may take to end its half of the stream.
    private static let farewell: Duration = .seconds(2)

    func stopRequested() {
        guard !isStopping else {
            phase = .ended(.stopped)
            return
        }
        isStopping = true
        house?.stopping(now: now)
        switch phase {
        case .idle, .dialling, .waiting: phase = .ended(.stopped)
        case .negotiating(let link, _, _):
            outbox.streamEnd()
            flush()
            link.finish()
            phase = .ended(.stopped)
        case .live, .closing, .ended: break
        }
    }

    /// Says goodbye once nothing runs any more that the stop should wait for.
    func stopWhenQuiet() {
        guard isStopping, case .live(let link, let session) = phase, house?.isQuiet ?? true else { return }
        if waitsForAcknowledgement(session) { return }
        farewellEnds = nil
        if settings.announces { outbox.write(Presence(.unavailable).element, in: Namespace.client) }
        outbox.streamEnd()
        // A stream that was ended properly is over (XEP-0198 section 5).
        house?.keep(nil)
        phase = .closing(link, deadline: now + Self.farewell, .stopped)
        // Behind the end of the stream nothing may be said, whatever those who hear of this would like to.
        session.abandon()
    }

    /// Ends the loop as the end of its process would: no goodbye, and nothing of this turn leaves.
    ///
    /// For stages that kill a bot; to be called out of the house's `commit`, which then holds the turn, or out of `committed`.
    package func kill() {
        isKilled = true
        phase = .ended(.stopped)
    }

    /// Makes each window for an attempt to come back as long as this, for stages whose server is never far.
    package func comeBack(within window: Duration) { backoff = Backoff(first: window, spread: window, cap: window) }

    /// A message that the server has not acknowledged would be sent once more by the next run.
    private func waitsForAcknowledgement(_ session: LiveSession) -> Bool {
        guard let stream = session.stream, stream.isEnabled, stream.queue.rowCount > 0 else { return false }
        let end = farewellEnds ?? now + Self.farewell
        farewellEnds = end
        return now < end
    }

    func end(_ link: Link, _ ending: AccountEnding) {
        link.finish()
        phase = .ended(ending)
    }
}
