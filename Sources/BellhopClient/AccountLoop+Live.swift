internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopXML
package import BellhopXMPP

/// What the server sends on a live stream, and where it goes.
extension AccountLoop {
    /// How long our server may take to answer a request.
    static let requestTimeout: Duration = .seconds(30)

    /// The first things on a new session: the roster, then our presence.
    func begin(_ session: LiveSession) {
        // The server counts from its login on, so also what is asked first.
        if let enabled = session.bound.enabled { manageStream(of: session, enabled: enabled) }
        askTime()
        if settings.managesStream, session.stream == nil, session.bound.features.streamManagement {
            manageStream(of: session)
        }
        contacts.sessionBegan()
        askForRoster(session) { [self] in announce(session) }
    }

    /// Asks for the roster; `then` comes after its answer, or the lack of one.
    func askForRoster(_ session: LiveSession, then: @escaping () -> Void) {
        let query = contacts.request(versioning: session.bound.features.rosterVersioning)
        link?.awaitRoster(true)
        request(.get(query), to: nil) { [self] reply in
            guard live === session else { return }
            link?.awaitRoster(false)
            if case .result(let payload)? = reply {
                tell(contacts.receivedRoster(payload))
                house?.occurred(.rosterLoaded(contacts: contacts.roster.count), now: now)
            } else {
                log.warning("roster", "The server did not send the roster; the bot goes on without it")
            }
            then()
        }
    }

    private func announce(_ session: LiveSession) {
        session.isAnnounced = true
        show(availability)
        writeOwed()
        house?.occurred(.online(session.login), now: now)
        if settings.announces { copyMessages(session) }
    }

    func receive(_ event: StreamEvent, _ session: LiveSession) {
        switch event {
        case .element(let element): receive(element, session)
        case .closed:
            part(with: nil)
            comeBack(after: .streamClosed)
        case .failed(let fault):
            part(with: StreamError(fault: fault).element)
            comeBack(after: .unreadable(fault))
        case .opened: break
        }
    }

    /// Ends our half of the stream at once. What the turn has collected does not go with it: it is not in the journal yet.
    func part(with error: Element?) {
        guard case .live(let link, _) = phase else { return }
        var farewell = XMLWriter(stream: Namespace.client)
        if let error { farewell.write(error) }
        farewell.streamEnd()
        _ = link.send(farewell.bytes)
        link.finish()
    }

    private func receive(_ element: Element, _ session: LiveSession) {
        guard element.namespace == Namespace.client else {
            if element.namespace == Namespace.streamManagement { return receiveManagement(element, session) }
            if element.is("features", Namespace.streams) { session.offers(ServerFeatures(element)) }
            if let error = StreamError(element) {
                house?.occurred(.streamEnded(error.condition), now: now)
                comeBack(after: .streamError(error, encrypted: session.bound.encrypted))
            }
            return
        }
        switch element.name {
        case "message":
            session.stream?.received(isMessage: true)
            receiveMessage(element, session)
        case "presence":
            session.stream?.received(isMessage: false)
            receivePresence(element, session)
        case "iq":
            session.stream?.received(isMessage: false)
            receiveIQ(element, session)
        default: break
        }
    }

    private func receiveMessage(_ element: Element, _ session: LiveSession) {
        session.reading.now = clock
        session.reading.moment = now
        let message = IncomingMessage(
            stanza: element, reading: session.reading, address: { session.addresses.jid($0) })
        if message.obstacle == .archive, receiveArchived(element, from: message.sender, session) { return }
        if message.type == .error {
            house?.bounced(message, now: now)
        } else {
            house?.received(message, now: now)
        }
    }

    private func receivePresence(_ element: Element, _ session: LiveSession) {
        guard let presence = Presence(element) else { return }
        switch presence.type {
        case .subscribe:
            guard let from = presence.from, from.bareText != session.bound.jid.bareText else { return }
            house?.requested(by: from.bare, stanza: presence, now: now)
        case .subscribed, .unsubscribe, .unsubscribed:
            guard let from = presence.from else { return }
            house?.occurred(.subscriptionNotice(from.bare, presence.type), now: now)
        case .available, .unavailable, .error: tell(contacts.received(presence, account: session.bound.jid))
        case .probe: break
        }
    }

