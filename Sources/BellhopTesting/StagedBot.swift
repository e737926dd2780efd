internal import Bellhop
internal import BellhopBot
internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopTestServer
internal import BellhopTransport
internal import Synchronization

/// The bot on a stage: a whole one, on a thread of its own, which can be stopped and killed and started again.
final class StagedBot: Sendable {
    private let bot: Bot
    private let configuration: Configuration
    private let options: StageOptions
    let log = StageLog()
    private let fate = Fate()
    /// Told on the bot's thread when it has ended for good: its exit code, or nil when it was killed.
    private let ended: @Sendable (ExitCode?) -> Void

    private struct State {
        var handle: AccountHandle?
        var isRunning = false
        var lastQuestion = 0
        /// The facts of the present run.
        var facts = Facts()
    }

    private struct Facts: Sendable {
        var ending = Mailbox<Ending> { "\($0)" }
        var quiet = Mailbox<Int> { "quiet \($0)" }
    }

    /// How a run ended.
    enum Ending: Sendable {
        case code(ExitCode)
        case killed
    }

    private let state = Mutex(State())

    init(
        _ bot: Bot, _ configuration: Configuration, _ options: StageOptions,
        ended: @escaping @Sendable (ExitCode?) -> Void
    ) {
        self.bot = bot
        self.configuration = configuration
        self.options = options
        self.ended = ended
    }

    var isRunning: Bool { state.withLock { $0.isRunning } }

    func start() throws(StageError) {
        let facts = Facts()
        let isNew = state.withLock { state in
            if state.isRunning { return false }
            state.isRunning = true
            state.facts = facts
            state.handle = nil
            return true
        }
        guard isNew else { throw .runsAlready }
        do {
            try LoopThread.start("staged-bot") { [self] in perform(facts) }
        } catch {
            state.withLock { $0.isRunning = false }
            throw .machine("\(error)")
        }
    }

    private func perform(_ facts: Facts) {
        while true {
            let code = run(facts)
            let comesBack = fate.fulfilled()
            if code == nil, comesBack { continue }
            state.withLock { state in
                state.isRunning = false
                state.handle = nil
            }
            ended(code)
            facts.ending.post(code.map(Ending.code) ?? .killed)
            facts.quiet.end(StagePhrases.killed)
            return
        }
    }

    private func run(_ facts: Facts) -> ExitCode? {
        var run = BotRun(
            bot: bot, configuration: configuration, program: "bot", log: Log(level: .debug, sink: log))
        run.reachable = { [self] handle in state.withLock { $0.handle = handle } }
        run.lodge = { [fate, options] house, loop in
            loop.comeBack(within: options.reconnectsWithin)
            return MortalHouse(house, loop, fate, quiet: facts.quiet)
        }
        return run.runUnlessKilled()
    }

    /// Dies with its next message, and comes back.
    func awaitKill(_ point: KillPoint) { fate.await(point) }

    /// Returns when the thread of the bot has ended.
    func kill(_ point: KillPoint) async throws(StageError) {
        let facts = state.withLock { state -> Facts? in state.isRunning ? state.facts : nil }
        guard let facts else { throw .notRunning("be killed") }
        fate.strike(point)
        wake()
        _ = try await ending(facts)
    }

    /// Lets it say goodbye; its exit code, or nil where it was killed meanwhile.
    func stop() async throws(StageError) -> ExitCode? {
        let (facts, handle) = state.withLock { state -> (Facts?, AccountHandle?) in
            (state.isRunning ? state.facts : nil, state.handle)
        }
        guard let facts else { throw .notRunning("be stopped") }
        handle?.stop()
        switch try await ending(facts) {
        case .code(let code): return code
        case .killed: return nil
        }
    }

    private func ending(_ facts: Facts) async throws(StageError) -> Ending {
        do {
            let ending = try await facts.ending.take(StagePhrases.end, patience: options.patience) { $0 }
            // Whoever asks again gets the same.
            facts.ending.post(ending)
            return ending
        } catch let failure as TestServerFailure {
            throw StageError(failure, log: log.recent)
        } catch {
            throw .machine("\(error)")
        }
    }

    /// Has the loop begin a turn, wherever it waits.
    private func wake() {
        // The handle is there from shortly after the start on; until then a turn is about to begin anyway.
        state.withLock { $0.handle }?.post(MortalHouse.QuietQuestion(number: 0))
    }

    /// Returns when no handler runs or waits.
    func quiet() async throws {
        let (number, facts, handle) = state.withLock { state -> (Int, Facts, AccountHandle?) in
            state.lastQuestion += 1
            return (state.lastQuestion, state.facts, state.handle)
        }
        handle?.post(MortalHouse.QuietQuestion(number: number))
        try await facts.quiet.take(StagePhrases.quiet, patience: options.patience) { $0 == number ? () : nil }
    }
}

extension StageLog {
    /// What may say why a wait was in vain.
    var recent: [String] { all.suffix(6) }
}
