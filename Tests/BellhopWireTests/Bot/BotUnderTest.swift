import BellhopBot
import BellhopClient
import BellhopDiagnostics
import BellhopJournal
import BellhopTransport
import BellhopXMPP
import Foundation
import Synchronization

@testable import Bellhop
@testable import BellhopTestServer

/// A whole bot on a thread of this process: client, TLS, desk and journal, as `run` puts them together.
final class BotUnderTest: Sendable {
    let standard: StandardBot
    let sink: RecordingSink
    let configuration: Configuration
    private let handle = Mutex<AccountHandle?>(nil)
    private let endings = Mailbox<ExitCode> { "ended with \($0)" }

    private init(_ configuration: Configuration, _ standard: StandardBot) {
        self.configuration = configuration
        self.standard = standard
        sink = RecordingSink()
    }

    /// Runs a bot for as long as the body; afterwards its thread is gone. It can register its account instead.
    static func running<Result>(
        _ configuration: Configuration, _ standard: StandardBot = StandardBot(), bot: Bot? = nil,
        registers: Bool = false, registration: AccountRegistration = AccountRegistration(), level: LogLevel = .debug,
        change: (inout BotRun) throws -> Void = { _ in },
        _ body: (BotUnderTest) async throws -> Result
    ) async throws -> Result {
        let running = BotUnderTest(configuration, standard)
        let log = Log(level: level, sink: running.sink)
        let reachable: @Sendable (AccountHandle) -> Void = { handle in running.handle.withLock { $0 = handle } }
        let run: @Sendable () -> ExitCode
        if registers {
            run =
                RegisterRun(
                    configuration: configuration, program: "testbot", log: log, registration: registration,
                    reachable: reachable
                ).run
        } else {
            let bot = bot ?? standard.bot
            var botRun = BotRun(
                bot: bot, configuration: configuration, program: "testbot", log: log, reachable: reachable)
            try change(&botRun)
            run = botRun.run
        }
        try LoopThread.start("bot") { running.endings.post(run()) }
        do {
            let result = try await body(running)
            await running.kill()
            return result
        } catch {
            await running.kill()
            throw error
        }
    }

    /// Asks for a goodbye, once.
    func stop() { handle.withLock { $0 }?.stop() }

    /// Waits for the bot's end; its exit code.
    func ending() async throws -> ExitCode {
        let code = try await endings.take("the bot's end", patience: .seconds(30)) { $0 }
        // Whoever asks again gets the same.
        endings.post(code)
        return code
    }

    /// Whether its thread has come to an end.
    var hasEnded: Bool { !endings.left.isEmpty }

    private func kill() async {
        standard.clock.end()
        if !hasEnded {
            stop()
            stop()
        }
        _ = try? await ending()
    }

    /// What the bot says about itself, asked on its own thread.
    func ask<Answer: Sendable>(_ question: @escaping @Sendable (BotHouse) -> Answer) async throws -> Answer {
        guard let handle = handle.withLock({ $0 }) else {
            throw TestServerFailure(
                wanted: "an answer of the bot", reason: .ended("it does not run"), instead: sink.text)
        }
        let answers = Mailbox<Answer> { _ in "an answer" }
        handle.post(HouseRequest { house in answers.post(question(house)) })
        return try await answers.take("an answer of the bot", patience: .seconds(30)) { $0 }
    }

    /// Returns when no handler runs or waits.
    func idle() async throws {
        while try await ask({ $0.desk.isBusy }) { await Task.yield() }
    }

    /// All rows of the journal, in the order in which they were processed.
    func rows() throws -> [StoredMessage] {
        try JournalReader(path: configuration.journal.path).messages(after: RowID(0), limit: .max)
    }
}
