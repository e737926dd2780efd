package import BellhopXML
package import BellhopXMPP

/// Where stanzas go, and what becomes of those whose addressee is away.
extension SimulatedServer {
    // MARK: what people do

    /// Adds somebody who can write to the accounts; a full address names their client, too.
    package mutating func add(_ person: JID) {
        let full = person.resource == nil ? (try? person.with(resource: "phone")) ?? person : person
        people[person.bareText] = people[person.bareText] ?? SimulatedPerson(full)
    }

    /// A person says something to an account; returns the message's id.
    @discardableResult
    package mutating func say(
        _ body: String, from person: JID, to account: JID, id: String? = nil, at moment: SimulatedMoment
    ) -> String {
        let id = id ?? random.token()
        let message = Element("message", namespace: Namespace.client)
            .with("to", account.description).with("type", "chat").with("id", id)
            .with(Element("body", namespace: Namespace.client).with(text: body))
        send(message, from: person, at: moment)
        return id
    }

    /// A person sends any stanza; its `from` becomes the address of their client.
    package mutating func send(_ stanza: Element, from person: JID, at moment: SimulatedMoment) {
        self.moment = moment
        add(person)
        guard let sender = people[person.bareText]?.jid, let to = stanza["to"], let target = try? JID(received: to)
        else { return }
        let stanza = stanza.with("from", sender.description)
        switch stanza.name {
        case "message": deliver(stanza, to: target)
        case "presence": deliver(presence: stanza, from: sender, to: target)
        default:
            guard let index = session(for: target) else { return }
            transmit(stanza, to: index)
        }
    }

    /// What came to an account's address while nobody was there, oldest first; ids.
    package func offlineIDs(of account: String) -> [String] {
        accounts[account]?.offline.compactMap { $0.stanza["id"] } ?? []
    }

    // MARK: what clients send

    /// A stanza of a client, on a live stream.
    mutating func receivedLive(_ element: Element, _ index: Int, on connection: Int) {
        if element.namespace == Namespace.streamManagement { return managed(element, in: index, on: connection) }
        guard element.namespace == Namespace.client, ["message", "presence", "iq"].contains(element.name) else {
            return end(connection, StreamError(.unsupportedStanzaType))
        }
        if let limit = options.limits?.bytes, element.serialized(in: Namespace.client).utf8.count > limit {
            return end(connection, StreamError(.policyViolation, text: "a stanza is larger than \(limit) bytes"))
        }
        let session = sessions[index]
        if let from = element["from"], from != session.full, from != session.account {
            return end(connection, StreamError(.invalidFrom))
        }
        sessions[index].management?.handled &+= 1
        let stanza = element.with("from", session.full)
        let to: JID?
        if let text = stanza["to"] {
            guard let jid = try? JID(received: text) else {
                return transmit(Self.refusal(of: stanza, .jidMalformed), to: index)
            }
            to = jid
        } else {
            to = nil
        }
        switch stanza.name {
        case "message": receivedMessage(stanza, to: to, index)
        case "presence": receivedPresence(stanza, to: to, index)
        default: receivedIQ(stanza, to: to, index)
        }
    }

    private mutating func receivedMessage(_ message: Element, to: JID?, _ index: Int) {
        let session = sessions[index]
        let target = to ?? (try? JID(received: session.account))
        guard let target else { return }
        if target.bareText != session.account { archive(message, of: session.account, with: target) }
        copy(message, sentBy: session)
        if people[target.bareText] != nil { return hear(message, target.bareText) }
        if accounts[target.bareText] != nil {
            return deliver(message.with("to", target.description), to: target)
        }
        guard message["type"] != "error" else { return }
        let reason: StanzaError.Condition =
            target.domain == options.domain ? .serviceUnavailable : .remoteServerNotFound
        transmit(Self.refusal(of: message, reason), to: index)
    }

    private mutating func hear(_ message: Element, _ person: String) {
        guard let body = message.child("body", Namespace.client)?.text, message["type"] != "error" else {
            people[person]?.received.append(message)
            return
        }
        people[person]?.hear(
            HeardMessage(
                id: message["id"], body: body, from: message["from"] ?? "", stanza: message, at: moment.clock))
    }

    /// Carbons of what one of the account's clients sent, for its others (XEP-0280).
    private mutating func copy(_ message: Element, sentBy session: SimulatedSession) {
        guard Self.isForCopies(message) else { return }
        for index in sessions.indices
        where sessions[index].account == session.account && sessions[index].number != session.number
            && sessions[index].hasCarbons
        {
            transmit(Self.carbon("sent", of: message, for: sessions[index]), to: index)
        }
    }

    // MARK: to an account

    /// Brings a message to an account: to its clients, else to its offline storage.
    mutating func deliver(_ message: Element, to target: JID) {
        let bare = target.bareText
        guard accounts[bare] != nil else { return }
        var message = message
        message.nodes.removeAll {
            if case .element(let child) = $0 { child.is("stanza-id", Namespace.stanzaIDs) } else { false }
        }
        if let sender = message["from"].flatMap({ try? JID(received: $0) }),
            let id = archive(message, of: bare, with: sender)
        {
            message = message.with(
                Element("stanza-id", namespace: Namespace.stanzaIDs).with("by", bare).with("id", id))
        }
        let copies = disorder.takeDuplicate() ? 2 : 1
        for _ in 0..<copies { route(SimulatedAccount.Kept(stanza: message, at: moment.clock), to: target) }
    }

