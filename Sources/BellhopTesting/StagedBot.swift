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
        var isRunning = false
        /// Where its end is told.
        var ending = Mailbox<Ending> { "\($0)" }
        /// How to reach the present process, so to say; nil before it can be reached and behind its end.
        var life: Life?
        var lastQuestion = 0
    }

    /// From a start to an end or a kill.
    private struct Life: Sendable {
        var handle: AccountHandle
        /// Where the loop answers questions.
        var quiet: Mailbox<Int>
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

    /// Returns when the bot's loop can be reached, or when it has ended already.
    func start() async throws(StageError) {
        let ending = Mailbox<Ending> { "\($0)" }
        let isNew = state.withLock { state in
            if state.isRunning { return false }
            state.isRunning = true
            state.ending = ending
            return true
        }
        guard isNew else { throw .runsAlready }
        let reached = Mailbox<Void> { _ in "reached" }
        do {
            try LoopThread.start("staged-bot") { [self] in ending.post(perform(reached)) }
            try await reached.take(StagePhrases.start, patience: options.patience) { $0 }
        } catch let failure as TestServerFailure {
            throw StageError(failure, log: log.recent)
        } catch {
            state.withLock { $0.isRunning = false }
            throw .machine("\(error)")
        }
    }

    private func perform(_ reached: Mailbox<Void>) -> Ending {
        defer { reached.post(()) }
        while true {
            let quiet = Mailbox<Int> { "quiet \($0)" }
            let code = run(quiet, reached)
            let comesBack = fate.fulfilled()
            state.withLock { $0.life = nil }
            quiet.end(StagePhrases.killed)
            if code == nil, comesBack { continue }
            state.withLock { $0.isRunning = false }
            ended(code)
            return code.map(Ending.code) ?? .killed
        }
    }

    private func run(_ quiet: Mailbox<Int>, _ reached: Mailbox<Void>) -> ExitCode? {
        var run = BotRun(
            bot: bot, configuration: configuration, program: "bot", log: Log(level: .debug, sink: log))
        run.reachable = { [self] handle in
            state.withLock { $0.life = Life(handle: handle, quiet: quiet) }
            reached.post(())
        }
        run.lodge = { [fate, options] house, loop in
            loop.comeBack(within: options.reconnectsWithin)
            return MortalHouse(house, loop, fate, quiet: quiet)
        }
        return run.runUnlessKilled()
    }

    /// Dies with its next message, and comes back.
    func awaitKill(_ point: KillPoint) { fate.await(point) }

    /// Returns when the thread of the bot has ended.
    func kill(_ point: KillPoint) async throws(StageError) {
        guard let (ending, life) = running() else { throw .notRunning("be killed") }
        fate.strike(point)
        // Begins a turn, wherever the loop waits; one that cannot be reached yet is about to begin one.
        life?.handle.post(MortalHouse.QuietQuestion(number: 0))
        _ = try await wait(for: ending)
    }

    /// Lets it say goodbye; its exit code, or nil where it was killed meanwhile.
    func stop() async throws(StageError) -> ExitCode? {
        guard let (ending, life) = running() else { throw .notRunning("be stopped") }
        life?.handle.stop()
        switch try await wait(for: ending) {
        case .code(let code): return code
        case .killed: return nil
        }
    }

    private func running() -> (Mailbox<Ending>, Life?)? {
        state.withLock { state in state.isRunning ? (state.ending, state.life) : nil }
    }

    private func wait(for ending: Mailbox<Ending>) async throws(StageError) -> Ending {
        do {
            return try await ending.take(StagePhrases.end, patience: options.patience) { $0 }
        } catch let failure as TestServerFailure {
            throw StageError(failure, log: log.recent)
        } catch {
            throw .machine("\(error)")
        }
    }

    /// Returns when no handler runs or waits and nothing is being read from the archive; false when the bot was killed meanwhile.
    func quiet() async throws -> Bool {
        let (number, life) = state.withLock { state in
            state.lastQuestion += 1
            return (state.lastQuestion, state.life)
        }
        guard let life else { return false }
        life.handle.post(MortalHouse.QuietQuestion(number: number))
        do {
            try await life.quiet.take(StagePhrases.quiet, patience: options.patience) { $0 == number ? () : nil }
            return true
        } catch let failure as TestServerFailure {
            guard case .ended = failure.reason else { throw failure }
            return false
        }
    }
}

extension StageLog {
    /// What may say why a wait was in vain.
    var recent: [String] { all.suffix(6) }
}
