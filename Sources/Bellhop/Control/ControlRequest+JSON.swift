internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopXMPP

/// A request as one line of JSON: an object whose `do` says what is wanted.
extension ControlRequest {
    package var json: String {
        switch self {
        case .send(let jid, let text):
            Self.object("send", [("to", JSONText.string(jid.description)), ("text", JSONText.string(text))])
        case .listRoster: Self.object("list-roster", [])
        case .addContact(let jid, let name, let groups):
            Self.object(
                "add-contact",
                [
                    ("jid", JSONText.string(jid.description)), ("name", name.map(JSONText.string) ?? "null"),
                    ("groups", JSONText.array(groups.map(JSONText.string))),
                ])
        case .removeContact(let jid): Self.object("remove-contact", [("jid", JSONText.string(jid.description))])
        case .listRequests: Self.object("list-requests", [])
        case .answerRequests(let choice, let accepting):
            Self.object(accepting ? "accept-requests" : "deny-requests", [Self.member(choice)])
        case .listOutbox(let filter): Self.object("list-outbox", Self.members(filter))
        case .changeOutbox(let verb, let choice, let filter):
            Self.object(verb.rawValue + "-outbox", [Self.member(choice)] + Self.members(filter))
        case .status: Self.object("status", [])
        case .examine: Self.object("examine", [])
        case .pause: Self.object("pause", [])
        case .resume: Self.object("resume", [])
        case .resetLogin: Self.object("reset-login", [])
        case .fetch(let jid, let age):
            Self.object(
                "fetch", [("jid", JSONText.string(jid.bareText)), ("seconds", "\(age.components.seconds)")])
        case .forget(let jid): Self.object("forget", [("jid", JSONText.string(jid.bareText))])
        }
    }

    /// Reads a request; throws what is wrong with it, in words that repeat nothing of it.
    package init(json bytes: [UInt8]) throws(ControlFailure) {
        do {
            self = try Self.read(try ConfigurationText.read(bytes).value)
        } catch let fault as JSONFields.Fault {
            throw .notUnderstood(fault.sentence)
        } catch {
            throw .notUnderstood("this is no JSON")
        }
    }

    private static func object(_ action: String, _ members: [(name: String, json: String)]) -> String {
        JSONText.object([("do", JSONText.string(action))] + members)
    }

    private static func member(_ choice: Invocation.RequestChoice) -> (name: String, json: String) {
        switch choice {
        case .number(let number): ("number", "\(number)")
        case .person(let jid): ("person", JSONText.string(jid.bareText))
        case .domain(let jid): ("domain", JSONText.string(jid.domain))
        case .all: ("all", "true")
        }
    }

    private static func read(_ value: JSONValue) throws(JSONFields.Fault) -> ControlRequest {
        var fields = try JSONFields(value)
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
