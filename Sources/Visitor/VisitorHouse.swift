internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopXMPP

/// Lives behind the visitor's account: asks for friendship, says what is typed and prints what comes back.
final class VisitorHouse: AccountHouse {
    private let loop: AccountLoop
    private let task: VisitorOptions.Work
    private(set) var exitCode: Int32 = 69
    private var lastID = 0
    /// Typed before the bot accepted; said afterwards.
    private var waiting: [String] = []
    private var isFriend = false
    private var hasEnded = false
    private var unanswered = 0

    /// Marks what we say, so that an answer can be told from a greeting.
    private let thread: String

    init(loop: AccountLoop, task: VisitorOptions.Work) {
        self.loop = loop
        self.task = task
        thread = "visit-" + String(UInt32.random(in: .min ... .max), radix: 36)
        if case .talk(_, let text?) = task { waiting = [text] }
    }

    private var bot: JID? {
        switch task {
        case .register: nil
        case .befriend(let bot), .talk(let bot, _): bot
        }
    }

    private var says: String? {
        if case .talk(_, let text) = task { text } else { nil }
    }

    // MARK: What the account hears

    func occurred(_ event: AccountEvent, now: Duration) {
        switch event {
        case .online, .resumed: wentOnline()
        case .subscriptionNotice(let jid, .subscribed) where jid == bot: accepted()
        case .subscriptionNotice(let jid, .unsubscribed) where jid == bot:
            Screen.note("\(jid) does not want to be asked")
            loop.handle.stop()
        case .contactOnline(let jid, _) where jid == bot: accepted()
        default: break
        }
    }

    private func wentOnline() {
        guard let bot else {
            exitCode = 0
            return loop.handle.stop()
        }
        if let item = loop.rosterItem(bot), item.subscription.seesContact { return accepted() }
        loop.send(.subscribe, to: bot)
    }

    private func accepted() {
        guard !isFriend, bot != nil else { return }
        isFriend = true
        if case .befriend = task {
            exitCode = 0
            return loop.handle.stop()
        }
        if says == nil { Screen.prompt() }
        for line in waiting { say(line) }
        waiting = []
    }

    private func say(_ text: String) {
        guard let bot else { return }
        lastID += 1
        let message = OutgoingMessage(to: bot, id: "\(thread)-\(lastID)", thread: thread, body: text)
        if loop.send(message) { unanswered += 1 }
    }

    func received(_ message: IncomingMessage, now: Duration) {
        guard let bot, message.sender?.bare == bot, let body = message.body else { return }
        guard message.thread == thread else {
            if says == nil { Screen.reply(body) }
            return
        }
        Screen.reply(body)
        unanswered -= 1
        exitCode = 0
        if says != nil || (hasEnded && unanswered <= 0) { return loop.handle.stop() }
        Screen.prompt()
    }

    func bounced(_ message: IncomingMessage, now: Duration) {
        Screen.note("not delivered: \(message.error?.condition.rawValue ?? "unknown reason")")
        if says != nil { loop.handle.stop() }
    }

    /// A friend of a friend: whoever asks to see the visitor may.
    func requested(by jid: JID, stanza: Presence, now: Duration) { loop.send(.subscribed, to: jid) }

    func received(input: any Sendable, now: Duration) {
        switch input as? VisitorInput {
        case .line(let text):
            guard !text.isEmpty else { return Screen.prompt() }
            if isFriend { say(text) } else { waiting.append(text) }
        case .end:
            if StandardStream.input.isTerminal { Screen.note("") }
            hasEnded = true
            exitCode = 0
            if unanswered <= 0 && waiting.isEmpty { loop.handle.stop() }
        case nil: break
        }
    }

    // MARK: Nothing to keep

    func reachedDeadline(now: Duration) {}
    var nextDeadline: Duration? { nil }
    func commit(now: Duration) -> Commitment { .released }
    func committed(now: Duration, left: Bool) {}
    func stopping(now: Duration) {}
    var isQuiet: Bool { true }
}
