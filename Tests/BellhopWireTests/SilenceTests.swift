import BellhopDiagnostics
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopClient
@testable import BellhopTestServer

@Suite("A server that falls silent")
struct SilenceTests {
    private static let ping = "urn:xmpp:ping"

    /// A bot that asks often, and waits 50 s of this clock for an answer.
    private func online(_ clock: HeldClock = HeldClock(), _ script: (OnlineBot) async throws -> Void) async throws {
        try await OnlineBot.running(
            configure: {
                $0.account.connection.ping.every = .milliseconds(20)
                $0.account.connection.ping.timeout = .seconds(50)
                // That time passes for those who work, too.
                $0.commands.timeout = .seconds(3_600)
            }, change: { $0.world = clock.loopWorld }, script: script)
    }

    private func nextPing(_ online: OnlineBot) async throws -> Element {
        try await online.wire.expect("a ping") { $0["type"] == "get" && $0.child("ping", Self.ping) != nil }
    }

    /// Returns when the bot has read all that the server sent, and waits for an answer.
    private func waitsForAnswer(_ online: OnlineBot) async throws {
        try await online.wire.settle()
        while try await online.bot.ask({ $0.loop.isServerAnswering }) { await Task.yield() }
    }

    @Test("a server that answers is asked again and again, and keeps its connection")
    func answered() async throws {
        try await online { online in
            for _ in 0..<5 {
                let ping = try await nextPing(online)
                #expect(ping["to"] == "bots.example.test")
                online.wire.connection.reply(to: ping)
            }
            #expect(online.server.connectionCount == 1)
        }
    }

    @Test("an error is an answer, too", arguments: ["service-unavailable", "feature-not-implemented"])
    func error(condition: String) async throws {
        try await online { online in
            for _ in 0..<5 {
                let ping = try await nextPing(online)
                online.wire.connection.send(
                    "<iq type='error' from='bots.example.test' id='\(ping["id"] ?? "")'><error type='cancel'>"
                        + "<\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
            }
            #expect(online.server.connectionCount == 1)
        }
    }

    @Test("a server that answers nothing is left, and the bot comes back and works on")
    func silent() async throws {
        let clock = HeldClock()
        try await online(clock) { online in
            try await waitsForAnswer(online)
            try await clock.pass(.seconds(51), for: online.bot)
            let line = try await online.bot.sink.expect("offline")
            #expect(
                line.message
                    == "Not connected: the server said nothing more and did not answer a ping within 50 s")
            #expect(line.fields.contains { $0.name == "next" && $0.value != "never" })
            let wire = try await online.reconnected()
            online.say("!ping", over: wire)
            try await wire.expect(body: "pong")
        }
    }

    @Test(
        "a frozen server, whose line carries nothing any more, is noticed, and what was queued meanwhile reaches the next one (C109)"
    )
    func frozen() async throws {
        let clock = HeldClock()
        try await online(clock) { online in
            online.say("!slow 3", id: "a")
            try await waitsForAnswer(online)
            online.wire.connection.stall()
            try await clock.pass(.seconds(51), for: online.bot)
            try await online.bot.sink.expect("offline")
            online.bot.standard.clock.advance(by: .seconds(3))
            let wire = try await online.reconnected()
            try await wire.expect(body: "done 3")
            #expect(try await online.stop(over: wire) == .success)
        }
    }

    @Test("a server that says when it drops the silent is asked before that, even where pings are off (C109)")
    func idleLimit() async throws {
        try await OnlineBot.running(
            server: {
                $0.features = "<limits xmlns='urn:xmpp:stream-limits:0'><idle-seconds>1</idle-seconds></limits>"
            },
            configure: { $0.account.connection.ping.every = nil }
        ) { online in
            for _ in 0..<2 {
                let ping = try await nextPing(online)
                online.wire.connection.reply(to: ping)
            }
            #expect(online.server.connectionCount == 1)
        }
    }

    @Test("where pings are off none is sent, and no timer is kept")
    func off() async throws {
        try await OnlineBot.running(configure: { $0.account.connection.ping.every = nil }) { online in
            try await online.wire.settle()
            #expect(try await online.bot.ask { house in house.loop.live?.nextDeadline } == nil)
        }
    }
}
