internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopXMPP

/// A request as one line of JSON: an object whose `do` says what is wanted, and whose `account` of which bot.
extension AddressedRequest {
    package var json: String {
        JSONText.object((account.map { [("account", JSONText.string($0.bareText))] } ?? []) + request.members)
    }

    /// Reads a request; throws what is wrong with it, in words that repeat nothing of it.
    package init(json bytes: [UInt8]) throws(ControlFailure) {
        do {
            var fields = try JSONFields(try ConfigurationText.read(bytes).value)
            let account = fields.has("account") ? try fields.jid("account") : nil
            self.init(try ControlRequest.read(fields), for: account)
        } catch let fault as JSONFields.Fault {
            throw .notUnderstood(fault.sentence)
        } catch {
            throw .notUnderstood("this is no JSON")
        }
    }
}

extension ControlRequest {
    fileprivate var members: [(name: String, json: String)] {
        switch self {
        case .send(let jid, let text):
            Self.action("send", [("to", JSONText.string(jid.description)), ("text", JSONText.string(text))])
        case .listRoster: Self.action("list-roster", [])
        case .addContact(let jid, let name, let groups):
            Self.action(
                "add-contact",
                [
                    ("jid", JSONText.string(jid.description)), ("name", name.map(JSONText.string) ?? "null"),
                    ("groups", JSONText.array(groups.map(JSONText.string))),
                ])
        case .removeContact(let jid): Self.action("remove-contact", [("jid", JSONText.string(jid.description))])
        case .listRequests: Self.action("list-requests", [])
        case .answerRequests(let choice, let accepting):
            Self.action(accepting ? "accept-requests" : "deny-requests", [Self.member(choice)])
        case .listOutbox(let filter): Self.action("list-outbox", Self.members(filter))
        case .changeOutbox(let verb, let choice, let filter):
            Self.action(verb.rawValue + "-outbox", [Self.member(choice)] + Self.members(filter))
        case .status: Self.action("status", [])
        case .examine: Self.action("examine", [])
        case .pause: Self.action("pause", [])
        case .resume: Self.action("resume", [])
        case .resetLogin: Self.action("reset-login", [])
        case .fetch(let jid, let age):
            Self.action(
                "fetch", [("jid", JSONText.string(jid.bareText)), ("seconds", "\(age.components.seconds)")])
        case .forget(let jid): Self.action("forget", [("jid", JSONText.string(jid.bareText))])
        }
    }

    private static func action(
        _ name: String, _ members: [(name: String, json: String)]
    ) -> [(name: String, json: String)] {
        [("do", JSONText.string(name))] + members
    }

    private static func member(_ choice: Invocation.RequestChoice) -> (name: String, json: String) {
        switch choice {
        case .number(let number): ("number", "\(number)")
        case .person(let jid): ("person", JSONText.string(jid.bareText))
        case .domain(let jid): ("domain", JSONText.string(jid.domain))
        case .all: ("all", "true")
        }
    }

    fileprivate static func read(_ fields: JSONFields) throws(JSONFields.Fault) -> ControlRequest {
        var fields = fields
        let request: ControlRequest
        switch try fields.string("do") {
        case "send":
            let text = try fields.string("text")
            guard !text.isEmpty, text.utf8.count <= textLimit else {
                throw JSONFields.Fault("text has to have 1 to \(textLimit) bytes")
            }
            request = .send(to: try fields.jid("to"), text: text)
        case "list-roster": request = .listRoster
        case "add-contact":
            request = .addContact(
                try fields.jid("jid").bare, name: try fields.optionalString("name"),
                groups: try fields.strings("groups"))
        case "remove-contact": request = .removeContact(try fields.jid("jid").bare)
        case "list-requests": request = .listRequests
        case "accept-requests": request = .answerRequests(try choice(&fields), accepting: true)
        case "deny-requests": request = .answerRequests(try choice(&fields), accepting: false)
        case "list-outbox": request = .listOutbox(try filter(&fields))
        case "retry-outbox": request = .changeOutbox(.retry, try outboxChoice(&fields), try filter(&fields))
        case "drop-outbox": request = .changeOutbox(.drop, try outboxChoice(&fields), try filter(&fields))
        case "status": request = .status
        case "examine": request = .examine
        case "pause": request = .pause
        case "resume": request = .resume
        case "reset-login": request = .resetLogin
        case "fetch":
            request = .fetch(try fields.jid("jid").bare, since: .seconds(try fields.integer("seconds")))
        case "forget": request = .forget(try fields.jid("jid").bare)
        default: throw JSONFields.Fault("there is no such thing to do")
        }
        try fields.end()
        return request
    }

    private static func choice(_ fields: inout JSONFields) throws(JSONFields.Fault) -> Invocation.RequestChoice {
        if fields.has("number") { return .number(try fields.integer("number")) }
        if fields.has("person") { return .person(try fields.jid("person").bare) }
        if fields.has("domain") {
            let domain = try fields.jid("domain")
            guard domain.local == nil, domain.isBare else { throw JSONFields.Fault("domain is no domain") }
            return .domain(domain)
        }
        guard try fields.bool("all") else { throw JSONFields.Fault("all can only be true") }
        return .all
    }

    // MARK: The outbox

    private static func members(_ filter: Invocation.OutboxFilter) -> [(name: String, json: String)] {
        [
            ("to", filter.to.map { JSONText.string($0.bareText) } ?? "null"),
            ("since", "\(filter.since.components.seconds)"), ("failed", "\(filter.failedOnly)"),
        ]
    }

    private static func member(_ choice: OutboxChoice) -> (name: String, json: String) {
        switch choice {
        case .number(let row): ("number", "\(row)")
        case .all: ("all", "true")
        }
    }

    private static func filter(_ fields: inout JSONFields) throws(JSONFields.Fault) -> Invocation.OutboxFilter {
        var filter = Invocation.OutboxFilter()
        if let to = try fields.optionalString("to") {
            guard let jid = try? JID(to) else { throw JSONFields.Fault("to is no address") }
            filter.to = jid.bare
        }
        let seconds = try fields.integer("since")
        guard (0...DurationText.longest).contains(seconds) else {
            throw JSONFields.Fault("since has to be 0 to \(DurationText.longest) seconds")
        }
        filter.since = .seconds(seconds)
        filter.failedOnly = try fields.bool("failed")
        return filter
    }

    private static func outboxChoice(_ fields: inout JSONFields) throws(JSONFields.Fault) -> OutboxChoice {
        if fields.has("number") { return .number(RowID(try fields.integer("number"))) }
        guard try fields.bool("all") else { throw JSONFields.Fault("all can only be true") }
        return .all
    }
}
