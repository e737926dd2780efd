internal import BellhopDiagnostics
internal import BellhopXMPP

/// An answer as one line of JSON: an object whose `is` says what it is.
extension ControlAnswer {
    package var json: String {
        switch self {
        case .done: Self.object("done", [])
        case .roster(let rows): Self.object("roster", [("contacts", JSONText.array(rows.map(\.json)))])
        case .requests(let rows): Self.object("requests", [("requests", JSONText.array(rows.map(\.json)))])
        case .answeredRequests(let rows, let accepted):
            Self.object("answered", [("requests", JSONText.array(rows.map(\.json))), ("accepted", "\(accepted)")])
        case .outbox(let rows, let more):
            Self.object("outbox", [("messages", JSONText.array(rows.map(\.json))), ("more", "\(more)")])
        case .changedOutbox(let outcome, let hold): Self.object("changed-outbox", outcome.members + [hold.member])
        case .status(let status): Self.object("status", [("status", status.json)])
        case .examined(let findings):
            Self.object("examined", [("findings", JSONText.array(findings.map(\.json)))])
        case .paused(let since, let by, let isNew):
            Self.object(
                "paused",
                [
                    ("since", JSONText.string(since.description)), ("by", JSONText.string(by)), ("new", "\(isNew)"),
                ])
        case .resumed(let run, let late): Self.object("resumed", [("run", "\(run)"), ("late", "\(late)")])
        case .notPaused: Self.object("not-paused", [])
        case .resetLogin(let mechanism):
            Self.object("reset-login", [("after", mechanism.map(JSONText.string) ?? "null")])
        case .forgotten(let messages, let others):
            Self.object("forgotten", [("messages", "\(messages)"), ("others", "\(others)")])
        case .fetched(let new, let known, let isWhole):
            Self.object("fetched", [("new", "\(new)"), ("known", "\(known)"), ("whole", "\(isWhole)")])
        case .failed(let failure): Self.object("failed", Self.members(failure))
        }
    }

    /// Reads what a bot answered; throws when it is none of our answers.
    package init(json bytes: [UInt8], sizeLimit: Int) throws(ControlFailure) {
        do {
            self = try Self.read(try ConfigurationText.read(bytes, sizeLimit: sizeLimit).value)
        } catch let fault as JSONFields.Fault {
            throw .notUnderstood(fault.sentence)
        } catch {
            throw .notUnderstood("this is no JSON")
        }
    }

    private static func object(_ kind: String, _ members: [(name: String, json: String)]) -> String {
        JSONText.object([("is", JSONText.string(kind))] + members)
    }

    private static func members(_ failure: ControlFailure) -> [(name: String, json: String)] {
        func why(_ word: String, _ reason: String? = nil) -> [(name: String, json: String)] {
            [("why", JSONText.string(word)), ("reason", reason.map(JSONText.string) ?? "null")]
        }
        switch failure {
        case .notConnected(let reason): return why("not-connected", reason)
        case .bounced(let reason): return why("bounced", reason)
        case .refused(let reason): return why("refused", reason)
        case .noAnswer: return why("no-answer")
        case .noArchive: return why("no-archive")
        case .journalFull: return why("journal-full")
        case .noSuchContact(let jid): return why("no-such-contact", jid.bareText)
        case .noSuchRequest: return why("no-such-request")
        case .alreadyAnswered(let number, let accepted, let by):
            return why("already-answered", by) + [("number", "\(number)"), ("accepted", "\(accepted)")]
        case .busy: return why("busy")
        case .journalFailed(let reason): return why("journal-failed", reason)
        case .logInUse: return why("log-in-use")
        case .anotherAccount(let own, let named):
            return why("another-account", own.bareText) + [("named", JSONText.string(named.bareText))]
        case .noAccount(let own): return why("no-account", own.bareText)
        case .notUnderstood(let sentence): return why("not-understood", sentence)
        }
    }

