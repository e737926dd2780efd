import BellhopXMPP

@testable import BellhopBot

/// A ledger in memory, with the rows as a test wants to read them.
final class MemoryLedger: Ledger {
    struct Row: Equatable {
        var id: RowID
        var direction: String
        var peer: String
        var body: String?
        var kind: String
        var state: String
        var reason: String?
    }

    private(set) var rows: [Row] = []
    private(set) var ids: [RowID: String] = [:]
    private var messages: [RowID: (message: IncomingMessage, at: Timestamp)] = [:]
    private var seen: Set<[String]> = []
    private var waitingRequests: [Int: PendingRequest] = [:]
    var pending: [PendingRequest] { waitingRequests.values.sorted { $0.number < $1.number } }
    private(set) var endings: [Int: RequestEnding] = [:]
    private var lastRequest = 0
    private var greeted: Set<JID> = []
    var isFull = false

    var incoming: [Row] { rows.filter { $0.direction == "in" } }
    var outgoing: [Row] { rows.filter { $0.direction == "out" } }

    func admit(_ message: IncomingMessage, _ record: IncomingRecord, at clock: Timestamp) -> Admission {
        guard !isFull else { return .refused }
        if let id = message.archiveID ?? message.originID ?? message.id {
            let key = [message.sender?.bareText ?? "", id, message.body ?? ""]
            guard seen.insert(key).inserted else { return .duplicate }
        }
        let row = RowID(rows.count + 1)
        rows.append(
            Row(
                id: row, direction: record.isOwn ? "out" : "in", peer: record.peer.bareText, body: message.body,
                kind: message.obstacle?.rawValue ?? message.type.rawValue, state: record.state.rawValue,
                reason: record.reason))
        messages[row] = (message, clock)
        return .new(row)
    }

    func queue(
        _ message: OutgoingMessage, answering answered: RowID?, ordinal: Int, at clock: Timestamp
    ) -> QueuedMessage {
        let row = RowID(rows.count + 1)
        let id = answered.map { "a\($0)-\(ordinal)" } ?? "s\(row)"
        rows.append(
            Row(
                id: row, direction: "out", peer: message.to.bareText, body: message.body,
                kind: message.type.rawValue, state: "queued", reason: nil))
        ids[row] = id
        var kept = message
        kept.id = id
        queuedMessages[row] = (kept, clock)
        return QueuedMessage(row: row, id: id)
    }

    func mark(_ row: RowID, _ state: RowState, reason: String?) {
        let index = Int(row) - 1
        guard rows.indices.contains(index) else { return }
        rows[index].state = state.rawValue
        rows[index].reason = reason
    }

    func markFailed(id: String, peer: JID, reason: String, at clock: Timestamp) -> RowID? {
        guard let index = rows.firstIndex(where: { ids[$0.id] == id && $0.peer == peer.bareText }) else { return nil }
        failedAt[rows[index].id] = clock
        rows[index].state = "failed"
        rows[index].reason = reason
        return rows[index].id
    }

    // MARK: The outbox

    /// What was queued, to be sent again, and when it came back.
    private var queuedMessages: [RowID: (message: OutgoingMessage, at: Timestamp)] = [:]
    private var failedAt: [RowID: Timestamp] = [:]
    /// Rows whose text is not kept.
    var withoutText: Set<RowID> = []

    func outbox(_ filter: OutboxFilter) throws(LedgerFault) -> OutboxListing {
        if isUnreadable { throw .unreadable("the journal cannot be read") }
        var found: [OutboxEntry] = []
        for row in outgoing {
            guard let queued = queuedMessages[row.id], filter.to.map({ $0.bareText == row.peer }) ?? true else {
                continue
            }
            let state: OutboxEntry.State
            switch row.state {
            case "queued", "requeued":
                guard !filter.failedOnly else { continue }
                state = .waiting
            case "failed":
                guard let moment = failedAt[row.id], moment >= filter.since else { continue }
                state = .failed(at: moment, reason: row.reason ?? "")
            default: continue
            }
            found.append(
                OutboxEntry(
                    row: row.id, to: queued.message.to.bare, queuedAt: queued.at, state: state, text: row.body))
        }
        let shown = Array(found.suffix(filter.limit))
        return OutboxListing(entries: shown, more: found.count - shown.count)
    }

    func record(of row: RowID) throws(LedgerFault) -> OutgoingRecord? {
        if isUnreadable { throw .unreadable("the journal cannot be read") }
        guard let stored = rows.first(where: { $0.id == row && $0.direction == "out" }),
            let queued = queuedMessages[row]
        else { return nil }
        let state: OutgoingRecord.State =
            switch stored.state {
            case "queued", "requeued": .waiting
            case "failed": .failed(reason: stored.reason ?? "")
            case "dropped": .dropped
            default: .sent
            }
        return OutgoingRecord(
            row: row, message: queued.message, state: state, isWhole: !withoutText.contains(row))
    }

    func requeue(_ record: OutgoingRecord, by who: String) { change(record.row, "requeued", who) }

    func drop(_ record: OutgoingRecord, by who: String, at moment: Moment) { change(record.row, "dropped", who) }

    /// The house says that it was sent.
    func noteSent(_ row: RowID) { change(row, "sent", nil) }

    private func change(_ row: RowID, _ state: String, _ reason: String?) {
        guard let index = rows.firstIndex(where: { $0.id == row }) else { return }
        rows[index].state = state
        rows[index].reason = reason
    }

    func waiting(_ peer: JID, after row: RowID, limit: Int) -> [UnfinishedMessage] {
        let found = rows.filter { $0.id > row && $0.peer == peer.bareText && $0.state == "received" }
        return found.prefix(limit).compactMap(unfinished)
    }

    var pause: Pause?
    func storedPause() -> Pause? { pause }
    func store(_ pause: Pause?) { self.pause = pause }

    /// Whether reading fails.
    var isUnreadable = false

    func unfinished() -> [UnfinishedMessage]? {
        if isUnreadable { return nil }
        return rows.filter { $0.state == "received" || $0.state == "started" }.compactMap(unfinished)
    }

    private func unfinished(_ row: Row) -> UnfinishedMessage? {
        guard let stored = messages[row.id], let state = RowState(rawValue: row.state) else { return nil }
        return UnfinishedMessage(
            row: row.id, message: stored.message, state: state, reason: row.reason, receivedAt: stored.at)
    }

    func pendingRequests() -> [PendingRequest] { pending }

    func addRequest(from person: JID, at clock: Timestamp) -> PendingRequest {
        lastRequest += 1
        let request = PendingRequest(number: lastRequest, person: person, askedAt: clock)
        waitingRequests[request.number] = request
        return request
    }

    func closeRequest(_ number: Int, _ ending: RequestEnding, by who: String, at clock: Timestamp) {
        waitingRequests[number] = nil
        endings[number] = ending
    }

    private(set) var audit: [AuditEntry] = []

    func audit(_ entry: AuditEntry) {
        audit.removeAll { $0.row == entry.row }
        audit.append(entry)
    }

    func closeAudit(_ row: RowID, _ outcome: AuditOutcome, after duration: Duration?) {
        guard let index = audit.firstIndex(where: { $0.row == row }) else { return }
        audit[index].outcome = outcome
        audit[index].duration = duration
    }

    func audited(last: Int) -> [AuditEntry] { audit.suffix(last) }

    func greetOnce(_ person: JID, at clock: Timestamp) -> Bool { greeted.insert(person).inserted }
}
