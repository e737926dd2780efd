import BellhopSQLite
import Glibc
import Testing

@Suite("The outbox of a bot at a server", .timeLimit(.minutes(3)))
struct OutboxTests {
    private func isSentAndFailed(_ bot: BotAccount) throws -> Bool {
        let connection = try Connection(bot.journal, .read)
        return try connection.integer("SELECT count(*) FROM messages WHERE direction = 1 AND state = 9") == 1
            && connection.integer("SELECT count(*) FROM messages") == 1
    }

    @Test(
        "a message that came back is retried, survives a kill before it leaves, and comes back once more",
        arguments: RealServer.Kind.allCases)
    func killed(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            try await TemporaryDirectory.with { folder in
                let bot = try await BotAccount("bot", on: server, in: folder)
                let nobody = "nobody@\(server.domain)"
                #expect(
                    try await bot.command("outbox").output
                        == "Nothing waits to be sent, and nothing came back in that time.\n")
                #expect(try await bot.command("send", nobody, "is anybody there?").end == .exited(69))
                let list = try await bot.command("outbox", "--failed", "--to", nobody)
                #expect(list.end == .exited(0) && list.output.contains("nobody at this address takes messages"))
                #expect(list.output.contains("is anybody there?"))
                let retry = try await bot.command("outbox", "retry", "1")
                #expect(retry.end == .exited(0))
                #expect(
                    retry.output
                        == "Message 1 to \(nobody) is sent again once that is over: the bot is not running.\n")
                #expect(try await bot.command("pause").end == .exited(0))
                try await bot.running("-v") { process in
                    let waits = try await bot.command("outbox", "--json")
                    #expect(waits.output.contains("\"state\":\"waiting\",\"failed\":null,\"reason\":\"paused\""))
                    let refused = try await bot.command("outbox", "retry", "1")
                    #expect(refused.end == .exited(69))
                    #expect(refused.errors == "echobot: Message 1 waits to be sent already.\n")
                    process.signal(SIGKILL)
                    _ = await process.end()
                }
                try await bot.running("-v") { process in
                    #expect(try await bot.command("resume").end == .exited(0))
                    _ = try #require(try await process.errors.line(containing: "A message did not arrive."))
                    process.signal(SIGTERM)
                    #expect(await process.end() == .exited(0))
                    #expect(process.errors.lines.count { $0.contains("A message was sent.") } == 1)
                }
                #expect(try isSentAndFailed(bot))
                #expect(
                    try await bot.command("outbox", "drop", "all").output == "Message 1 to \(nobody) is given up.\n")
                let log = try await bot.command("log", "show", nobody)
                #expect(log.output.contains("[dropped: by the command line; it had come back: service-unavailable"))
            }
        }
    }
}
