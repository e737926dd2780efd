import EndToEndSupport
import Glibc
import Synchronization

/// Runs the bot, kills it and starts it again, and keeps what each of its processes wrote.
final class BotKeeper: Sendable {
    private struct State {
        var processes: [ChildProcess] = []
        var isExpectedToEnd = false
        var endings: [String] = []
    }

    private let bot: TestBot
    private let state = Mutex(State())

    init(_ bot: TestBot) { self.bot = bot }

    /// The ends that nobody had asked for.
    var endings: [String] { state.withLock { $0.endings } }
    /// What each process wrote, in their order.
    var logs: [Transcript] { state.withLock { $0.processes.map(\.errors) } }

    func start() throws {
        let child = try ChildProcess(bot.program.path, ["run", "--config", bot.configuration, "-vv"])
        child.closeInput()
        state.withLock { state in
            state.processes.append(child)
            state.isExpectedToEnd = false
        }
    }

    func kill() async { await end(by: SIGKILL, expecting: .killed(by: SIGKILL)) }

    /// Lets it say goodbye.
    func stop() async { await end(by: SIGTERM, expecting: .exited(0)) }

    private func end(by signal: Int32, expecting expected: ProcessEnd) async {
        guard let child = state.withLock({ $0.processes.last }) else { return }
        child.signal(signal)
        let end = await child.end()
        if end != expected { note("\(end) in place of \(expected)", child) }
    }

    /// Starts it again if it ended by itself.
    func lookAfter() async throws {
        guard let child = state.withLock({ $0.processes.last }), child.hasEnded else { return }
        note("\(await child.end()), by itself", child)
        try start()
    }

    private func note(_ end: String, _ child: ChildProcess) {
        let last = child.errors.lines.suffix(3).joined(separator: " / ")
        state.withLock { $0.endings.append("\(end): \(last)") }
    }

    /// Whether the last that it said of its connection is that it is online.
    var isOnline: Bool {
        guard let lines = logs.last?.lines else { return false }
        for line in lines.reversed() {
            if line.contains(" offline: ") { return false }
            if line.contains(" login: ") || line.contains(" online: ") { return true }
        }
        return false
    }
}
