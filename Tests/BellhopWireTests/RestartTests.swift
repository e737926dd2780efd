import BellhopBot
import BellhopJournal
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Restarts in the middle of work")
struct RestartTests {
    /// A server and a configuration for several runs with one journal.
    private func runs(_ script: (TestServer, Configuration) async throws -> Void) async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                try await script(server, try BotConfiguration.standard(server, folder: folder))
            }
        }
    }

    /// Ends the bot as far as that is possible without ending the process: nothing is finished.
    private func cutOff(_ online: OnlineBot) async throws {
        online.bot.stop()
        online.bot.stop()
        _ = try await online.bot.ending()
    }

    @Test("what was started is told, what was received runs, in the order in which they came")
    func startedAndReceived() async throws {
        try await runs { server, configuration in
            try await OnlineBot.running(configuration, server) { online in
                online.say("!slow 3", id: "a")
                online.say("!echo two", id: "b")
                online.say("!echo three", id: "c")
                try await online.wire.settle()
                try await cutOff(online)
                #expect(try online.bot.rows().map(\.state) == [.started, .received, .received])
            }
            try await OnlineBot.running(configuration, server) { online in
                try await online.wire.expect(body: "three", to: "alice@example.test/phone")
                try await online.wire.settle(online.bot)
                let bodies = online.wire.messages.compactMap(\.body)
                #expect(bodies.count == 3 && bodies.first?.hasPrefix("I was restarted while I worked on") == true)
                #expect(bodies.dropFirst() == ["two", "three"])
                #expect(online.bot.standard.runs.list.map(\.arguments) == ["two", "three"])
                // Delivered once more by the server: nothing runs again.
                online.say("!slow 3", id: "a")
                online.say("!echo two", id: "b")
                try await online.wire.settle(online.bot)
                #expect(online.bot.standard.runs.list.count == 2)
                #expect(try await online.stop() == .success)
                #expect(
                    try online.bot.rows().filter { $0.direction == .incoming }.map(\.state) == [
                        .interrupted, .handled, .handled,
                    ])
            }
            try await OnlineBot.running(configuration, server) { online in
                try await online.wire.settle(online.bot)
                #expect(online.wire.messages == [])
            }
        }
    }

    @Test("what is idempotent runs again, and its answer has the id that the first would have had")
    func idempotent() async throws {
        try await runs { server, configuration in
            try await OnlineBot.running(configuration, server, .idempotent) { online in
                online.say("!slow 3", id: "a")
                try await online.wire.settle()
                try await cutOff(online)
            }
            for run in 1...2 {
                try await OnlineBot.running(configuration, server, .idempotent) { online in
                    try await online.wire.settle()
                    #expect(online.bot.standard.runs.list.map(\.command) == ["slow"])
                    guard run == 2 else { return try await cutOff(online) }
                    online.bot.standard.clock.advance(by: .seconds(3))
                    try await online.wire.expect(body: "done 3")
                    try await online.wire.settle(online.bot)
                    #expect(online.wire.messages.count == 1)
                    #expect(online.wire.messages.first?["id"]?.hasSuffix("1.1") == true)
                }
            }
        }
    }

    @Test("a reply that was only put down is sent by the next run, once")
    func queued() async throws {
        try await runs { server, configuration in
            try await OnlineBot.running(configuration, server) { online in
                online.say("!slow 3", id: "a")
                try await online.wire.settle()
                try await server.stopListening()
                online.wire.connection.drop()
                try await online.bot.sink.expect("offline")
                online.bot.standard.clock.advance(by: .seconds(3))
                try await online.bot.idle()
                online.bot.stop()
                #expect(try await online.bot.ending() == .success)
                #expect(try online.bot.rows().map(\.state) == [.handled, .queued])
            }
            try server.listen()
            var id: String?
            try await OnlineBot.running(configuration, server) { online in
                id = try await online.wire.expect(body: "done 3")["id"]
                try await online.wire.settle(online.bot)
                #expect(online.wire.messages.count == 1)
                #expect(try await online.stop() == .success)
                #expect(try online.bot.rows().map(\.state) == [.handled, .sent])
                #expect(try online.bot.rows().last?.id == id)
            }
            try await OnlineBot.running(configuration, server) { online in
                try await online.wire.settle(online.bot)
                #expect(online.wire.messages == [])
            }
        }
    }

    @Test("a second bot on the same journal ends with 75 and names the first, which goes on")
    func secondInstance() async throws {
        try await OnlineBot.running { online in
            try await BotUnderTest.running(online.bot.configuration) { second in
                let code = try await second.ending()
                #expect(code == .alreadyRunning)
                #expect(second.sink.text.contains { $0.contains("another bot writes the journal") })
            }
            online.say("!ping")
            try await online.wire.expect(body: "pong")
            #expect(online.server.connectionCount == 1)
        }
    }
}
