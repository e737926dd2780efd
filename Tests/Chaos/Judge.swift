import EndToEndSupport

/// Compares what was promised with what is known.
struct Judge {
    private let evidence: Evidence
    private let incoming: [String: [LogRow]]
    private let outgoing: [Int64: [LogRow]]
    private let heard: [String: [Heard]]
    private let effects: [String: Int]

    init(_ evidence: Evidence) {
        self.evidence = evidence
        incoming = Dictionary(grouping: evidence.rows.filter { $0.direction == "in" }) { $0.id ?? "" }
        outgoing = Dictionary(grouping: evidence.rows.filter { $0.direction == "out" }) { $0.answers ?? 0 }
        heard = Dictionary(grouping: evidence.facts.heard) { heard in
            switch HeardWords(heard.body) {
            case .answer(let id), .interruption(let id): id
            case .other: ""
            }
        }
        effects = evidence.effects.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    func breaches() -> [Breach] {
        var found = evidence.messages.flatMap(breaches(of:))
        for words in heard[""] ?? [] {
            found.append(Breach(kind: .unexpectedWords, details: [evidence.people[words.person] + ": " + words.body]))
        }
        for end in evidence.endings { found.append(Breach(kind: .ended, details: [end])) }
        if evidence.integrity != "ok" { found.append(Breach(kind: .unsound, details: [evidence.integrity])) }
        if let reason = evidence.unsettled, !isServersFault {
            found.append(Breach(kind: .unsettled, details: [reason]))
        }
        return found
    }

    /// Whether all that is still open is what the server lost.
    private var isServersFault: Bool {
        let lost = Set(evidence.messages.filter { loss(of: $0) != nil }.map(\.id))
        return !lost.isEmpty && Settlement(facts: evidence.facts, rows: evidence.rows, lost: lost).open.isEmpty
    }

    /// What the server acknowledged and lost when it ended: no bot can log a message that neither reached it nor is in its archive,
    /// and none can say more often what the server says it has.
    enum ServerLoss: Equatable {
        /// Acknowledged to its sender, in no archive, never delivered.
        case message
        /// Acknowledged to the bot and in the bot's archive, and never with the person.
        case answer
    }

    func loss(of message: PlannedMessage) -> ServerLoss? {
        guard evidence.serverDeaths > 0, evidence.facts.acknowledged.contains(message.id),
            !evidence.facts.bounced.contains(message.id)
        else { return nil }
        let rows = rows(of: message)
        if rows.isEmpty { return evidence.archive.has(message.id) ? nil : .message }
        guard heard[message.id] == nil else { return nil }
        let answers = rows.flatMap { outgoing[$0.sequence] ?? [] }
        let isWithServer = answers.contains { $0.state == "acknowledged" && evidence.archive.has($0.id) }
        return isWithServer ? .answer : nil
    }

    private func breaches(of message: PlannedMessage) -> [Breach] {
        let rows = rows(of: message)
        let loss = loss(of: message)
        let isOwed = evidence.facts.acknowledged.contains(message.id) && !evidence.facts.bounced.contains(message.id)
        var kinds: [Breach.Kind] = []
        if rows.isEmpty && isOwed && loss == nil { kinds.append(.notLogged) }
        if rows.count > 1 { kinds.append(.loggedTwice) }
        if rows.contains(where: { !["handled", "interrupted"].contains($0.state) }) { kinds.append(.unfinished) }
        kinds += judgeAnswers(to: message, isOwed: isOwed && loss == nil)
        let effect = effects["\(message.id)"] ?? 0
        if effect > 1 { kinds.append(.effectTwice) }
        let answers = answers(to: message)
        if message.command == .note, !answers.finished.isEmpty, effect == 0 { kinds.append(.effectMissing) }
        for row in rows where ["handled", "interrupted"].contains(row.state) {
            if outgoing[row.sequence]?.count != 1 { kinds.append(.answersInLog) }
        }
        return kinds.map { Breach(kind: $0, message: message.id, details: details(of: message)) }
    }

    private func judgeAnswers(to message: PlannedMessage, isOwed: Bool) -> [Breach.Kind] {
        let answers = answers(to: message)
        var kinds: [Breach.Kind] = []
        if answers.finished.count > 1 { kinds.append(.answeredTwice) }
        if answers.interrupted.count > 1 { kinds.append(.toldTwice) }
        if message.command.isIdempotent && !answers.interrupted.isEmpty { kinds.append(.interruptedAnyway) }
        if !answers.finished.isEmpty && !answers.interrupted.isEmpty { kinds.append(.answeredAndInterrupted) }
        if isOwed && answers.finished.isEmpty && answers.interrupted.isEmpty { kinds.append(.notAnswered) }
        return kinds
    }

    /// The ids of what was heard about a message: the same answer delivered twice counts once.
    private func answers(to message: PlannedMessage) -> (finished: Set<String>, interrupted: Set<String>) {
        var finished: Set<String> = []
        var interrupted: Set<String> = []
        for heard in heard[message.id] ?? [] {
            switch HeardWords(heard.body) {
            case .answer: finished.insert(heard.id)
            case .interruption: interrupted.insert(heard.id)
            case .other: break
            }
        }
        return (finished, interrupted)
    }

    private func rows(of message: PlannedMessage) -> [LogRow] {
        (incoming[message.id] ?? []).filter { $0.peer == evidence.people[message.person] }
    }

    private func details(of message: PlannedMessage) -> [String] {
        let rows = rows(of: message)
        let acknowledged = evidence.facts.acknowledged.contains(message.id)
        var lines = [
            "\(message.body) from \(evidence.people[message.person]), \(acknowledged ? "" : "not ")acknowledged"
        ]
        for row in rows + rows.flatMap({ outgoing[$0.sequence] ?? [] }) {
            let count = row.direction == "out" ? ", written \(evidence.wire.written[row.id ?? ""] ?? 0) times" : ""
            lines.append("log: \(row)\(count)")
        }
        if rows.isEmpty { lines.append("log: nothing") }
        lines.append("archive of the bot: \(evidence.archive.places[message.id]?.joined(separator: " ") ?? "nothing")")
        for heard in heard[message.id] ?? [] {
            lines.append("\(heard.isFromArchive ? "archive" : "heard"): id=\(heard.id): \(heard.body)")
        }
        if heard[message.id] == nil { lines.append("heard: nothing") }
        if let count = effects[message.id] { lines.append("effects: \(count)") }
        return lines
    }
}
