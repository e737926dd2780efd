package import BellhopBot
internal import BellhopDiagnostics
package import BellhopXMPP

/// What keeps messages from leaving.
package enum OutboxHold: Equatable, Sendable {
    case paused
    /// With the reason where one is known.
    case offline(String?)
    case notRunning

    init?(word: String, detail: String?) {
        switch word {
        case "paused": self = .paused
        case "offline": self = .offline(detail)
        case "not-running": self = .notRunning
        default: return nil
        }
    }

    var word: String {
        switch self {
        case .paused: "paused"
        case .offline: "offline"
        case .notRunning: "not-running"
        }
    }

    var detail: String? { if case .offline(let reason) = self { reason } else { nil } }
}

/// One message as `outbox` shows it.
package struct OutboxRow: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        /// The hold is nil where the message is about to leave.
        case waiting(OutboxHold?)
        case leaving
        case failed(at: Timestamp, reason: String)
    }

    package var number: Int64
    package var to: String
    package var queuedAt: Timestamp
    package var state: State
    package var text: String?

    package init(number: Int64, to: String, queuedAt: Timestamp, state: State, text: String? = nil) {
        self.number = number
        self.to = to
        self.queuedAt = queuedAt
        self.state = state
        self.text = text
    }

    package init(_ entry: OutboxEntry, hold: OutboxHold?) {
        let state: State =
            switch entry.state {
            case .waiting: .waiting(hold)
            case .leaving: .leaving
            case .failed(let moment, let reason): .failed(at: moment, reason: reason)
            }
        self.init(
            number: entry.row, to: entry.to.bareText, queuedAt: entry.queuedAt, state: state, text: entry.text)
    }
}

extension OutboxRow {
    /// One JSON object, times in UTC; `failed` is null for what did not come back, `reason` where there is none.
    package var json: String {
        var (word, failed, reason) = ("sent", String?.none, String?.none)
        switch state {
        case .waiting(let hold):
            word = "waiting"
            reason = hold.map { $0.word + ($0.detail.map { ": \($0)" } ?? "") }
        case .leaving: break
        case .failed(let moment, let bounce):
            word = "failed"
            failed = moment.description
            reason = bounce
        }
        return JSONText.object([
            ("number", "\(number)"), ("to", JSONText.string(to)), ("queued", JSONText.string(queuedAt.description)),
            ("state", JSONText.string(word)), ("failed", failed.map(JSONText.string) ?? "null"),
            ("reason", reason.map(JSONText.string) ?? "null"), ("text", text.map(JSONText.string) ?? "null"),
        ])
    }

    init(json value: JSONValue) throws(JSONFields.Fault) {
        var fields = try JSONFields(value)
        guard let queuedAt = Timestamp(try fields.string("queued")) else { throw JSONFields.Fault("queued is no time") }
        let failed = try fields.optionalMoment("failed")
        let reason = try fields.optionalString("reason")
        let state: State
        switch (try fields.string("state"), failed, reason) {
        case ("sent", nil, nil): state = .leaving
        case ("waiting", nil, nil): state = .waiting(nil)
        case ("failed", let moment?, let reason?): state = .failed(at: moment, reason: reason)
        case ("waiting", nil, let reason?):
            let parts = reason.split(separator: ": ", maxSplits: 1)
            guard
                let hold = OutboxHold(word: String(parts.first ?? ""), detail: parts.dropFirst().first.map(String.init))
            else { throw JSONFields.Fault("reason is none") }
            state = .waiting(hold)
        default: throw JSONFields.Fault("state is none")
        }
        self.init(
            number: Int64(try fields.integer("number")), to: try fields.string("to"), queuedAt: queuedAt, state: state,
            text: try fields.optionalString("text"))
        try fields.end()
    }
}

/// How `outbox` shows what waits and what came back.
package enum OutboxTable {
    /// A table with a head, ages as of `now`.
    package static func text(_ rows: [OutboxRow], now: Timestamp) -> String {
        if rows.isEmpty { return "Nothing waits to be sent, and nothing came back in that time.\n" }
        var table = TextTable()
        table.add(["NUMBER", "TO", "AGE", "STATE", "REASON", "TEXT"])
        for row in rows {
            // A clock that was set back shows nothing below zero.
            let age = Int(clamping: max(0, (now - row.queuedAt).components.seconds))
            let (state, reason) = words(row.state)
            table.add(["\(row.number)", row.to, StatusText.period(age), state, reason, row.text ?? "(no text)"])
        }
        return table.text
    }

    /// One JSON object a line, times in UTC.
    package static func json(_ rows: [OutboxRow]) -> String {
        rows.map { $0.json + "\n" }.joined()
    }

    private static func words(_ state: OutboxRow.State) -> (state: String, reason: String) {
        switch state {
        case .waiting(let hold): ("waiting", hold.map(OutboxPhrases.hold) ?? "about to leave")
        case .leaving: ("sent", "not yet acknowledged")
        case .failed(_, let reason): ("failed", Phrases.bounce(reason))
        }
    }
}
