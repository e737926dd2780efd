internal import BellhopBot
internal import BellhopClient
internal import BellhopJournal
internal import BellhopXML
internal import BellhopXMPP

/// Joins the desk's ledger to the journal: the desk decides the states, the journal stores them.
final class JournalLedger: Ledger {
    let journal: Journal
    let account: AccountID
    private var watch = JournalWatch()
    private var trouble: Trouble?
    /// How many messages of others, or of other devices, were logged in this run.
    private(set) var admitted = 0
    /// Beside which password tokens count; nil where none are kept.
    var passwordTie: PasswordTie?

    init(journal: Journal, account: AccountID) {
        self.journal = journal
        self.account = account
    }

    // MARK: Messages

    var isFull: Bool { journal.isFull }

    func admit(_ message: IncomingMessage, _ record: IncomingRecord, at clock: Timestamp) -> BellhopBot.Admission {
        let admission = journal.admit(
            message, record.isOwn ? .outgoing : .incoming, peer: record.peer.bareText, account: account,
            payload: Self.payload(message.payloads),
            // What another device of the account has said, the server has.
            state: record.isOwn ? .acknowledged : Self.state(record.state), reason: record.reason, at: clock)
        switch admission {
        case .new(let row):
            admitted += 1
            return .new(row.number)
        case .duplicate: return .duplicate
        case .refused: return .refused
        }
    }

    func queue(
        _ message: OutgoingMessage, answering answered: BellhopBot.RowID?, ordinal: Int, at clock: Timestamp
    ) -> QueuedMessage {
        let queued = journal.queue(
            message, account: account, payload: Self.payload(message.payloads),
            answers: answered.map(BellhopJournal.RowID.init), ordinal: ordinal,
            isTransient: !message.payloads.isEmpty && message.payloads.contains(where: Self.isHint), at: clock)
        return QueuedMessage(row: queued.row.number, id: queued.id, isRepeated: queued.isRepeated)
    }

    func mark(_ row: BellhopBot.RowID, _ state: BellhopBot.RowState, reason: String?) {
        journal.mark(BellhopJournal.RowID(row), Self.state(state), reason: reason)
    }

    func markFailed(id: String, peer: JID, reason: String, at clock: Timestamp) -> BellhopBot.RowID? {
        journal.fail(id: id, to: peer.bareText, reason: reason, at: clock)?.number
    }

    func waiting(_ peer: JID, after row: BellhopBot.RowID, limit: Int) -> [UnfinishedMessage] {
        let stored = (try? journal.waiting(peer: peer.bareText, after: BellhopJournal.RowID(row), limit: limit)) ?? []
        return stored.compactMap(Self.unfinished)
    }

    // MARK: The turn

    var nextDeadline: Duration? { journal.nextDeadline }

    /// Whether what was written last is in memory only.
    var isHeld: Bool { journal.obstruction != nil }

    func commit(now: Duration) -> Commitment {
        let outcome = journal.commit(now: now)
        if let found = watch.committed(outcome, reason: journal.obstruction, now: now) { trouble = found }
        switch outcome {
        case .committed, .recovered: return .released
        case .holding, .full: return .releasedUnstored
        case .waiting: return .held(until: journal.nextDeadline ?? now)
        }
    }

    /// What the last commit has shown of the journal's health, once.
    func takeTrouble() -> Trouble? {
        guard trouble != nil else { return nil }
        defer { trouble = nil }
        return trouble
    }

    /// Notes of these messages that they were written to a stream, or that the server has them.
    func departed(_ rows: [BellhopBot.RowID], isAcknowledged: Bool, now: Duration) {
        // One by one, because an array of the journal's own kind would be an allocation a turn.
        for row in rows {
            journal.departed(
                BellhopJournal.RowID(row), isAcknowledged: isAcknowledged, account: account, now: now)
        }
    }

    // MARK: After a restart

    /// Commands that the last run received or started, oldest first.
    func unfinishedCommands() throws(JournalError) -> [UnfinishedMessage] {
        try journal.unfinished().filter { $0.direction == .incoming }.compactMap(Self.unfinished)
    }

    /// Messages that were put down and are not known to be with the server, oldest first; each says since when it waits.
    func unsent() -> [(row: BellhopBot.RowID, message: OutgoingMessage)] {
        let stored = (try? journal.unfinished()) ?? []
        return stored.compactMap { row in
            guard var message = Self.outgoing(row) else { return nil }
            message.delay = row.receivedAt
            return (row.row.number, message)
        }
    }

    /// A message that is still to be sent, or whose fate is not known; nil when it is not to be sent any more.
    func outgoing(_ row: BellhopBot.RowID) -> OutgoingMessage? {
        guard let stored = try? journal.message(BellhopJournal.RowID(row)),
            stored.state == .queued || journal.isRequeued(stored.row)
        else { return nil }
        return Self.outgoing(stored)
    }

