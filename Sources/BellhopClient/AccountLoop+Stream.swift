internal import BellhopDiagnostics
package import BellhopEngine
internal import BellhopTransport
internal import BellhopXML
internal import BellhopXMPP

/// Acknowledgements in both directions, and streams that go on after a break (XEP-0198).
extension AccountLoop {
    /// Takes up the stream of an earlier process at the first login, if the server still has it.
    ///
    /// A stream that is bound to another account is none of ours; to another domain the server may have bound this one.
    package func resume(_ stored: StoredStream) {
        guard settings.managesStream, stored.bound.local == settings.jid.local else { return }
        suspended = SuspendedStream(
            stream: StreamManagement(stored), bound: stored.bound, session: nil, shown: stored.shown, since: now)
    }

    /// The first thing on a new session: what is written from here on is counted.
    func manageStream(of session: LiveSession) {
        outbox.write(StreamManagement.enable, in: Namespace.client)
        session.stream = StreamManagement()
    }

    /// The same, where the server turned it on with the login: what is written from here on is counted.
    func manageStream(of session: LiveSession, enabled: Element) {
        session.stream = StreamManagement()
        receiveManagement(enabled, session)
    }

    /// An element of stream management came in on a live stream.
    func receiveManagement(_ element: Element, _ session: LiveSession) {
        guard session.stream != nil else { return }
        switch element.name {
        case "r": session.stream?.receivedRequest()
        case "a": receiveAcknowledgement(element, session)
        case "enabled":
            session.stream?.receivedEnabled(element)
            log.debug(
                "stream", "Stream management is on",
                ["resumable": session.stream?.isResumable == true ? "yes" : "no"])
        case "failed": refuseManagement(session)
        default: break
        }
    }

    private func receiveAcknowledgement(_ element: Element, _ session: LiveSession) {
        do throws(StreamManagement.Fault) {
            guard let count = StreamManagement.count(in: element) else { throw .unreadable }
            let rows = try session.stream?.acknowledged(count) ?? []
            if !rows.isEmpty { house?.acknowledged(rows, now: now) }
        } catch {
            endMiscounted(error, session)
        }
    }

    /// The server does not want it: what it says no word about counts as written, as on every such stream.
    private func refuseManagement(_ session: LiveSession) {
        guard session.stream?.isEnabled == false else { return }
        let rows = session.stream?.queue.rows ?? []
        session.stream = nil
        log.warning(
            "stream", "The server offers stream management and refuses it; messages can be lost with a broken line")
        if !rows.isEmpty { house?.acknowledged(rows, now: now) }
    }

    /// The server counts what was never sent: nothing it says of this stream can be believed.
    private func endMiscounted(_ fault: StreamManagement.Fault, _ session: LiveSession) {
        lose(&session.stream, handled: nil)
        part(with: fault.element)
        comeBack(after: .miscounted(fault))
    }

    private func lose(_ stream: inout StreamManagement?, handled: UInt32?) {
        guard let (rows, uncertain) = stream?.lost(handled) else { return }
        stream = nil
        if !rows.isEmpty { house?.acknowledged(rows, now: now) }
        // In front of what was said since.
        owed = uncertain.wholeStanzas.filter { Presence($0)?.type.isAboutSubscription == true } + owed
        let lost = uncertain.rows
        if !lost.isEmpty { house?.lostSight(of: lost, now: now) }
    }

    // MARK: With each turn

    /// Has the house keep what a later process would resume with, before the turn is committed.
    func keepStream() {
        guard let live, live.isAnnounced, live.stream != nil else { return }
        if let fault = live.stream?.overflow { return endMiscounted(fault, live) }
        guard var change = live.stream?.takeChange(bound: live.bound.jid) else { return }
        change.shown = live.shown
        house?.keep(change)
    }

    /// Answers and asks, behind everything that the turn has to say; what is in memory only is not acknowledged.
    func writeAcknowledgements(isStored: Bool) {
        if isStored {
            live?.stream?.noteStored()
            suspended?.stream.noteStored()
        }
        guard let live, live.stream != nil else { return }
        if live.stream?.owesAnswer == true,
            let answer = isStored ? live.stream?.takeAnswer() : live.stream?.takeOldAnswer()
        {
            outbox.write(answer, in: Namespace.client)
        }
        if live.stream?.takeRequest(now: now, atOnce: isStopping) == true {
            outbox.write(Element("r", namespace: Namespace.streamManagement), in: Namespace.client)
            live.watch?.asked(now)
        }
    }

    // MARK: Breaks

    /// Keeps the stream of a session that broke, where it may go on; whether it may.
    func suspend(_ session: LiveSession) -> Bool {
        guard let stream = session.stream else { return false }
        guard stream.isResumable, session.isAnnounced else {
            lose(&session.stream, handled: nil)
            return false
        }
        session.stream = nil
        suspended = SuspendedStream(
            stream: stream, bound: session.bound.jid, session: session, shown: session.shown, since: now)
        return true
    }

    /// The server does not go on with the stream; what it knows of our stanzas it may still say.
    func giveUpSuspended(handled: UInt32? = nil) {
        guard let gone = suspended else { return }
        suspended = nil
        var stream: StreamManagement? = gone.stream
        lose(&stream, handled: handled)
        house?.keep(nil)
        log.debug("stream", "The broken stream cannot go on; a new session begins")
        gone.session?.abandon()
    }

    /// Where the server would like a broken stream to be resumed; said once for each break.
    func takeLocation() -> ServerTarget? {
        guard var waiting = suspended, !waiting.wasLocationTried, let location = waiting.stream.location else {
            return nil
        }
        waiting.wasLocationTried = true
        suspended = waiting
        return target(location)
    }

    func wentResumed(_ bound: Bound, handled: UInt32, _ link: Link) {
        guard let broken = suspended else { return }
        suspended = nil
        // With SASL2 the stream that logged in goes on as it is.
        link.widen()
        let login = noteLogin(bound, link, known: broken.session?.bound.features)
        let session = broken.session ?? makeSession(bound, login)
        session.login = login
        session.stream = broken.stream
        session.requests.extend(by: now - broken.since)
        watch(session)
        phase = .live(link, session)
        do throws(StreamManagement.Fault) {
            guard let (rows, again) = try session.stream?.resumed(handled) else { return }
            for entry in again { writeAgain(entry) }
            // Behind what is written again: the house may now send what had no room.
            if !rows.isEmpty { house?.acknowledged(rows, now: now) }
        } catch {
            return endMiscounted(error, session)
        }
        if broken.session == nil {
            // The server has told an earlier process who is there; of the roster it can be asked again.
            session.isAnnounced = true
            contacts.sessionBegan()
            askTime()
            askForRoster(session) {}
        }
        session.shown = broken.shown
        show(availability)
        writeOwed()
        house?.occurred(.resumed(login), now: now)
    }

    /// Keeps a stanza about a subscription for the next session; what is too much is dropped, and the server brings a request
    /// that got no answer again.
    func owe(_ stanza: Element) {
        if owed.count < Self.mostOwed { owed.append(stanza) }
    }

    private static let mostOwed = 10_000

    func writeOwed() {
        let stanzas = owed
        owed = []
        for stanza in stanzas { write(stanza) }
    }

    private func writeAgain(_ entry: OutgoingQueue.Entry) {
        switch entry {
        case .message(let row):
            guard let message = house?.message(in: row) else { return }
            live?.stream?.sent(row: row, now: now)
            message.write(to: &outbox)
        case .stanza(let stanza): write(stanza)
        case .counted: break
        }
    }
}
