package import BellhopXML
package import BellhopXMPP

/// Rosters, presence and who may see whose (RFC 6121 sections 2 to 4).
extension SimulatedServer {
    // MARK: the roster

    /// Makes two people contacts who see each other, as if they had asked and agreed long ago.
    package mutating func befriend(_ person: JID, _ account: String, groups: [String] = [], at moment: SimulatedMoment)
    {
        self.moment = moment
        add(person)
        var contact = contact(person.bareText, of: account)
        contact.isWatching = true
        contact.isWatched = true
        contact.isAsked = false
        contact.groups = groups
        keep(contact, of: account)
    }

    /// An account's roster as `<item/>` elements.
    package func roster(of account: String) -> [Element] { accounts[account]?.roster.map(\.item) ?? [] }

    mutating func roster(_ iq: Element, _ query: Element, _ index: Int) {
        let account = sessions[index].account
        if iq["type"] == "get" {
            sessions[index].isInterested = true
            var list = Element("query", namespace: Namespace.roster)
            for contact in accounts[account]?.roster ?? [] { list = list.with(contact.item) }
            return answer(iq, with: list, index)
        }
        guard query.children.count == 1, let item = query.child("item", Namespace.roster), let text = item["jid"],
            let jid = try? JID(received: text)
        else { return transmit(Self.refusal(of: iq, .badRequest), to: index) }
        if item["subscription"] == "remove" {
            guard accounts[account]?.roster.contains(where: { $0.jid == jid.bareText }) == true else {
                return transmit(Self.refusal(of: iq, .itemNotFound), to: index)
            }
            accounts[account]?.roster.removeAll { $0.jid == jid.bareText }
            push(
                Element("item", namespace: Namespace.roster).with("jid", jid.bareText)
                    .with("subscription", "remove"), of: account)
            see("unsubscribe", of: account, jid.bareText)
            see("unsubscribed", of: account, jid.bareText)
        } else {
            var contact = contact(jid.bareText, of: account)
            contact.name = item["name"]
            contact.groups = item.children.filter { $0.is("group", Namespace.roster) }.map(\.text)
            keep(contact, of: account)
        }
        if let index = sessions.firstIndex(where: { $0.full == iq["from"] }) { answer(iq, with: nil, index) }
    }

    private func contact(_ jid: String, of account: String) -> SimulatedAccount.Contact {
        accounts[account]?.roster.first { $0.jid == jid } ?? SimulatedAccount.Contact(jid: jid)
    }

    private mutating func keep(_ contact: SimulatedAccount.Contact, of account: String) {
        if let place = accounts[account]?.roster.firstIndex(where: { $0.jid == contact.jid }) {
            accounts[account]?.roster[place] = contact
        } else {
            accounts[account]?.roster.append(contact)
        }
        push(contact.item, of: account)
    }

    private mutating func push(_ item: Element, of account: String) {
        for index in sessions.indices where sessions[index].account == account && sessions[index].isInterested {
            let iq = Element("iq", namespace: Namespace.client).with("type", "set").with("id", random.token())
                .with("from", account).with("to", sessions[index].full)
                .with(Element("query", namespace: Namespace.roster).with(item))
            transmit(iq, to: index)
        }
    }

    // MARK: presence of an account

    mutating func receivedPresence(_ presence: Element, to: JID?, _ index: Int) {
        let account = sessions[index].account
        switch (presence["type"], to) {
        case (nil, nil): becameAvailable(presence, index)
        case ("unavailable", nil):
            sayUnavailable(sessions[index])
            sessions[index].presence = nil
        case ("subscribe", let person?): ask(person.bareText, by: account)
        case ("subscribed", let person?): grant(person.bareText, by: account, presence)
        case ("unsubscribe", let person?):
            var contact = contact(person.bareText, of: account)
            contact.isWatched = false
            contact.isAsked = false
            keep(contact, of: account)
            see("unsubscribe", of: account, person.bareText)
        case ("unsubscribed", let person?):
            accounts[account]?.requests.removeAll { $0 == person.bareText }
            if accounts[account]?.roster.contains(where: { $0.jid == person.bareText }) == true {
                var contact = contact(person.bareText, of: account)
                contact.isWatching = false
                keep(contact, of: account)
            }
            see("unsubscribed", of: account, person.bareText)
        case (_, let person?): people[person.bareText]?.seen.append(presence)
        default: break
        }
    }