    /// Finds the clients for a message that is archived already.
    private mutating func route(_ kept: SimulatedAccount.Kept, to target: JID) {
        let bare = target.bareText
        if target.resource != nil, let index = session(for: target) {
            transmit(kept.stanza, to: index, at: kept.at)
            return copy(kept.stanza, receivedBy: [sessions[index].number], of: bare)
        }
        let type = kept.stanza["type"] ?? "normal"
        guard type == "chat" || type == "normal" || (type == "headline" && target.resource == nil) else { return }
        let reachable = sessions.indices.filter { sessions[$0].account == bare && sessions[$0].isReachable }
        guard let highest = reachable.map({ sessions[$0].priority }).max() else {
            if options.storesOffline, type != "headline", Self.isToBeKept(kept.stanza) {
                accounts[bare]?.offline.append(kept)
            }
            return
        }
        let numbers = reachable.filter { sessions[$0].priority == highest }.map { sessions[$0].number }
        for number in numbers {
            if let index = index(ofSession: number) { transmit(kept.stanza, to: index, at: kept.at) }
        }
        copy(kept.stanza, receivedBy: numbers, of: bare)
    }

    /// Carbons of what reached some of the account's clients, for its others.
    private mutating func copy(_ message: Element, receivedBy numbers: [Int], of account: String) {
        guard Self.isForCopies(message) else { return }
        for index in sessions.indices
        where sessions[index].account == account && sessions[index].hasCarbons
            && !numbers.contains(sessions[index].number)
        {
            transmit(Self.carbon("received", of: message, for: sessions[index]), to: index)
        }
    }

    private static func isForCopies(_ message: Element) -> Bool {
        message["type"] == "chat" && message.child("body", Namespace.client) != nil
            && message.child("private", Namespace.carbons) == nil && message.child("no-copy", Namespace.hints) == nil
    }

    private static func carbon(_ direction: String, of message: Element, for session: SimulatedSession) -> Element {
        let forwarded = Element("forwarded", namespace: Namespace.forward).with(message)
        return Element("message", namespace: Namespace.client).with("from", session.account)
            .with("to", session.full).with("type", message["type"])
            .with(Element(direction, namespace: Namespace.carbons).with(forwarded))
    }

    /// Whether a message may be stored at all (XEP-0160, XEP-0334).
    static func isToBeKept(_ message: Element) -> Bool {
        let type = message["type"] ?? "normal"
        return (type == "chat" || type == "normal") && message.child("body", Namespace.client) != nil
            && message.child("no-store", Namespace.hints) == nil
            && message.child("no-permanent-store", Namespace.hints) == nil
    }

    func session(for full: JID) -> Int? {
        sessions.firstIndex { $0.account == full.bareText && $0.resource == full.resource }
    }

    // MARK: to a client

    /// Sends a stanza to a session, or keeps it for when the session is taken up again.
    mutating func transmit(_ stanza: Element, to index: Int, at time: Timestamp? = nil) {
        if disorder.holds(stanza, for: sessions[index].number, at: time ?? moment.clock, now: moment.now) {
            if disorder.isFull { releaseHeld() }
            return
        }
        write(stanza, to: index, at: time ?? moment.clock)
    }

    private mutating func write(_ stanza: Element, to index: Int, at time: Timestamp) {
        if sessions[index].management != nil {
            sessions[index].management?.unacknowledged.append(SimulatedAccount.Kept(stanza: stanza, at: time))
        } else if stanza.name == "message", let id = stanza["id"] {
            unsecured.insert(id)
        }
        guard let connection = sessions[index].connection else { return }
        effects.append(.write(connection, stanza))
        ask(index)
    }

    /// Sends what was held back to change its order.
    mutating func releaseHeld() {
        for held in disorder.release(&random) {
            if let index = index(ofSession: held.session) {
                write(held.kept.stanza, to: index, at: held.kept.at)
            } else if let to = held.kept.stanza["to"].flatMap({ try? JID(received: $0) }) {
                returnToSender(held.kept, of: to.bareText)
            }
        }
    }

    /// What waited for the account goes to the client that has just come online.
    mutating func flushOffline(to index: Int) {
        let account = sessions[index].account
        guard let waiting = accounts[account]?.offline, !waiting.isEmpty else { return }
        accounts[account]?.offline = []
        for kept in waiting { transmit(delayed(kept), to: index, at: kept.at) }
    }

    private func delayed(_ kept: SimulatedAccount.Kept) -> Element {
        guard kept.stanza.child("delay", Namespace.delay) == nil else { return kept.stanza }
        return kept.stanza.with(
            Element("delay", namespace: Namespace.delay).with("from", options.domain)
                .with("stamp", kept.at.description))
    }

    /// Forgets a session. What it has not acknowledged goes to the account's other clients, else to its offline storage.
    mutating func destroy(_ index: Int) {
        let session = sessions.remove(at: index)
        sayUnavailable(session)
        guard let management = session.management else { return }
        expired[session.account + "/" + management.id] = management.handled
        for kept in management.unacknowledged { returnToSender(kept, of: session.account) }
    }

    private mutating func returnToSender(_ kept: SimulatedAccount.Kept, of account: String) {
        guard kept.stanza.name == "message", Self.isToBeKept(kept.stanza), let bare = try? JID(received: account)
        else { return }
        route(SimulatedAccount.Kept(stanza: delayed(kept), at: kept.at), to: bare)
    }
}
