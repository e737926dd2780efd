internal import BellhopBot
internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopJournal
internal import BellhopXMPP

/// Puts the rooms of one bot together on the loop's thread: what the account hears goes to the desk, what the desk
/// decides goes to the journal, and only what the journal has goes out.
final class BotHouse: AccountHouse {
    let loop: AccountLoop
    let desk: Desk
    let ledger: JournalLedger
    let chat: AccountChat
    let log: Log
    /// Why the bot is offline; nil while it is online, and before the first attempt failed.
    var lastReason: String?
    /// The reasons for being offline that were logged since the bot was online last.
    var reasons: Set<String> = []
    /// What a command that runs once does at its first moment online.
    var onceOnline: ((BotHouse) -> Void)?
    /// What is known of the connection; see BotHouse+Status.
    var record: ConnectionRecord
    let startedAt: Moment
    /// What waits until this turn is in the journal.
    private var afterCommit: [() -> Void] = []
    /// Messages of other programs that have not left yet, and who waits for that: at most one a control connection.
    var departures: [Departure] = []
    /// What systemd is told; nil where it did not start the bot.
    var service: ServiceLink?
    /// How the configuration is read again; nil where it is not.
    var reloading: Reloading?
    /// The program's version where admins hear of a change of it; nil where they do not.
    var version: String?
    /// How the archive on the server is read.
    var archive = Configuration.Archive()
    /// The reading of what was said while the bot was away; nil while there is none.
    var catchUp: CatchUp?
    /// Whether it is asked just now if there is an archive.
    var isFindingArchive = false
    /// Whether the account was online in this process.
    var wasOnline = false
    /// Rows of which nobody knows whether the server has them; see BotHouse+Settling.
    var uncertainRows: Set<BellhopBot.RowID> = []
    /// What waits until nothing is unsettled with one person, by the bare address.
    var afterSettling: [(peer: String, work: () -> Void)] = []
    /// Who deletes what is not to be kept; only a running bot has one.
    var caretaker: Caretaker?
    /// Until when a stop waits for handlers; nil while nobody asked for a stop, and when the wait is over.
    private var graceEnds: Duration?
    /// Whether a stop waits for no handler any more.
    private var isGraceOver = false

    /// How long running handlers may take to finish when the bot is stopped.
    static let grace: Duration = .seconds(10)

    init(loop: AccountLoop, desk: Desk, ledger: JournalLedger, chat: AccountChat, log: Log) {
        self.loop = loop
        self.desk = desk
        self.ledger = ledger
        self.chat = chat
        self.log = log
        startedAt = Moment(now: loop.now, clock: loop.clock)
        record = ConnectionRecord(at: loop.clock)
        chat.keepsAddresses = desk.hearsOfSent
        desk.steward = self
        chat.splits = { [unowned self] in self.desk.splitIfTooLarge($0, $1, at: moment) }
        chat.size = { [unowned self] in self.ledger.outgoing($0).map(StanzaSize.of) ?? 0 }
        chat.proven = { [unowned self] in self.departed($0, isAcknowledged: false, now: self.loop.now) }
    }

    var moment: Moment { Moment(now: loop.now, clock: loop.clock) }

    /// Does this as soon as what happened in this turn is in the journal.
    func afterCommit(_ work: @escaping () -> Void) { afterCommit.append(work) }

    func received(_ message: consuming IncomingMessage, now: Duration) { desk.received(message, at: moment) }

    func bounced(_ message: IncomingMessage, now: Duration) { desk.received(message, at: moment) }

    func requested(by jid: JID, stanza: Presence, now: Duration) { desk.requested(subscriptionBy: jid, at: moment) }

    func received(input: any Sendable, now: Duration) {
        switch input {
        case let input as DeskInput: desk.received(input, at: moment)
        case let request as HouseRequest: request.answer(self)
        default: break
        }
    }

    func reachedDeadline(now: Duration) {
        if let end = graceEnds, end <= now {
            // A deadline that is over is none: the loop would not wait while it says goodbye.
            graceEnds = nil
            isGraceOver = true
        }
        if let deadline = desk.nextDeadline, deadline <= now { desk.timeReached(at: moment) }
        if let deadline = chat.nextDeadline, deadline <= now { chat.sendWaiting() }
        service?.tell { $0.timePassed(now, isServerAnswering: loop.isServerAnswering) }
    }

    var nextDeadline: Duration? {
        // Asked twice a turn, so without an array.
        var first = graceEnds
        if let deadline = desk.nextDeadline { first = first.map { min($0, deadline) } ?? deadline }
        if let deadline = service?.report.deadline { first = first.map { min($0, deadline) } ?? deadline }
        if let deadline = chat.nextDeadline { first = first.map { min($0, deadline) } ?? deadline }
        if let deadline = ledger.nextDeadline { first = first.map { min($0, deadline) } ?? deadline }
        return first
    }

    /// The archive has been read to a place of its own, so it is there, and reading will begin behind that place.
    var readsArchive: Bool { archive.catchUp && ledger.archivePosition?.after != nil }

    var hasCaughtUp: Bool { !isFindingArchive && catchUp == nil && chat.settling.isOver }

    func commit(now: Duration) -> Commitment { ledger.commit(now: now) }

    func committed(now: Duration, left: Bool) {
        desk.turnCommitted()
        if !afterCommit.isEmpty {
            let work = afterCommit
            afterCommit = []
            for work in work { work() }
        }
        noteSent(now: now, left: left)
        if !chat.isDirect { chat.sendWaiting() }
        if !departures.isEmpty { noteDepartures() }
        // Said behind the turn, so that it is in one of its own: nothing leaves before it is in the journal.
        if let trouble = ledger.takeTrouble() { desk.speakUp(trouble, at: moment) }
    }

    private func noteSent(now: Duration, left: Bool) {
        // What was lost with the connection is still queued; it goes out, in order, when the account is online again.
        if !chat.leaving.isEmpty {
            if left {
                departed(chat.proof.left(chat.leaving), isAcknowledged: false, now: now)
            } else {
                uncertainRows.formUnion(chat.leaving)
            }
        }
        chat.forgetLeaving()
    }

    func departed(_ rows: [BellhopBot.RowID], isAcknowledged: Bool, now: Duration) {
        guard !rows.isEmpty else { return }
        ledger.departed(rows, isAcknowledged: isAcknowledged, now: now)
        guard chat.keepsAddresses else { return desk.messagesSent(rows) }
        for row in rows {
            guard let (to, id) = chat.takeAddress(of: row) else { continue }
            desk.messageSent(row, to: to, id: id, at: moment)
        }
    }

    func acknowledged(_ rows: [Int64], now: Duration) {
        departed(rows, isAcknowledged: true, now: now)
        chat.acknowledged(rows)
    }

    func lostSight(of rows: [Int64], now: Duration) {
        uncertainRows.formUnion(rows)
        log.debug("stream", "Of messages nobody knows whether they arrived", ["count": "\(rows.count)"])
    }

    func message(in row: Int64) -> OutgoingMessage? {
        guard let message = ledger.outgoing(row) else { return nil }
        return chat.mayBeWrittenAgain(message, row: row) ? message : nil
    }

    func keep(_ stream: StoredStream?) { ledger.keep(stream) }

    func keep(_ tokens: LoginTokens) { ledger.keep(tokens, for: loop.settings.password) }

    func stopping(now: Duration) {
        log.info("stop", ServicePhrases.stopping)
        service?.tell { $0.stopping() }
        graceEnds = now + Self.grace
    }

    var isQuiet: Bool {
        (!desk.isBusy && chat.proof.held.isEmpty) || isGraceOver
    }
}
