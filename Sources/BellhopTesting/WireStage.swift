public import Bellhop
internal import BellhopTestServer
internal import FoundationEssentials
internal import Synchronization

/// A bot, its server and the people who write to it, all in the test's process.
///
/// The bot is the real one: the client, TLS, a journal in a temporary folder, on a thread of its own. The server is a simulated one
/// behind sockets on loopback. Everything that a stage waits for is a fact; what does not come in `StageOptions.patience` is a
/// `StageError` that says what came instead.
public final class WireStage: Sendable {
    let service: SimulatedService
    let bot: StagedBot
    let options: StageOptions
    /// How many messages of each person `hears` has handed out.
    let read = Mutex<[String: Int]>([:])

    /// The address of the bot's account.
    public static let account = StageConfiguration.local + "@" + StageIdentity.domain

    private init(_ service: SimulatedService, _ bot: StagedBot, _ options: StageOptions) {
        self.service = service
        self.bot = bot
        self.options = options
    }

    /// Runs a bot for as long as the body; afterwards no thread, socket or file of the stage is left.
    ///
    /// Throws what the body throws, or a `StageError` when the bot cannot start.
    public static func run<Result>(
        _ bot: Bot, _ options: StageOptions = StageOptions(), faults: FaultPlan = .none,
        _ body: (WireStage) async throws -> Result
    ) async throws -> Result {
        let folder = try makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let identity = options.isEncrypted ? try StageIdentity(folder: folder) : nil
        return try await SimulatedService.running(
            server(options), plan: faults, tls: identity?.server, patience: options.patience
        ) { service in
            let configuration = try StageConfiguration(
                bot, options, folder: folder, port: service.port, authorities: identity?.authorities)
            let staged = StagedBot(bot, configuration.configuration, options) { [weak service] code in
                service?.obstruct(code.map { StagePhrases.ended($0.rawValue) } ?? StagePhrases.killed)
            }
            service.onKill { staged.awaitKill($0) }
            let stage = WireStage(service, staged, options)
            do {
                try await stage.start()
                let result = try await body(stage)
                await stage.end()
                return result
            } catch {
                await stage.end()
                throw error
            }
        }
    }

    private static func server(_ options: StageOptions) -> SimulatedServer {
        var settings = SimulatedServerOptions(
            domain: StageIdentity.domain, accounts: [StageConfiguration.local: StageConfiguration.password])
        settings.encryption = options.isEncrypted ? .required : .none
        settings.streamManagement?.hibernation = options.hibernation
        if !options.hasStreamManagement { settings.streamManagement = nil }
        if !options.hasArchive { settings.archive = nil }
        settings.limits = options.stanzaLimit.map { SimulatedServerOptions.Limits(bytes: $0) }
        return SimulatedServer(settings, seed: options.seed)
    }

    /// A short name: the control socket beside the journal has room for a hundred bytes.
    private static func makeFolder() throws -> String {
        let name = "stage-" + String(UInt64.random(in: .min ... .max), radix: 36)
        let folder = FileManager.default.temporaryDirectory.path + "/" + name
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }

    // MARK: the bot

    func start() async throws {
        service.obstruct(nil)
        try await bot.start()
        if options.waitsUntilOnline { try await online() }
    }

    /// The body is over: nothing of the bot is waited for but its end.
    private func end() async {
        if bot.isRunning { try? await bot.kill(.beforeCommit) }
    }

    /// Returns when the bot is logged in and shows its presence.
    public func online() async throws {
        try await wait(for: StagePhrases.online) { $0.server.isOnline(Self.account) ? () : nil }
    }

    /// Kills the bot as SIGKILL would, as far as that is possible inside one process; returns when it is dead.
    ///
    /// The bot's thread ends at the given point of its next turn: no goodbye, nothing more is committed, the connection is dropped, the
    /// write-ahead log stays, the journal's lock is let go. What a process cannot do to a part of itself: a handler that runs on a thread of
    /// its own is cancelled, not killed, and what it does to the world after that happens. Its answer never arrives.
    public func kill(_ point: KillPoint = .beforeCommit) async throws { try await bot.kill(point) }

    /// Kills the bot while it handles its next message, and starts it again; returns at once.
    public func killAtNextMessage(_ point: KillPoint) { bot.awaitKill(point) }

    /// Starts a bot that was killed or stopped, on the same journal.
    public func restart() async throws { try await start() }

    /// Stops the bot as SIGTERM would, and returns when it has ended: its exit code, or nil if it was killed meanwhile.
    @discardableResult
    public func stop() async throws -> ExitCode? { try await bot.stop() }

    /// Whether the bot's thread runs.
    public var isRunning: Bool { bot.isRunning }

    /// What the bot has logged, debug lines included; the last thousand lines at most.
    public var log: [String] { bot.log.all }

    /// Returns when everything that was said has been handled and answered, and the answers have arrived.
    ///
    /// Behind this, what a person has not heard does not come any more.
    public func settle() async throws {
        var count = -1
        // A bot that loses its connection again and again would be asked for ever.
        let end = ContinuousClock.now + options.patience
        while true {
            guard ContinuousClock.now < end else {
                throw StageError.missing(
                    StagePhrases.quiet, because: StagePhrases.impatient(options.patience),
                    instead: service.host { host, _ in standing(host) }, log: bot.log.recent)
            }
            let before = heardCount
            if before == count { return }
            count = before
            guard let connection = try await probe(), try await failing({ try await bot.quiet() }) else {
                count = -1
                continue
            }
            // On another connection there may be more to read or to answer again.
            if try await probe() != connection { count = -1 }
        }
    }

    private var heardCount: Int {
        service.host { host, _ in host.server.people.values.reduce(0) { $0 + $1.heard.count } }
    }

    /// Has the bot answer a ping behind everything that it was sent; the connection it answered on, nil when that is lost meanwhile.
    private func probe() async throws -> Int? {
        try await online()
        let probe = service.host { host, moment in
            host.order(at: moment) { $0.probe(Self.account, at: moment) }
        }
        guard let probe else { return nil }
        let isAnswered = try await wait(for: StagePhrases.answer) { host -> Bool? in
            if host.server.hasAnswered(probe) { return true }
            return host.server.isOnline(Self.account) ? nil : false
        }
        return isAnswered ? probe.connection : nil
    }

    // MARK: waits

    /// How things are, for whoever waited in vain.
    func standing(_ host: SimulatedHost) -> [String] {
        var words = [StagePhrases.isOnline(host.server.isOnline(Self.account))]
        for person in host.server.people.values.sorted(by: { $0.jid < $1.jid }) where !person.heard.isEmpty {
            words.append(StagePhrases.heard(person.heard.suffix(3).map(\.body), person.jid.bareText))
        }
        return words
    }

    func wait<Value: Sendable>(
        for wanted: String, instead: @escaping @Sendable (SimulatedHost) -> [String] = { _ in [] },
        _ pick: @escaping @Sendable (SimulatedHost) -> Value?
    ) async throws -> Value {
        try await failing { try await service.wait(for: wanted, instead: instead, pick) }
    }

    /// Failures of waits, as sentences for the author.
    private func failing<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let failure as TestServerFailure {
            throw StageError(failure, log: bot.log.recent)
        }
    }
}
