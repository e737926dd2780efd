import BellhopDiagnostics
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopClient
@testable import BellhopTestServer

@Suite("A server that falls silent")
struct SilenceTests {
    private static let ping = "urn:xmpp:ping"

    private func online(
        timeout: Duration = .seconds(20), _ script: (OnlineBot) async throws -> Void
    ) async throws {
        try await OnlineBot.running(
            configure: {
                $0.account.connection.ping.every = .milliseconds(20)
                $0.account.connection.ping.timeout = timeout
            }, script: script)
    }

    private func nextPing(_ online: OnlineBot) async throws -> Element {
        try await online.wire.expect("a ping") { $0["type"] == "get" && $0.child("ping", Self.ping) != nil }
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
        try await online(timeout: .seconds(1)) { online in
            let line = try await online.bot.sink.expect("offline")
            #expect(
                line.message
                    == "Not connected: the server said nothing more and did not answer a ping within 1 s")
            #expect(line.fields.contains { $0.name == "next" && $0.value != "never" })
            online.bot.stop()
        }
    }

    @Test(
        "a frozen server, whose line carries nothing any more, is noticed, and what was queued meanwhile reaches the next one (C109)"
    )
    func frozen() async throws {
        try await OnlineBot.running(configure: {
            $0.account.connection.ping.every = .milliseconds(200)
            $0.account.connection.ping.timeout = .seconds(5)
        }) { online in
            online.say("!slow 3", id: "a")
            _ = try await nextPing(online)
            online.wire.connection.stall()
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
