import BellhopDiagnostics
import BellhopXML
import BellhopXMPP
import Synchronization

@testable import BellhopBot

/// A desk with everything around it, and a clock that only moves when told.
final class Stage {
    let ledger: MemoryLedger
    let chat = RecordingChat()
    let sink = RecordingSink()
    let desk: Desk
    var moment = Moment(now: .seconds(1_000), clock: Timestamp(milliseconds: 1_700_000_000_000))
    private var inbox: AsyncStream<DeskInput>.Iterator
    private var lastID = 0

    static let account = try? JID("opsbot@bots.example.test")

    init(
        _ bot: Bot = Bot {}, admins: [String] = ["admin@example.test"], roles: [RoleDefinition] = [],
        access: [AccessOverride] = [], rules: [SubscriptionRule] = [],
        fallback: SubscriptionAction = .ask, ledger: MemoryLedger = MemoryLedger(),
        change: (inout DeskSettings) -> Void = { _ in }
    ) throws {
        let account = try JID("opsbot@bots.example.test")
        var settings = DeskSettings(
            account: account, admins: try admins.map { try JID($0) }, roles: roles, access: access, rules: rules,
            fallback: fallback)
        change(&settings)
        let (stream, continuation) = AsyncStream.makeStream(of: DeskInput.self)
        inbox = stream.makeAsyncIterator()
        self.ledger = ledger
        desk = Desk(
            bot: bot, settings: settings, ledger: ledger, chat: chat, inlineExecutor: nil,
            log: Log(level: .trace, sink: sink), post: { continuation.yield($0) })
    }

    /// A person writes; one turn of the loop.
    func hears(
        _ body: String?, from sender: String? = "alice@example.test/phone", type: String? = "chat", id: String? = nil,
        _ payloads: Element...
    ) {
        lastID += 1
        var stanza = Element("message", namespace: "jabber:client")
            .with("from", sender).with("type", type).with("id", id ?? "m\(lastID)")
            .with("to", "opsbot@bots.example.test/main")
        if let body { stanza = stanza.with(Element("body", namespace: "jabber:client").with(text: body)) }
        for payload in payloads { stanza = stanza.with(payload) }
        hears(stanza)
    }

    func hears(_ stanza: Element) {
        guard let account = Self.account else { return }
        let reading = MessageReading(account: account, language: "en", now: moment.clock)
        desk.received(IncomingMessage(stanza: stanza, reading: reading), at: moment)
        desk.turnCommitted()
    }

    func asks(_ person: String) throws {
        desk.requested(subscriptionBy: try JID(person), at: moment)
        desk.turnCommitted()
    }

    /// Waits for one thing that a handler posts, and hands it to the desk.
    func turn() async {
        guard let input = await inbox.next() else { return }
        desk.received(input, at: moment)
        desk.turnCommitted()
    }

    func pass(_ duration: Duration) {
        moment.now += duration
        moment.clock = moment.clock + duration
        guard let deadline = desk.nextDeadline, deadline <= moment.now else { return }
        desk.timeReached(at: moment)
        desk.turnCommitted()
    }

    /// What was said since the last look.
    func said() -> [String] { chat.takeBodies() }
    func did() -> [String] { chat.takeStanzas() }
}

/// Keeps log lines as `level event message field=value`.
final class RecordingSink: LogSink {
    private let stored = Mutex<[String]>([])

    var lines: [String] { stored.withLock { $0 } }

    func write(_ line: LogLine) {
        let fields = line.fields.map { " \($0.name)=\($0.value)" }.joined()
        stored.withLock { $0.append("\(line.level) \(line.event): \(line.message)\(fields)") }
    }
}

/// A gate that a handler waits at until the test opens it.
final class Gate: Sendable {
    private let opened = Settlement<Bool>()
    let arrived = Settlement<Bool>()

    func open() { opened.settle(true) }

    func pass() async throws {
        arrived.settle(true)
        _ = try await opened.value
    }
}

/// What handlers did, in order.
final class Diary: Sendable {
    private let stored = Mutex<[String]>([])

    var entries: [String] { stored.withLock { $0 } }
    func note(_ entry: String) { stored.withLock { $0.append(entry) } }
}
