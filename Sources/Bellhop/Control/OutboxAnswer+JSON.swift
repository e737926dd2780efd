internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopXMPP

/// The outbox as members of an answer; `hold` is null where nothing keeps a message from leaving.
extension OutboxOutcome {
    var members: [(name: String, json: String)] {
        [
            ("verb", JSONText.string(verb.rawValue)),
            (
                "done",
                JSONText.array(
                    done.map {
                        JSONText.object([("number", "\($0.row)"), ("to", JSONText.string($0.to.bareText))])
                    })
            ),
            (
                "refused",
                JSONText.array(
                    refused.map {
                        JSONText.object([("number", "\($0.row)"), ("why", JSONText.string($0.why.rawValue))])
                    })
            ),
            ("more", "\(more)"),
        ]
    }

    init(_ fields: inout JSONFields) throws(JSONFields.Fault) {
        guard let verb = OutboxVerb(rawValue: try fields.string("verb")) else {
            throw JSONFields.Fault("there is no such verb")
        }
        self.init(verb: verb)
        for value in try fields.list("done") {
            var members = try JSONFields(value)
            done.append(Done(row: RowID(try members.integer("number")), to: try members.jid("to").bare))
            try members.end()
        }
        for value in try fields.list("refused") {
            var members = try JSONFields(value)
            let row = RowID(try members.integer("number"))
            guard let why = OutboxRefusal(rawValue: try members.string("why")) else {
                throw JSONFields.Fault("why is none")
            }
            refused.append(Refused(row: row, why: why))
            try members.end()
        }
        more = try fields.integer("more")
    }
}

extension OutboxHold? {
    var member: (name: String, json: String) { ("hold", map(\.json) ?? "null") }
}

extension OutboxHold {
    var json: String {
        JSONText.object([("is", JSONText.string(word)), ("reason", detail.map(JSONText.string) ?? "null")])
    }

    static func read(_ fields: inout JSONFields) throws(JSONFields.Fault) -> OutboxHold? {
        try fields.optional("hold") { value throws(JSONFields.Fault) in
            var members = try JSONFields(value)
            guard let hold = OutboxHold(word: try members.string("is"), detail: try members.optionalString("reason"))
            else { throw JSONFields.Fault("hold is none") }
            try members.end()
            return hold
        }
    }
}
