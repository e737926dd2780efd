import BellhopDiagnostics
import BellhopEngine
import BellhopTestServer
import BellhopTransport
import BellhopXML
import BellhopXMPP
import Foundation

@testable import Bellhop
@testable import BellhopBot
@testable import BellhopClient
@testable import BellhopJournal
@testable import BellhopTesting

/// One hour of a bot's life under faults that a seed draws, in as little time as it takes.
///
/// Unchecked for the reason that its world is: one thread runs it, and all that it is part of.
final class Soak: @unchecked Sendable {
    let seed: UInt64
    let world: VirtualWorld
    let folder: String
    let effects = SoakBot.Effects()
    let log = SoakLog()
    /// Draws faults, people draw for themselves.
    var random: SeededRandom
    /// Everything that people have said, by id.
    var said: [String: Saying] = [:]
    /// The same, in order.
    var sayings: [Saying] = []
    /// What has gone wrong for good.
    var breaches: [String] = []
    /// The faults that have come, with their moments.
    var faults: [String] = []
    var resident: Resident?
    private(set) var isOver = false
    /// Whether the loop had to be stopped from going round and round; nothing else is judged then.
    private(set) var hasSpun = false
    let fate = Fate()
    /// Whether the bot is killed while it says that a kill may lose or repeat something, so that only its log is judged.
    var saysWhatAKillMayDo = false
    var downTime: Duration = .zero
    /// Somebody else's lock on the journal, and a journal that takes no more pages.
    var lock: DatabaseLock?
    var isDiskFull = false
    var isPaused = false
    /// When the server kept no archive, by its clock.
    var archiveless: [ClosedRange<Timestamp>] = []

    static let account = "opsbot@bots.example.test"
    /// How long people talk and faults come, and how long everything may then take to settle.
    let hour: Duration
    static let settling: Duration = .seconds(900)

    /// The bot that lives now.
    struct Resident {
        let loop: AccountLoop
        let house: BotHouse
    }

    /// Something that a person said.
    struct Saying {
        let number: Int
        let id: String
        let person: String
        let body: String
        /// When, by the minutes and seconds of the soak.
        let at: String
        /// Whether the server's archive has it.
        let isArchived: Bool
        /// Whether the server was told to bring stanzas out of their order.
        let mayBeReordered: Bool
    }

    init(seed: UInt64, folder: String, hour: Duration = .seconds(3_600)) {
        self.seed = seed
        self.folder = folder
        self.hour = hour
        random = SeededRandom(seed: seed)
        let options = SimulatedServerOptions()
        world = VirtualWorld(SimulatedServer(options, seed: seed &+ 1), seed: seed &+ 2)
        world.spins = { [self] in
            breaches.append(
                "\(elapsed) the loop goes round and round and no time passes: \(world.lastWait), \(standing), behind \(faults.last ?? "no fault")"
            )
            hasSpun = true
            fate.strike(.beforeCommit)
            isOver = true
        }
        world.beforeWaiting = { [self] in waitForCheckpoint() }
    }

    /// Lives an hour of chance, and judges it.
    func run() throws -> SoakReport {
        try run { soak in
            for number in 0..<20 { soak.gather(number) }
            soak.scheduleFault()
        }
    }

    /// Lives the hour with what a test has happen in it, and judges it.
    func run(_ begin: (Soak) -> Void) throws -> SoakReport {
        world.network.host { $0.inflict(.delay(.milliseconds(20)), at: world.moment) }
        open()
        begin(self)
        scheduleMeasure()
        world.after(hour) { [self] in calm() }
        world.after(hour + Self.settling) { [self] in
            isOver = true
            inspectSettled()
            resident?.loop.handle.stop()
        }
        while true {
            try live()
            if isOver { break }
            world.pass(until: world.now + downTime)
        }
        return try judge()
    }

    /// From the start of a process to its end.
    private func live() throws {
        effects.life += 1
        // A lie that was meant for the process before is not told to the next.
        world.network.host { $0.server.lie(nil) }
        var configuration = Configuration(jid: try JID(Self.account), password: Secret("secret"))
        configuration.account.server = Configuration.Server(host: "127.0.0.1", port: 5222)
        configuration.account.connection.encryption = .off
        configuration.admins = [try JID(Self.admin)]
        configuration.journal.path = folder + "/j.db"
        var run = BotRun(
            bot: SoakBot(world: world, effects: effects).bot, configuration: configuration, program: "soakbot",
            log: Log(level: log.level, sink: log))
        run.source = source(configuration)
        run.world = world.loopWorld
        run.reachable = { _ in }
        run.lodge = { [self] house, loop in
            if let house = house as? BotHouse { resident = Resident(loop: loop, house: house) }
            return MortalHouse(house, loop, fate, quiet: Mailbox<Int> { "\($0)" })
        }
        downTime = .milliseconds(Int.random(in: 0...90_000, using: &random))
        let code = run.runUnlessKilled()
        if code == nil { _ = fate.fulfilled() }
        // Whatever the dead process was at, it does no more.
        effects.life += 1
        world.wakeAll()
        _ = resident?.loop.executor.runPending()
        resident = nil
        guard let code, code != .success else { return }
        breaches.append("the bot gave up with exit code \(code): \(log.recent.suffix(3))")
        isOver = true
    }

    /// A reload that changes something each time.
    private func source(_ configuration: Configuration) -> ConfigurationSource {
        var draft = ConfigurationDraft()
        draft.commands = configuration.commands
        let loaded = LoadedConfiguration(
            configuration: configuration, origin: .environment, passwordSource: .plain(configuration.account.password),
            notes: [], draft: draft)
        var new = loaded
        new.configuration.commands.maxAge = .seconds(100 + 10 * (effects.life % 5))
        new.configuration.commands.typing = false
        new.draft.commands = new.configuration.commands
        return ConfigurationSource(loaded: loaded, level: log.level) { [new] in .success(new) }
    }

    /// The journal's own thread copies its log now and then, and the writer pauses for it; an hour in seconds would overtake it.
    private func waitForCheckpoint() {
        guard let journal = resident?.house.ledger.journal else { return }
        while journal.checkpointer.isPausing {
            Thread.sleep(forTimeInterval: 0.001)  // waits for a fact: the pages are copied
        }
    }

    /// What the loop may be waiting for.
    private var standing: String {
        guard let resident else { return "no bot" }
        func left(_ deadline: Duration?) -> String { deadline.map { "\($0 - world.now)" } ?? "never" }
        let (loop, house) = (resident.loop, resident.house)
        return
            "online \(loop.isOnline), desk in \(left(house.desk.nextDeadline)), "
            + "house in \(left(house.nextDeadline)), journal in \(left(house.ledger.nextDeadline)), "
            + "session in \(left(loop.live?.nextDeadline)), stream in \(left(loop.live?.stream?.deadline)), "
            + "\(loop.outbox.count) bytes to write, \(house.isQuiet ? "quiet" : "busy")"
    }

    func note(_ fault: String) {
        faults.append("\(elapsed) \(fault)")
        log.note("--- \(elapsed) fault: \(fault)")
    }

    /// Minutes and seconds since the beginning.
    var elapsed: String { Self.text(world.now - VirtualWorld.start) }

    static func text(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }
}
