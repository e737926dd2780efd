import BellhopBot
import BellhopDiagnostics
import BellhopJournal
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Breaks, stops and locks")
struct DeliveryTests {
    @Test("the server shuts down, refuses for a while and comes back: the bot is there again (C106)")
    func serverRestart() async throws {
        try await OnlineBot.running { online in
            try await online.server.stopListening()
            online.wire.connection.send(
                "<stream:error><system-shutdown xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>")
            online.wire.connection.close()
            let first = try await online.bot.sink.expect("offline")
            #expect(first.message.contains("shutting down"))
            // An attempt is refused before the server is there again.
            let second = try await online.bot.sink.expect("offline")
            #expect(second.message.contains("refused"))
            try online.server.listen()
            let wire = try await online.reconnected()
            online.say("!ping", over: wire)
            try await wire.expect(body: "pong")
        }
    }

    @Test("a stop while waiting for the next attempt ends the bot at once, and it tries no more (C108)")
    func stopWhileWaiting() async throws {
        try await OnlineBot.running { online in
            try await online.server.stopListening()
            online.wire.connection.drop()
            try await online.bot.sink.expect("offline")
            online.bot.stop()
            #expect(try await online.bot.ending() == .success)
            #expect(online.server.connectionCount == 1)
        }
    }

    @Test("a stop in the middle of a handshake ends the bot, and it tries no more (C108)")
    func stopWhileShakingHands() async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                try await BotUnderTest.running(try BotConfiguration.standard(server, folder: folder)) { bot in
                    let connection = try await server.connection()
                    try await connection.open(
                        features: "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
                    _ = try await connection.expect("starttls", "urn:ietf:params:xml:ns:xmpp-tls")
                    bot.stop()
                    #expect(try await bot.ending() == .success)
                    #expect(server.connectionCount == 1)
                }
            }
        }
    }

    @Test("a stop lets the running handler finish, and its reply goes out before the goodbye (C119)")
    func gracefulStop() async throws {
        try await OnlineBot.running { online in
            online.say("!slow 3", id: "g1")
            try await online.wire.settle()
            online.bot.stop()
            try await online.bot.sink.expect("stop")
            online.bot.standard.clock.advance(by: .seconds(3))
            try await online.wire.expect(body: "done 3")
            try await online.wire.expect("a goodbye") { $0.name == "presence" && $0["type"] == "unavailable" }
            try await online.wire.answerGoodbye()
            #expect(try await online.bot.ending() == .success)
            #expect(try online.bot.rows().map(\.state) == [.handled, .sent])
        }
    }

    @Test("a second stop ends at once, and the command that was at work is known to the next run (C119)")
    func secondStop() async throws {
        try await OnlineBot.running { online in
            online.say("!slow 3", id: "g1")
            try await online.wire.settle()
            online.bot.stop()
            online.bot.stop()
            _ = try await online.bot.ending()
            #expect(try online.bot.rows().map(\.state) == [.started])
        }
    }

    @Test("somebody else locks the database: replies go out, and the rows are there in order afterwards (C129)")
    func lockedDatabase() async throws {
        try await OnlineBot.running(.inline) { online in
            let lock = try DatabaseLock(online.bot.configuration.journal.path)
            for number in 1...20 { online.say("!echo \(number)", id: "l\(number)") }
            for number in 1...20 { try await online.wire.expect(body: "\(number)") }
            lock.release()
            #expect(try await online.stop() == .success)
            let rows = try online.bot.rows()
                .filter { $0.peer == "alice@example.test" }
            #expect(rows.compactMap(\.body) == (1...20).flatMap { ["!echo \($0)", "\($0)"] })
            let warnings = online.bot.sink.lines.filter { $0.event == "journal" && $0.level >= .warning }.map(\.message)
            #expect(!warnings.isEmpty && warnings.count == Set(warnings).count)
        }
    }
}
