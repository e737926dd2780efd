package import BellhopEngine
internal import BellhopXML
package import BellhopXMPP

/// What a house may ask of the account; everything leaves with the turn, after the commit.
extension AccountLoop {
    /// Whether messages can be sent now: logged in, the roster asked for, and our presence out where it is shown.
    package var isOnline: Bool { live?.isAnnounced ?? false }

    /// The JID that the server bound; nil while there is no session.
    package var boundJID: JID? { live?.bound.jid }

    /// Writes a message, which stands in this row of the journal, or in none (0); false while there is no session or too
    /// much waits for the server's acknowledgement, and then nothing was written.
    package func send(_ message: OutgoingMessage, row: Int64 = 0) -> Bool {
        guard let live, live.isAnnounced else { return false }
        if live.stream != nil {
            guard live.stream?.isFull == false else { return false }
            live.stream?.sent(row: row, now: now)
        }
        message.write(to: &outbox)
        return true
    }

    /// Whether the server says which messages it has.
    package var acknowledges: Bool { live?.stream != nil }

    /// Rows that were written to the stream and are not acknowledged.
    package var unacknowledgedRows: [Int64] { (live?.stream ?? suspended?.stream)?.queue.rows ?? [] }

    /// Writes a stanza that is no message of the journal.
    func write(_ stanza: Element, _ repetition: Repetition = .whole) {
        if live?.stream != nil { live?.stream?.sent(repetition == .whole ? .stanza(stanza) : .counted, now: now) }
        outbox.write(stanza, in: Namespace.client)
    }

    /// What becomes of a stanza that a broken stream took with it.
    enum Repetition {
        /// It is written again when the stream goes on.
        case whole
        /// It was true for a moment only.
        case never
    }

    /// Says what we do in a conversation just now (XEP-0085), where there is a session; without an id, since nobody wants to
    /// hear that it did not arrive.
    package func signal(_ state: ChatState, to jid: JID, thread: String?) {
        guard isOnline else { return }
        var message = Element("message", namespace: Namespace.client).with("to", "\(jid)").with("type", "chat")
        if let thread { message = message.with(Element("thread", namespace: Namespace.client).with(text: thread)) }
        write(message.with(state.element), .never)
    }

    /// Writes a presence stanza about a subscription to a bare JID (RFC 6121 section 3), now or when there is a session again.
    package func send(_ kind: Presence.Kind, to jid: JID) {
        let stanza = Presence(kind, to: jid.bare).element
        if live == nil { owe(stanza) } else { write(stanza) }
    }

    /// Shows this to the contacts from now on, after a reconnect too; what they see already is not written again.
    package func show(_ availability: Availability) {
        self.availability = availability
        guard let live, live.isAnnounced, settings.announces else { return }
        let presence = Presence(.available, availability: availability).element
        let text = presence.serialized(in: Namespace.client)
        guard text != live.shown else { return }
        live.shown = text
        write(presence)
    }

    /// What contacts see.
    package var shown: Availability { availability }

    /// Sends a request; `answered` gets the reply, or nil when none came in time, none can come or none was sent.
    package func request(_ content: IQ.Content, to peer: JID?, _ answered: @escaping (IQReply?) -> Void) {
        guard let session = live else { return answered(nil) }
        let id = session.nextID()
        do {
            let key = try session.requests.sent(id, to: peer, now: now, timeout: Self.requestTimeout)
            session.wait(for: key) { [self] reply in answered(withoutSecrets(reply)) }
            write(IQ(id: id, to: peer, content).element)
        } catch {
            answered(nil)
        }
    }

    /// A server may say back what it was told.
    private func withoutSecrets(_ reply: IQReply?) -> IQReply? {
        guard case .error(var error)? = reply, let text = error.text else { return reply }
        error.text = settings.secrets.cut(from: text)
        return .error(error)
    }

    /// Adds a contact to the roster, or changes its name and groups (RFC 6121 section 2.3).
    package func setContact(_ jid: JID, name: String?, groups: [String], _ answered: @escaping (IQReply?) -> Void) {
        let item = RosterItem(jid: jid.bare, name: name, groups: groups)
        request(.set(RosterChange.updated(item).query), to: nil, answered)
    }

    /// Removes a contact and both subscriptions (RFC 6121 section 2.5).
    package func removeContact(_ jid: JID, _ answered: @escaping (IQReply?) -> Void) {
        request(.set(RosterChange.removed(jid.bare).query), to: nil, answered)
    }

    /// Blocks a JID on the server (XEP-0191).
    package func block(_ jid: JID, _ answered: @escaping (IQReply?) -> Void) {
        let item = Element("item", namespace: Namespace.blocking).with("jid", jid.bareText)
        request(.set(Element("block", namespace: Namespace.blocking).with(item)), to: nil, answered)
    }

    /// Everybody in the roster, sorted by JID.
    package var rosterItems: [RosterItem] { contacts.roster.items }

    /// Whether the server has sent the roster in this session, or said that ours is still right.
    package var knowsRoster: Bool { contacts.isLoaded }

    package func rosterItem(_ jid: JID) -> RosterItem? { contacts.roster[jid] }

    /// What a contact shows; nil when it is not there.
    package func availability(of jid: JID) -> Availability? { contacts.presence[jid] }

    /// The clients of a contact that are there, by resource.
    package func resources(of jid: JID) -> [String: Availability] {
        Dictionary(
            contacts.presence.clients(of: jid).map { ($0.jid.resource ?? "", $0.availability) },
            uniquingKeysWith: { first, _ in first })
    }
}