    private mutating func becameAvailable(_ presence: Element, _ index: Int) {
        let isFirst = sessions[index].presence == nil
        let account = sessions[index].account
        let priority = presence.child("priority", Namespace.client).flatMap { Int($0.text) } ?? 0
        sessions[index].presence = presence
        sessions[index].priority = min(max(priority, -128), 127)
        for contact in accounts[account]?.roster ?? [] where contact.isWatching {
            people[contact.jid]?.seen.append(presence.with("to", contact.jid))
        }
        // The client hears of itself as well (RFC 6121 section 4.2.2).
        transmit(presence.with("to", sessions[index].full), to: index)
        guard isFirst else { return }
        for contact in accounts[account]?.roster ?? [] where contact.isWatched {
            guard let person = people[contact.jid], person.isOnline else { continue }
            transmit(
                Element("presence", namespace: Namespace.client).with("from", person.jid.description)
                    .with("to", account), to: index)
        }
        for person in accounts[account]?.requests ?? [] {
            transmit(Self.notice("subscribe", from: person, to: account), to: index)
        }
        if sessions[index].priority >= 0 { flushOffline(to: index) }
    }

    /// Tells who may know that a client is gone.
    mutating func sayUnavailable(_ session: SimulatedSession) {
        guard session.presence != nil else { return }
        let presence = Element("presence", namespace: Namespace.client).with("type", "unavailable")
            .with("from", session.full)
        for contact in accounts[session.account]?.roster ?? [] where contact.isWatching {
            people[contact.jid]?.seen.append(presence.with("to", contact.jid))
        }
    }

    private mutating func ask(_ person: String, by account: String) {
        var contact = contact(person, of: account)
        contact.isAsked = true
        keep(contact, of: account)
        see("subscribe", of: account, person)
        guard let them = people[person], them.grantsRequests else { return }
        contact.isAsked = false
        contact.isWatched = true
        keep(contact, of: account)
        broadcast(Self.notice("subscribed", from: person, to: account), to: account)
        guard them.isOnline else { return }
        broadcast(
            Element("presence", namespace: Namespace.client).with("from", them.jid.description).with("to", account),
            to: account)
    }

    private mutating func grant(_ person: String, by account: String, _ presence: Element) {
        accounts[account]?.requests.removeAll { $0 == person }
        var contact = contact(person, of: account)
        contact.isWatching = true
        keep(contact, of: account)
        see("subscribed", of: account, person)
        for session in sessions where session.account == account {
            guard let shown = session.presence else { continue }
            people[person]?.seen.append(shown.with("to", person))
        }
    }

    private mutating func see(_ type: String, of account: String, _ person: String) {
        people[person]?.seen.append(Self.notice(type, from: account, to: person))
    }

    // MARK: presence of a person

    /// A person comes or goes; whoever may see it does.
    package mutating func show(_ person: JID, isOnline: Bool, at moment: SimulatedMoment) {
        self.moment = moment
        add(person)
        people[person.bareText]?.isOnline = isOnline
        guard let jid = people[person.bareText]?.jid else { return }
        let presence = Element("presence", namespace: Namespace.client).with("from", jid.description)
            .with("type", isOnline ? nil : "unavailable")
        for account in accounts.keys.sorted() where contact(jid.bareText, of: account).isWatched {
            broadcast(presence.with("to", account), to: account)
        }
    }

    /// A person asks to see an account's presence, answers such a request, or takes it back.
    mutating func deliver(presence: Element, from person: JID, to target: JID) {
        let account = target.bareText
        guard accounts[account] != nil else { return }
        let notice = presence.with("from", person.bareText).with("to", account)
        switch presence["type"] {
        case "subscribe":
            let known = contact(person.bareText, of: account)
            if known.isWatching { return see("subscribed", of: account, person.bareText) }
            if accounts[account]?.requests.contains(person.bareText) == false {
                accounts[account]?.requests.append(person.bareText)
            }
            broadcast(notice, to: account)
        case "unsubscribe":
            accounts[account]?.requests.removeAll { $0 == person.bareText }
            var contact = contact(person.bareText, of: account)
            guard contact.isWatching else { return }
            contact.isWatching = false
            keep(contact, of: account)
            broadcast(notice, to: account)
        case "unsubscribed":
            var contact = contact(person.bareText, of: account)
            contact.isWatched = false
            contact.isAsked = false
            keep(contact, of: account)
            broadcast(notice, to: account)
        default: broadcast(presence, to: account)
        }
    }

    private mutating func broadcast(_ stanza: Element, to account: String) {
        for index in sessions.indices where sessions[index].account == account && sessions[index].presence != nil {
            transmit(stanza, to: index)
        }
    }

    private static func notice(_ type: String, from: String, to: String) -> Element {
        Element("presence", namespace: Namespace.client).with("type", type).with("from", from).with("to", to)
    }
}