    static func outgoing(_ row: StoredMessage) -> OutgoingMessage? {
        guard row.direction == .outgoing, let to = address(row), let id = row.id else { return nil }
        return OutgoingMessage(
            to: to, type: row.kind == .normal ? .normal : .chat, id: id, thread: row.thread, body: row.body,
            payloads: elements(row.payload))
    }

    private static func unfinished(_ row: StoredMessage) -> UnfinishedMessage? {
        guard let sender = address(row), let state = state(row.state) else { return nil }
        var stanza = Element("message", namespace: Namespace.client)
        stanza.nodes = elements(row.payload).map(Element.Node.element)
        var message = IncomingMessage(stanza: stanza, type: row.kind == .normal ? .normal : .chat)
        message.sender = sender
        message.id = row.id
        message.originID = row.originID
        message.archiveID = row.archiveID
        message.thread = row.thread
        message.body = row.body
        message.text = row.body
        message.delay = row.sentAt
        message.payloads = elements(row.payload).filter { !isHint($0) }
        message.isTransient = message.payloads.count < stanza.nodes.count
        return UnfinishedMessage(
            row: row.row.number, message: message, state: state, reason: row.reason,
            receivedAt: row.sentAt ?? row.receivedAt)
    }

    private static func address(_ row: StoredMessage) -> JID? {
        guard let bare = try? JID(received: row.peer) else { return nil }
        guard let resource = row.resource else { return bare }
        return (try? JID(received: row.peer + "/" + resource)) ?? bare
    }

    // MARK: Forgetting

    /// See `Journal.beginForgetting`.
    func beginForgetting(_ person: JID, now: Duration) -> BellhopJournal.RowID? {
        journal.beginForgetting(person.bareText, now: now)
    }

    func endForgetting(_ outcome: Forgetting.Outcome) { journal.endForgetting(outcome) }

    // MARK: Words

    /// A wish that the message is not kept (XEP-0334).
    private static func isHint(_ element: Element) -> Bool {
        element.namespace == Namespace.hints && (element.name == "no-store" || element.name == "no-permanent-store")
    }

    private static func payload(_ elements: [Element]) -> String? {
        elements.isEmpty ? nil : elements.map { $0.serialized(in: Namespace.client) }.joined()
    }

    private static func elements(_ payload: String?) -> [Element] {
        guard let payload else { return [] }
        let all = try? Element.parse("<all xmlns='\(Namespace.client)'>\(payload)</all>")
        return all?.children ?? []
    }

    private static func state(_ state: BellhopBot.RowState) -> BellhopJournal.RowState {
        switch state {
        case .received: .received
        case .started: .started
        case .handled: .handled
        case .interrupted: .interrupted
        case .declined: .declined
        }
    }

    private static func state(_ state: BellhopJournal.RowState) -> BellhopBot.RowState? {
        switch state {
        case .received: .received
        case .started: .started
        case .handled, .interrupted, .declined, .queued, .sent, .acknowledged, .delivered, .failed, .requeued, .dropped:
            nil
        }
    }

    // MARK: Requests and small facts

    func pendingRequests() -> [PendingRequest] {
        journal.pendingRequests.compactMap { request in
            guard let person = try? JID(received: request.jid) else { return nil }
            return PendingRequest(number: Int(request.number), person: person.bare, askedAt: request.firstSeen)
        }
    }

    func addRequest(from person: JID, at clock: Timestamp) -> PendingRequest {
        let request = journal.request(from: person.bareText, account: account, at: clock).0
        return PendingRequest(number: Int(request.number), person: person, askedAt: request.firstSeen)
    }

    /// How a request ended that no longer waits, and who or what decided; nil where nobody accepted or denied it.
    func decision(about number: Int) -> (isAccepted: Bool, by: String)? {
        guard let request = try? journal.request(Int64(number)) else { return nil }
        let by = request.decidedBy ?? request.rule ?? "nobody known"
        switch request.state {
        case .accepted: return (true, by)
        case .denied: return (false, by)
        case .pending, .ignored, .blocked, .withdrawn: return nil
        }
    }

    func closeRequest(_ number: Int, _ ending: RequestEnding, by who: String, at clock: Timestamp) {
        let state: Request.State =
            switch ending {
            case .accepted: .accepted
            case .denied: .denied
            case .withdrawn: .withdrawn
            }
        journal.decide(Int64(number), state, by: who, at: clock)
    }

    /// Keeps the version of the program that runs; returns the one that ran last if it was another.
    func note(version: String) -> String? {
        let key = "version"
        guard let stored = try? journal.value(key) else {
            journal.set(key, version)
            return nil
        }
        guard stored != version else { return nil }
        journal.set(key, version)
        return stored
    }

    /// False when the journal cannot say: a greeting too few is better than one at each request.
    func greetOnce(_ person: JID, at clock: Timestamp) -> Bool {
        (try? journal.greetOnce(person.bareText, account: account, at: clock)) ?? false
    }
}
