internal import BellhopXML

/// What an Openfire knows of one session, and how it answers.
package struct OpenfireSession: Sendable {
    /// An entry of the roster.
    package struct Item: Sendable, Equatable {
        package var jid: String
        package var subscription: String
        package var ask: String?

        package init(_ jid: String, _ subscription: String, ask: String? = nil) {
            self.jid = jid
            self.subscription = subscription
            self.ask = ask
        }

        var xml: String {
            let ask = ask.map { " ask=\"\($0)\"" } ?? ""
            return "<item jid=\"\(jid)\"\(ask) subscription=\"\(subscription)\"/>"
        }
    }

    let profile: OpenfireProfile
    /// Ten characters, in the stream's header and as the resource of who has none yet.
    let id: String
    var bound = ""
    package private(set) var roster: [Item]
    private var failures = 0
    private var pushes = 0
    private var isManaged = false
    private(set) var sent = 0
    /// How many stanzas have come since it began to count.
    private var handled = 0
    /// Whether it says how many, when it is asked; a script may say it in its place.
    var answersCounts = false

    init(profile: OpenfireProfile, number: Int, roster: [Item]) {
        self.profile = profile
        id = "akpua0rz\(10 + number % 90)"
        self.roster = roster
    }

    /// Whether that was the last of three.
    mutating func refused() -> Bool {
        failures += 1
        return failures == 3
    }

    /// The stanzas, with a question for a count behind every fifth of a managed stream.
    mutating func counted(_ stanzas: [String]) -> String {
        var xml = ""
        for stanza in stanzas {
            xml += stanza
            guard isManaged else { continue }
            sent += 1
            if sent % 5 == 0 { xml += "<r xmlns='urn:xmpp:sm:3' />" }
        }
        return xml
    }

    /// What it says to a stanza of the client; nil for nothing.
    mutating func answer(_ stanza: Element) -> String? {
        let answers: [String]
        switch stanza.name {
        case "iq": answers = stanza["type"] == "get" || stanza["type"] == "set" ? self.answers(to: stanza) : []
        case "presence": answers = pushes(for: stanza) + refusals(of: stanza)
        case "message": answers = refusals(of: stanza)
        case "enable":
            isManaged = true
            return profile.version == .version5
                ? "<enabled xmlns='urn:xmpp:sm:3' id='\(id)' resume='true' max='600'/>"
                : "<enabled xmlns='urn:xmpp:sm:3'/>"
        case "r" where answersCounts: return "<a xmlns='urn:xmpp:sm:3' h='\(handled)' />"
        default: return nil
        }
        if isManaged { handled += 1 }
        return answers.isEmpty ? nil : counted(answers)
    }

    private mutating func answers(to iq: Element) -> [String] {
        guard let payload = iq.children.first else { return [] }
        let to = iq["to"]
        if let to, isElsewhere(to) { return [error(iq, 404, "remote-server-not-found")] }
        // It plays nobody's client. Whoever is asked without a client, it answers itself, be there such a person or not.
        if let to, to.contains("/"), to != bound { return [error(iq, 503, "service-unavailable")] }
        switch (payload.name, payload.namespace) {
        case ("query", "jabber:iq:roster"): return rosterAnswers(to: iq, payload)
        case ("query", "http://jabber.org/protocol/disco#info"):
            let features = ["urn:xmpp:ping", "urn:xmpp:time", "urn:xmpp:carbons:2", "jabber:iq:version", "msgoffline"]
            return [
                result(
                    iq,
                    "<query xmlns=\"http://jabber.org/protocol/disco#info\"><identity category=\"account\" type=\"registered\"/>"
                        + features.map { "<feature var=\"\($0)\"/>" }.joined() + "</query>")
            ]
        case ("time", "urn:xmpp:time"):
            return [
                result(iq, "<time xmlns=\"urn:xmpp:time\"><tzo>+00:00</tzo><utc>2026-02-25T06:13:20.000Z</utc></time>")
            ]
        case ("query", "jabber:iq:version"):
            let version = "<name>Openfire</name><version>\(profile.version.rawValue)</version><os>Linux</os>"
            return [result(iq, "<query xmlns=\"jabber:iq:version\">\(version)</query>")]
        case ("ping", "urn:xmpp:ping"), ("enable", "urn:xmpp:carbons:2"), ("session", _): return [result(iq, "")]
        default: return [error(iq, 503, "service-unavailable")]
        }
    }

    private func result(_ iq: Element, _ content: String) -> String {
        let from = iq["to"].map { " from=\"\($0)\"" } ?? ""
        let start = "<iq type=\"result\" id=\"\(iq["id"] ?? "")\"\(from) to=\"\(bound)\""
        return content.isEmpty ? start + "/>" : start + ">\(content)</iq>"
    }

    /// With the number of old times, and with what was asked.
    private func error(_ iq: Element, _ code: Int, _ condition: String, type: String = "cancel") -> String {
        let from = iq["to"].map { " from=\"\($0)\"" } ?? ""
        let asked = iq.children.map { $0.serialized(in: "jabber:client") }.joined()
        return "<iq type=\"error\" id=\"\(iq["id"] ?? "")\" to=\"\(bound)\"\(from)>\(asked)<error code=\"\(code)\" "
            + "type=\"\(type)\"><\(condition) xmlns=\"urn:ietf:params:xml:ns:xmpp-stanzas\"/></error></iq>"
    }

    // MARK: Accounts

    /// Plain fields and a data form in one.
    static let registrationForm =
        "<query xmlns=\"jabber:iq:register\"><username/><password/><email/><name/><x xmlns=\"jabber:x:data\" type=\"form\">"
        + "<title>XMPP Client Registration</title><instructions>Please provide the following information</instructions>"
        + "<field var=\"FORM_TYPE\" type=\"hidden\"><value>jabber:iq:register</value></field>"
        + "<field var=\"username\" type=\"text-single\" label=\"Username\"><required/></field>"
        + "<field var=\"name\" type=\"text-single\" label=\"Full name\"/>"
        + "<field var=\"email\" type=\"text-single\" label=\"Email\"/>"
        + "<field var=\"password\" type=\"text-private\" label=\"Password\"><required/></field></x></query>"

    /// The answer to a filled form, addressed to nobody that the client knows.
    func registered(_ form: Element, _ refusal: (code: Int, condition: String)?) -> String {
        let id = form["id"] ?? ""
        guard let refusal else { return "<iq type=\"result\" id=\"\(id)\" to=\"\(profile.domain)/\(self.id)\"/>" }
        let asked = form.children.map { $0.serialized(in: "jabber:client") }.joined()
        return
            "<iq type=\"error\" id=\"\(id)\" to=\"\(profile.domain)/\(self.id)\">\(asked)<error code=\"\(refusal.code)\" "
            + "type=\"cancel\"><\(refusal.condition) xmlns=\"urn:ietf:params:xml:ns:xmpp-stanzas\"/></error></iq>"
    }

    // MARK: The roster

    /// The push, which has no sender and no version, comes before the result.
    private mutating func rosterAnswers(to iq: Element, _ query: Element) -> [String] {
        guard iq["type"] == "set" else {
            return [result(iq, "<query xmlns=\"jabber:iq:roster\">\(roster.map(\.xml).joined())</query>")]
        }
        guard let item = query.children.first, let jid = item["jid"] else { return [error(iq, 400, "bad-request")] }
        guard item["subscription"] == "remove" else {
            let known = roster.first { $0.jid == jid } ?? Item(jid, "none")
            return [keep(known), result(iq, "")]
        }
        guard let known = roster.first(where: { $0.jid == jid }) else { return [error(iq, 404, "item-not-found")] }
        roster.removeAll { $0.jid == jid }
        // One step for each subscription that ends, and the last one for the entry.
        let steps: [String] =
            switch known.subscription {
            case "both": ["from", "none"]
            case "none": []
            default: ["none"]
            }
        return steps.map { push(Item(jid, $0, ask: "unsubscribe")) } + [push(Item(jid, "remove")), result(iq, "")]
    }

    private mutating func push(_ item: Item) -> String {
        pushes += 1
        return "<iq type=\"set\" id=\"\(300 + pushes)-\(pushes)\" to=\"\(bound)\">"
            + "<query xmlns=\"jabber:iq:roster\">\(item.xml)</query></iq>"
    }

    private mutating func keep(_ item: Item) -> String {
        roster.removeAll { $0.jid == item.jid }
        roster.append(item)
        return push(item)
    }

    /// What a presence about a subscription does to the roster.
    private mutating func pushes(for presence: Element) -> [String] {
        guard let to = presence["to"], let type = presence["type"] else { return [] }
        var item = roster.first { $0.jid == to } ?? Item(to, "none")
        switch type {
        case "subscribe": item.ask = "subscribe"
        case "subscribed":
            item.subscription = item.subscription == "to" || item.subscription == "both" ? "both" : "from"
        case "unsubscribed":
            item.subscription = item.subscription == "both" || item.subscription == "to" ? "to" : "none"
        default: return []
        }
        return [keep(item)]
    }

    /// The push when a contact agrees.
    mutating func approved(by contact: String) -> String {
        var item = roster.first { $0.jid == contact } ?? Item(contact, "none")
        item.ask = nil
        item.subscription = item.subscription == "from" || item.subscription == "both" ? "both" : "to"
        return keep(item)
    }
}