    private func receiveIQ(_ element: Element, _ session: LiveSession) {
        let iq: IQ
        do throws(IQFault) {
            iq = try IQ(element)
        } catch {
            if case .malformed(let answer) = error { write(answer.element) }
            return
        }
        if let (key, reply) = session.requests.received(iq, account: session.bound.jid) {
            return session.answered(key, reply)
        }
        if RosterMachine.isPush(iq) { return tell(contacts.receivedPush(iq, account: session.bound.jid)) }
        if let answer = answer(to: iq) { write(answer.element) }
    }

    /// Every request gets exactly one answer, and nothing else gets any (RFC 6120 section 8.2.3).
    private func answer(to iq: IQ) -> IQ? {
        guard case .get(let payload) = iq.content else { return iq.refusal(StanzaError(.serviceUnavailable)) }
        switch (payload.name, payload.namespace) {
        case ("ping", Namespace.ping): return iq.result()
        case ("query", Namespace.discoInfo) where payload["node"] == nil:
            let identity = Element("identity", namespace: Namespace.discoInfo)
                .with("category", "client").with("type", "bot").with("name", "Bellhop")
            let known = [Namespace.discoInfo, Namespace.ping] + (settings.showsTyping ? [Namespace.chatStates] : [])
            let features = known.map {
                Element("feature", namespace: Namespace.discoInfo).with("var", $0)
            }
            return iq.result(
                features.reduce(Element("query", namespace: Namespace.discoInfo).with(identity)) { $0.with($1) })
        default: return iq.refusal(StanzaError(.serviceUnavailable))
        }
    }

    /// Sends the answer that a roster change wants, and tells the house what changed.
    private func tell(_ outcome: RosterMachine.Outcome) {
        if let answer = outcome.answer { write(answer) }
        for event in outcome.roster {
            switch event {
            case .added(let item), .changed(_, let item): house?.occurred(.rosterChanged(item), now: now)
            case .removed(let item): house?.occurred(.rosterRemoved(item.jid), now: now)
            }
        }
        for event in outcome.presence {
            switch event {
            case .contactOnline(let jid, let shown): house?.occurred(.contactOnline(jid, shown), now: now)
            case .contactOffline(let jid): house?.occurred(.contactOffline(jid), now: now)
            case .contactChanged(let jid, let shown): house?.occurred(.contactChanged(jid, shown), now: now)
            }
        }
    }

    func reachDeadline(of session: LiveSession) {
        guard let deadline = session.nextDeadline, deadline <= now else { return }
        for key in session.requests.timePassed(now) { session.answered(key, nil) }
        guard live === session else { return }
        switch session.watch?.timePassed(now) {
        case .ask:
            compareClocks()
            ask(session)
        case .giveUp: comeBack(after: .silent)
        case nil: break
        }
    }

    /// Any answer will do, an error as well (XEP-0199 section 4.2): what comes in is noted as it is read.
    private func ask(_ session: LiveSession) {
        log.debug("ping", "The server is silent; asking whether it is there")
        request(.get(Element("ping", namespace: Namespace.ping)), to: server) { _ in }
    }

    /// Our server as one that can be asked; nil where the domain is none, and then it is asked as the account's own.
    ///
    /// Once it has bound an address the domain is the one in it: a server may serve us under another name than the account's, and
    /// take that for a stranger's.
    package var server: JID? { try? JID(live?.bound.jid.domain ?? settings.jid.domain) }

    /// Whether the account is online and its server has answered the last ping, or was heard since.
    package var isServerAnswering: Bool {
        guard isOnline, let live else { return false }
        return !(live.watch?.isAsking ?? false)
    }
}
