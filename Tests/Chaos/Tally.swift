import EndToEndSupport

/// What a run counted, for its table.
struct Tally: Equatable, Sendable {
    var acknowledged = 0
    var bounced = 0
    /// Messages that people wrote anew because the server had not acknowledged them.
    var repetitions = 0
    var resumptions = 0
    var newSessions = 0
    var logged = 0
    var answered = 0
    var interrupted = 0
    var effects = 0
    /// Answers that a person found only in the archive.
    var fromArchive = 0
    /// Messages that the bot wrote to a stream more than once, under one id.
    var writtenAgain = 0
    /// Those of them that the server's count seems to cover. Only seems: what a turn lost with its line is counted by the bot and not
    /// in its trace, so the places shift.
    var writtenThoughCovered = 0
    /// Deliveries beyond the first of messages that the bot wrote again, since no `h` of the server's covered them.
    var secondByBot = 0
    /// What the server acknowledged to its sender and lost when it ended.
    var lostByServer = 0
    /// Answers that the server has from the bot and never delivered.
    var undelivered = 0
    /// Deliveries beyond what the bot wrote.
    var secondByServer = 0

    init(_ evidence: Evidence) {
        let facts = evidence.facts
        acknowledged = facts.acknowledged.count
        bounced = facts.bounced.count
        repetitions = facts.repetitions
        resumptions = facts.resumptions
        newSessions = facts.newSessions
        let planned = Set(evidence.messages.map(\.id))
        logged = Set(evidence.rows.filter { $0.direction == "in" }.compactMap(\.id)).intersection(planned).count
        effects = Set(evidence.effects).count
        fromArchive = facts.heard.count { $0.isFromArchive }
        let judge = Judge(evidence)
        let losses = evidence.messages.compactMap(judge.loss(of:))
        lostByServer = losses.count { $0 == .message }
        undelivered = losses.count { $0 == .answer }
        writtenAgain = evidence.wire.written.values.count { $0 > 1 }
        writtenThoughCovered = evidence.wire.writtenThoughAcknowledged.count
        var answers: Set<String> = []
        var interruptions: Set<String> = []
        for heard in facts.heard {
            switch HeardWords(heard.body) {
            case .answer(let id): answers.insert(id)
            case .interruption(let id): interruptions.insert(id)
            case .other: break
            }
        }
        answered = answers.count
        interrupted = interruptions.count
        for (id, deliveries) in Dictionary(grouping: facts.heard.filter { !$0.isFromArchive }, by: \.id) {
            let second = deliveries.count - 1
            let written = (evidence.wire.written[id] ?? 1) - 1
            secondByBot += min(second, max(0, written))
            secondByServer += max(0, second - max(0, written))
        }
    }
}