    private static func read(_ value: JSONValue) throws(JSONFields.Fault) -> ControlAnswer {
        var fields = try JSONFields(value)
        let answer: ControlAnswer
        switch try fields.string("is") {
        case "done": answer = .done
        case "roster": answer = .roster(try rows(&fields, "contacts", RosterRow.init(json:)))
        case "requests": answer = .requests(try rows(&fields, "requests", RequestRow.init(json:)))
        case "answered":
            answer = .answeredRequests(
                try rows(&fields, "requests", RequestRow.init(json:)), accepted: try fields.bool("accepted"))
        case "outbox":
            answer = .outbox(try rows(&fields, "messages", OutboxRow.init(json:)), more: try fields.integer("more"))
        case "changed-outbox":
            answer = .changedOutbox(try OutboxOutcome(&fields), hold: try OutboxHold.read(&fields))
        case "status": answer = .status(try BotStatus(json: try fields.value("status")))
        case "examined": answer = .examined(try rows(&fields, "findings", Finding.init(json:)))
        case "paused":
            answer = .paused(
                since: try fields.moment("since"), by: try fields.string("by"), isNew: try fields.bool("new"))
        case "resumed": answer = .resumed(run: try fields.integer("run"), late: try fields.integer("late"))
        case "not-paused": answer = .notPaused
        case "reset-login": answer = .resetLogin(after: try fields.optionalString("after"))
        case "forgotten":
            answer = .forgotten(messages: try fields.integer("messages"), others: try fields.integer("others"))
        case "fetched":
            answer = .fetched(
                new: try fields.integer("new"), known: try fields.integer("known"),
                isWhole: try fields.bool("whole"))
        case "failed": answer = .failed(try failure(&fields))
        default: throw JSONFields.Fault("there is no such answer")
        }
        try fields.end()
        return answer
    }

    private static func rows<Row>(
        _ fields: inout JSONFields, _ key: String, _ read: (JSONValue) throws(JSONFields.Fault) -> Row
    ) throws(JSONFields.Fault) -> [Row] {
        var rows: [Row] = []
        for value in try fields.list(key) { rows.append(try read(value)) }
        return rows
    }

    private static func failure(_ fields: inout JSONFields) throws(JSONFields.Fault) -> ControlFailure {
        let reason = try fields.optionalString("reason")
        switch try fields.string("why") {
        case "not-connected": return .notConnected(reason: reason)
        case "bounced": return .bounced(reason: reason ?? "")
        case "refused": return .refused(reason: reason ?? "")
        case "no-answer": return .noAnswer
        case "no-archive": return .noArchive
        case "journal-full": return .journalFull
        case "no-such-contact":
            return .noSuchContact(try address(reason))
        case "no-such-request": return .noSuchRequest
        case "already-answered":
            return .alreadyAnswered(
                number: try fields.integer("number"), accepted: try fields.bool("accepted"), by: reason ?? "")
        case "busy": return .busy
        case "journal-failed": return .journalFailed(reason: reason ?? "")
        case "log-in-use": return .logInUse
        case "another-account":
            return .anotherAccount(own: try address(reason), named: try fields.jid("named").bare)
        case "no-account": return .noAccount(own: try address(reason))
        case "not-understood": return .notUnderstood(reason ?? "")
        default: throw JSONFields.Fault("there is no such failure")
        }
    }

    private static func address(_ reason: String?) throws(JSONFields.Fault) -> JID {
        guard let reason, let jid = try? JID(reason) else { throw JSONFields.Fault("reason is no address") }
        return jid
    }
}

extension RequestRow {
    init(json value: JSONValue) throws(JSONFields.Fault) {
        var fields = try JSONFields(value)
        guard let since = Timestamp(try fields.string("since")) else { throw JSONFields.Fault("since is no time") }
        self.init(number: try fields.integer("number"), jid: try fields.string("jid"), askedAt: since)
        try fields.end()
    }
}

extension RosterRow {
    init(json value: JSONValue) throws(JSONFields.Fault) {
        var fields = try JSONFields(value)
        self.init(
            jid: try fields.string("jid"), name: try fields.optionalString("name"), state: try fields.string("state"),
            asks: try fields.bool("ask"), groups: try fields.strings("groups"), online: nil)
        switch try fields.value("online") {
        case .null: break
        case .array(let nodes):
            var resources: [Resource] = []
            for node in nodes { resources.append(try Resource(json: node.value)) }
            online = resources
        case .bool, .number, .string, .object: throw JSONFields.Fault("online has to be a list or null")
        }
        try fields.end()
    }
}

extension RosterRow.Resource {
    init(json value: JSONValue) throws(JSONFields.Fault) {
        var fields = try JSONFields(value)
        self.init(
            name: try fields.string("resource"), show: try fields.string("show"),
            status: try fields.optionalString("status"))
        try fields.end()
    }
}
