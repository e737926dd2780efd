internal import BellhopDiagnostics
internal import BellhopXMPP

/// What admins hear of messages that wait or came back.
extension Phrases {
    static let outboxUsage =
        "What of it? Like: outbox, outbox retry 17, outbox drop 17, outbox retry all or outbox drop all"

    static let unreadable = "My journal cannot be read at the moment. The log says why."

    static let nothingInOutbox = "Nothing waits to be sent, and nothing came back in the last 7 days."

    /// How a message ended that somebody gave up, for who had sent it.
    static func droppedBy(_ who: String) -> String { "given up by \(who)" }

    static func outbox(_ listing: OutboxListing, isPaused: Bool, at now: Timestamp) -> String {
        guard !listing.entries.isEmpty else { return nothingInOutbox }
        var lines = listing.entries.map { entry in
            "\(entry.row) to \(entry.to.bareText), \(age(now - entry.queuedAt)) old: \(state(entry.state, isPaused: isPaused))"
        }
        if listing.more > 0 { lines.insert("\(listing.more) older ones, and", at: 0) }
        if let failed = listing.entries.last(where: \.isFailed)?.row {
            lines.append("outbox retry \(failed) sends one again, outbox drop \(failed) gives it up.")
        }
        return lines.joined(separator: "\n")
    }

    private static func state(_ state: OutboxEntry.State, isPaused: Bool) -> String {
        switch state {
        case .waiting: isPaused ? "waits until I am resumed" : "waits to be sent"
        case .leaving: "sent, not yet acknowledged"
        case .failed(_, let reason): "came back: \(bounce(reason))"
        }
    }

    static func changed(_ outcome: OutboxOutcome, isPaused: Bool) -> String {
        if outcome.done.isEmpty, outcome.refused.count == 1, let refused = outcome.refused.first {
            return refusal(refused.row, refused.why, outcome.verb)
        }
        guard outcome.done.count + outcome.refused.count > 0 else { return "Nothing came back in the last 7 days." }
        var sentences: [String] = []
        if outcome.done.count == 1, let done = outcome.done.first {
            sentences.append(one(outcome.verb, done, isPaused: isPaused))
        } else {
            sentences.append(several(outcome.verb, outcome.done.count, isPaused: isPaused))
        }
        if let sentence = left(outcome) { sentences.append(sentence) }
        return sentences.joined(separator: " ")
    }

    private static func one(_ verb: OutboxVerb, _ done: OutboxOutcome.Done, isPaused: Bool) -> String {
        let message = "message \(done.row) to \(done.to.bareText)"
        return switch verb {
        case .retry: isPaused ? "I send \(message) again when I am resumed." : "I send \(message) again."
        case .drop: "I give up \(message)."
        }
    }

    private static func several(_ verb: OutboxVerb, _ count: Int, isPaused: Bool) -> String {
        switch verb {
        case .retry: isPaused ? "I send \(count) messages again when I am resumed." : "I send \(count) messages again."
        case .drop: "I give up \(count) messages."
        }
    }

    /// What of `all` stays as it was; nil when nothing does.
    package static func left(_ outcome: OutboxOutcome) -> String? {
        var sentences: [String] = []
        let lost = outcome.refused.count { $0.why == .notWhole }
        if outcome.refused.count > lost {
            sentences.append("\(outcome.refused.count - lost) not, because their first try is not yet acknowledged.")
        }
        if lost > 0 {
            sentences.append(
                lost == 1
                    ? "1 cannot be sent again, because its text is not kept whole."
                    : "\(lost) cannot be sent again, because their texts are not kept whole.")
        }
        if outcome.more > 0 { sentences.append("There are \(outcome.more) more; say it once more for those.") }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    /// Why a message stays as it was.
    package static func refusal(_ row: RowID, _ why: OutboxRefusal, _ verb: OutboxVerb) -> String {
        switch why {
        case .unknown: "There is no message \(row) of the bot's; outbox lists those that wait or came back."
        case .waiting: "Message \(row) waits to be sent already."
        case .leaving: "Message \(row) is on its way: it was sent, and is not yet acknowledged."
        case .sent: "Message \(row) was sent and has not come back."
        case .dropped: "Message \(row) was given up before."
        case .notWhole: "The text of message \(row) is not kept whole, so it cannot be sent again."
        }
    }

    /// Why a message came back, in words, with the word of the protocol and what the other side said behind them.
    package static func bounce(_ reason: String) -> String {
        let reason = VisibleText.oneLine(reason)
        let word = reason.prefix { $0 != ":" }
        guard let condition = StanzaError.Condition(rawValue: String(word)), let meaning = meaning(condition) else {
            return reason
        }
        return "\(meaning) (\(reason))"
    }

    /// Nil where the word of the protocol says as much.
    private static func meaning(_ condition: StanzaError.Condition) -> String? {
        switch condition {
        case .itemNotFound: "nobody has this address"
        case .gone: "this address is gone for good"
        case .redirect: "this address has moved"
        case .jidMalformed: "this is no address"
        case .remoteServerNotFound: "the server of this address cannot be found"
        case .remoteServerTimeout: "the server of this address does not answer"
        case .serviceUnavailable: "nobody at this address takes messages"
        case .recipientUnavailable: "nobody is there just now"
        case .forbidden, .notAllowed, .notAuthorized, .policyViolation: "this address takes nothing from the bot"
        case .registrationRequired, .subscriptionRequired: "this address takes messages of contacts or members only"
        case .resourceConstraint: "there is no room for it"
        case .internalServerError: "the server has a fault"
        case .badRequest, .notAcceptable, .featureNotImplemented: "the other side does not take this kind of message"
        case .conflict, .undefinedCondition, .unexpectedRequest: nil
        }
    }

    /// In the two largest units, like `2 h 5 min`; a clock that was set back shows nothing below zero.
    private static func age(_ age: Duration) -> String {
        let seconds = max(0, age.components.seconds)
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
        ]
        let shown = parts.drop { $0.0 == 0 }.prefix(2)
        return shown.isEmpty ? "0 s" : shown.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}

extension OutboxEntry {
    fileprivate var isFailed: Bool { if case .failed = state { true } else { false } }
}
