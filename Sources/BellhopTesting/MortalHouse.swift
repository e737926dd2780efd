internal import BellhopClient
internal import BellhopEngine
internal import BellhopTestServer
internal import BellhopXMPP

/// Stands between an account and the bot's house: lets everything through, and ends the bot where its fate says so.
///
/// A killed process stops between two instructions. The points of a turn where that makes a difference are before the commit, behind it
/// with nothing sent, and behind the sending; a commit itself is whole or not there, for which SQLite answers.
final class MortalHouse: AccountHouse {
    private let house: any AccountHouse
    private let loop: AccountLoop
    private let fate: Fate
    private let quiet: Mailbox<Int>
    /// Whether a message came in this turn.
    private var hasMessage = false
    /// Who waits for the bot to have nothing to do.
    private var questions: [Int] = []

    /// Asks to be told once nothing runs, under this number.
    struct QuietQuestion: Sendable {
        var number: Int
    }

    init(_ house: any AccountHouse, _ loop: AccountLoop, _ fate: Fate, quiet: Mailbox<Int>) {
        self.house = house
        self.loop = loop
        self.fate = fate
        self.quiet = quiet
    }

    func received(_ message: consuming IncomingMessage, now: Duration) {
        hasMessage = true
        house.received(message, now: now)
    }

    func bounced(_ message: IncomingMessage, now: Duration) { house.bounced(message, now: now) }

    func requested(by jid: JID, stanza: Presence, now: Duration) { house.requested(by: jid, stanza: stanza, now: now) }

    func occurred(_ event: AccountEvent, now: Duration) { house.occurred(event, now: now) }

    func received(input: any Sendable, now: Duration) {
        if let question = input as? QuietQuestion { return questions.append(question.number) }
        house.received(input: input, now: now)
    }

    func reachedDeadline(now: Duration) { house.reachedDeadline(now: now) }

    var nextDeadline: Duration? { house.nextDeadline }

    func commit(now: Duration) -> Commitment {
        switch fate.point(hasMessage: hasMessage) {
        case .beforeCommit?:
            loop.kill()
            return .held(until: now)
        case .beforeSending?:
            let commitment = house.commit(now: now)
            if case .held = commitment { return commitment }
            loop.kill()
            return .held(until: now)
        case .afterSending?, nil: return house.commit(now: now)
        }
    }

    func committed(now: Duration, left: Bool) {
        if fate.point(hasMessage: hasMessage) != nil { return loop.kill() }
        hasMessage = false
        house.committed(now: now, left: left)
        guard !questions.isEmpty, house.isQuiet, house.hasCaughtUp else { return }
        for number in questions { quiet.post(number) }
        questions = []
    }

    func acknowledged(_ rows: [Int64], now: Duration) { house.acknowledged(rows, now: now) }

    func lostSight(of rows: [Int64], now: Duration) { house.lostSight(of: rows, now: now) }

    var readsArchive: Bool { house.readsArchive }

    func message(in row: Int64) -> OutgoingMessage? { house.message(in: row) }

    func keep(_ stream: StoredStream?) { house.keep(stream) }

    func keep(_ tokens: LoginTokens) { house.keep(tokens) }

    func stopping(now: Duration) { house.stopping(now: now) }

    var isQuiet: Bool { house.isQuiet }

    var hasCaughtUp: Bool { house.hasCaughtUp }
}
