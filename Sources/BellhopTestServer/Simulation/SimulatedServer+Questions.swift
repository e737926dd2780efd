internal import BellhopXML
internal import BellhopXMPP

/// What the server answers to requests, and what it asks itself.
extension SimulatedServer {
    mutating func receivedIQ(_ iq: Element, to: JID?, _ index: Int) {
        switch iq["type"] {
        case "result", "error":
            if let id = iq["id"] { answeredProbes.insert(id) }
            return
        case "get", "set": break
        default: return transmit(Self.refusal(of: iq, .badRequest), to: index)
        }
        guard iq["id"] != nil, iq.children.count == 1, let payload = iq.children.first else {
            return transmit(Self.refusal(of: iq, .badRequest), to: index)
        }
        let account = sessions[index].account
        if let to, to.description != account, to.description != options.domain {
            return question(iq, payload, to: to, index)
        }
        let isOwn = to?.description != options.domain
        switch (iq["type"], payload.name, payload.namespace) {
        case ("get", "ping", Namespace.ping): answer(iq, with: nil, index)
        case ("set", "session", Namespace.session): answer(iq, with: nil, index)
        case (_, "query", Namespace.roster) where isOwn: roster(iq, payload, index)
        case ("set", "enable", Namespace.carbons) where isOwn:
            sessions[index].hasCarbons = true
            answer(iq, with: nil, index)
        case ("set", "disable", Namespace.carbons) where isOwn:
            sessions[index].hasCarbons = false
            answer(iq, with: nil, index)
        case (_, "query", Namespace.messageArchive) where isOwn: queryArchive(iq, payload, index)
        case ("get", "query", Namespace.discoInfo) where payload["node"] == nil:
            answer(iq, with: features(ofAccount: isOwn), index)
        case ("get", "query", Namespace.discoItems) where payload["node"] == nil:
            answer(iq, with: Element("query", namespace: Namespace.discoItems), index)
        case ("get", "time", Namespace.time) where !isOwn:
            let time = Element("time", namespace: Namespace.time)
                .with(Element("tzo", namespace: Namespace.time).with(text: "+00:00"))
                .with(Element("utc", namespace: Namespace.time).with(text: moment.clock.description))
            answer(iq, with: time, index)
        default: transmit(Self.refusal(of: iq, .serviceUnavailable), to: index)
        }
    }

    /// A request that is not for this server itself.
    private mutating func question(_ iq: Element, _ payload: Element, to: JID, _ index: Int) {
        if accounts[to.bareText] != nil, let other = session(for: to) { return transmit(iq, to: other) }
        if let person = people[to.bareText], person.isOnline, person.jid == to, payload.is("ping", Namespace.ping) {
            return answer(iq, with: nil, index)
        }
        let isOurs = to.domain == options.domain || people[to.bareText] != nil
        transmit(Self.refusal(of: iq, isOurs ? .serviceUnavailable : .remoteServerNotFound), to: index)
    }

    mutating func answer(_ iq: Element, with payload: Element?, _ index: Int) {
        var answer = Element("iq", namespace: Namespace.client).with("type", "result").with("id", iq["id"])
            .with("from", iq["to"]).with("to", iq["from"])
        if let payload { answer = answer.with(payload) }
        transmit(answer, to: index)
    }

    private func features(ofAccount isAccount: Bool) -> Element {
        var query = Element("query", namespace: Namespace.discoInfo)
        query = query.with(
            Element("identity", namespace: Namespace.discoInfo)
                .with("category", isAccount ? "account" : "server").with("type", isAccount ? "registered" : "im"))
        var known = [Namespace.discoInfo, Namespace.ping]
        if isAccount {
            if options.archive != nil { known += [Namespace.messageArchive, Namespace.stanzaIDs] }
        } else {
            known += [Namespace.discoItems, Namespace.carbons, Namespace.time, Namespace.roster]
        }
        for name in known {
            query = query.with(Element("feature", namespace: Namespace.discoInfo).with("var", name))
        }
        return query
    }

    // MARK: asking the client

    /// Asks the account's client for a ping, behind everything that was sent to it; nil when no client is connected.
    ///
    /// Once `hasAnswered` says so for the id, the client has handled what came before.
    ///
    /// Two probes over one connection say that the client has not left it in between.
    package mutating func probe(_ account: String, at moment: SimulatedMoment) -> Probe? {
        self.moment = moment
        guard
            let index = sessions.firstIndex(where: {
                $0.account == account && $0.connection != nil && $0.presence != nil
            }), let connection = sessions[index].connection
        else { return nil }
        let id = "probe-" + random.token()
        transmit(
            Element("iq", namespace: Namespace.client).with("type", "get").with("id", id)
                .with("from", options.domain).with("to", sessions[index].full)
                .with(Element("ping", namespace: Namespace.ping)), to: index)
        return Probe(id: id, connection: connection)
    }

    /// A ping that is behind everything a client was sent, and the connection that it went over.
    package struct Probe: Sendable {
        package let id: String
        package let connection: Int
    }

    package func hasAnswered(_ probe: Probe) -> Bool { answeredProbes.contains(probe.id) }
}
