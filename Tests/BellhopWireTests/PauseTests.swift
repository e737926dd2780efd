import BellhopJournal
import BellhopTransport
import BellhopXML
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("A pause on the wire", .timeLimit(.minutes(2)))
struct PauseTests {
    private func runs(_ script: (TestServer, Configuration) async throws -> Void) async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                try await script(server, try BotConfiguration.standard(server, folder: folder))
            }
        }
    }

    private func ask(_ request: ControlRequest, _ configuration: Configuration) -> ControlClient.Outcome {
        ControlClient.ask(
            request, for: configuration.account.jid, at: ControlServer.path(journal: configuration.journal.path))
    }

    private func status(_ configuration: Configuration) throws -> BotStatus {
        guard case .answered(.status(let status)) = ask(.status, configuration) else {
            throw TestServerFailure(wanted: "a status", reason: .ended("none came"), instead: [])
        }
        return status
    }

    static let paused = "I am paused. I run this if I am resumed within 2 minutes; after that, please send it again."

    @Test(
        "nothing leaves while paused, over a restart too; what came meanwhile is in the log and runs once after resume")
    func restart() async throws {
        try await runs { server, configuration in
            try await OnlineBot.running(configuration, server) { online in
                online.say("!slow 3", id: "a")
                try await online.wire.settle()
                let (own, other) = (configuration.account.jid, try JID("other@example.test"))
                #expect(
                    ControlClient.ask(
                        .pause, for: other, at: ControlServer.path(journal: configuration.journal.path))
                        == .answered(.failed(.anotherAccount(own: own, named: other))))
                guard case .answered(.paused(_, "the command line", true)) = ask(.pause, configuration) else {
                    Issue.record("not paused")
                    return
                }
                online.bot.standard.clock.advance(by: .seconds(3))
                online.say("!ping", id: "b")
                try await online.wire.expect(body: Self.paused)
                online.say("!ping", id: "c")
                try await online.wire.settle(online.bot)
                let bodies = online.wire.messages.filter { $0["to"]?.hasPrefix("alice") == true }.compactMap(\.body)
                #expect(bodies.count == 2 && bodies.first?.hasPrefix("I was paused while I worked on") == true)
                #expect(try status(configuration).pause?.commands == 2)
                #expect(try await online.stop() == .success)
            }
            try await OnlineBot.running(configuration, server) { online in
                try await online.bot.sink.expect("paused")
                #expect(online.login.presence.child("show", "jabber:client")?.text == "dnd")
                online.say("!ping", id: "b")
                online.say("!echo four", id: "d")
                try await online.wire.expect(body: Self.paused)
                try await online.wire.settle(online.bot)
                #expect(online.wire.messages.count == 1)
                #expect(online.bot.standard.runs.list.isEmpty)
                let states = try online.bot.rows().filter { $0.direction == .incoming }.map(\.state)
                #expect(states == [.interrupted, .received, .received, .received])
                #expect(ask(.resume, configuration) == .answered(.resumed(run: 3, late: 0)))
                try await online.wire.expect(body: "four")
                try await online.wire.settle(online.bot)
                #expect(online.bot.standard.runs.list.map(\.command) == ["ping", "ping", "echo"])
                #expect(try status(configuration).pause == nil)
                #expect(try await online.stop() == .success)
            }
            try await OnlineBot.running(configuration, server) { online in
                try await online.wire.settle(online.bot)
                #expect(online.wire.messages == [])
                #expect(online.login.presence.child("show", "jabber:client") == nil)
            }
        }
    }

    @Test("a reply that waited for a connection waits for the end of the pause, too, and is sent once")
    func queuedReply() async throws {
        try await runs { server, configuration in
            try await OnlineBot.running(configuration, server) { online in
                online.say("!slow 3", id: "a")
                try await online.wire.settle()
                try await server.stopListening()
                online.wire.connection.drop()
                try await online.bot.sink.expect("offline")
                online.bot.standard.clock.advance(by: .seconds(3))
                try await online.bot.idle()
                #expect(try status(configuration).queued == 1)
                _ = ask(.pause, configuration)
                online.bot.stop()
                #expect(try await online.bot.ending() == .success)
            }
            try server.listen()
            for isLast in [false, true] {
                try await OnlineBot.running(configuration, server) { online in
                    // What leaves meanwhile has a higher number than what is held back.
                    online.say("!frobnicate", from: "bob@example.test/y")
                    try await online.wire.expect(body: "I don't know frobnicate. !help lists what I can do.")
                    try await online.wire.settle(online.bot)
                    #expect(online.wire.messages.compactMap(\.body).filter { $0 == "done 3" }.isEmpty)
                    #expect(try status(configuration).queued == 2)
                    if isLast {
                        #expect(ask(.resume, configuration) == .answered(.resumed(run: 0, late: 0)))
                        try await online.wire.expect(body: "done 3")
                        try await online.wire.settle(online.bot)
                        #expect(try status(configuration).queued == 0)
                    }
                    #expect(try await online.stop() == .success)
                }
            }
            try await OnlineBot.running(configuration, server) { online in
                try await online.wire.settle(online.bot)
                #expect(online.wire.messages == [])
                #expect(try online.bot.rows().filter { $0.direction == .outgoing }.allSatisfy { $0.state == .sent })
            }
        }
    }

    @Test("an admin pauses, looks and resumes in the chat, and is the only one who may")
    func inTheChat() async throws {
        let admin = "admin@example.test/desk"
        try await OnlineBot.running { online in
            online.say("pause")
            try await online.wire.expect(body: "Sorry, you may not do that here.")
            online.say("pause", from: admin)
            try await online.wire.expect("an answer") { $0.body?.hasPrefix("I am paused: ") == true }
            try await online.wire.expect("dnd") {
                $0.name == "presence" && $0.child("status", "jabber:client")?.text == "Paused"
            }
            online.say("status", from: admin)
            let status = try await online.wire.expect("a status") { $0.body?.hasPrefix("state: online since") == true }
            #expect(status.body?.contains("\naccount: \(BotConfiguration.bound)\n") == true)
            #expect(status.body?.contains("by admin@example.test; 0 commands wait") == true)
            online.say("presence away back at 9", from: admin)
            try await online.wire.expect("words") { $0.body?.contains("When I am resumed they see away") == true }
            online.say("resume", from: admin)
            try await online.wire.expect(body: "I go on.")
            try await online.wire.expect("away") { $0.child("status", "jabber:client")?.text == "back at 9" }
            online.say("!ping")
            try await online.wire.expect(body: "pong")
        }
    }

    @Test("status is answered online and offline, and where nobody runs there is nobody")
    func status() async throws {
        try await runs { server, configuration in
            #expect(ask(.status, configuration) == .nobody)
            try await OnlineBot.running(configuration, server) { online in
                let first = try status(configuration)
                #expect(first.connection == .online && first.contacts == 2 && first.logged == 0)
                #expect(first.login?.jid == BotConfiguration.bound && first.trouble == nil)
                #expect(first.login?.tls == "TLS 1.3" && first.login?.mechanism.hasPrefix("SCRAM") == true)
                #expect(first.login?.server == "127.0.0.1:\(server.port)")
                try await server.stopListening()
                online.wire.connection.drop()
                try await online.bot.sink.expect("offline")
                let second = try status(configuration)
                #expect(second.connection != .online && second.login == nil && second.trouble != nil)
                #expect(second.since >= first.since)
            }
            #expect(ask(.status, configuration) == .nobody)
        }
    }

    @Test("connections that say nothing on the control socket keep no message waiting")
    func silentClients() async throws {
        try await OnlineBot.running { online in
            let path = ControlServer.path(journal: online.bot.configuration.journal.path)
            let silent = try (0..<40).map { _ in try LocalConnection(to: path) }
            online.say("!ping")
            try await online.wire.expect(body: "pong")
            withExtendedLifetime(silent) {}
        }
    }
}
