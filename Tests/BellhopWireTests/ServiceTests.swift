import BellhopBot
import BellhopClient
import BellhopDiagnostics
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("A bot as a service")
struct ServiceTests {
    /// Runs two bots one after the other, of these versions, on one journal; what the second says to admins.
    private func notice(_ versions: [String]) async throws -> [String] {
        var said: [String] = []
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                let configuration = try BotConfiguration.standard(server, folder: folder)
                for version in versions {
                    try await OnlineBot.running(configuration, server, change: { $0.version = version }) { online in
                        try await online.wire.settle(online.bot)
                        said = online.wire.messages.map { "\($0["to"] ?? ""): \($0.body ?? "")" }
                        #expect(try await online.stop() == .success)
                    }
                }
            }
        }
        return said
    }

    @Test("admins hear once of another version, when it is online")
    func upgrade() async throws {
        let line = "admin@example.test: testbot was changed from version 0.1.0 to 0.2.0, and is online."
        #expect(try await notice(["0.1.0"]) == [])
        #expect(try await notice(["0.1.0", "0.1.0"]) == [])
        #expect(try await notice(["0.1.0", "0.2.0"]) == [line])
        #expect(try await notice(["0.1.0", "0.2.0", "0.2.0"]) == [])
    }

    @Test("systemd hears of ready, of a reload, of an absence and of the stop, and gets signs of life only in between")
    func told() async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                let file = try ConfigurationFile(server, folder: folder, rest: "")
                let source = try file.source()
                let manager = try DatagramListener(folder + "/notify")
                let socket = try #require(NotifySocket(folder + "/notify"))
                try await OnlineBot.running(
                    source.loaded.configuration, server,
                    change: {
                        $0.source = source
                        $0.service = ServiceLink(socket, watchdog: .milliseconds(20))
                    }
                ) { online in
                    try await manager.expect("READY=1\nSTATUS=Online as \(BotConfiguration.account)")
                    // Several feedings later it is still online and fed.
                    for _ in 0..<3 { try await manager.expect("WATCHDOG=1") }
                    _ = try await online.bot.ask { $0.reload() }
                    try await manager.expect("RELOADING=1\nMONOTONIC_USEC=")
                    try await manager.expect("READY=1")
                    online.wire.connection.drop()
                    try await manager.expect("STATUS=Not connected: ")
                    let wire = try await online.reconnected()
                    try await manager.expect("READY=1")
                    online.bot.stop()
                    try await manager.expect("STOPPING=1")
                    try await wire.answerGoodbye()
                    #expect(try await online.bot.ending() == .success)
                    #expect(!manager.left.contains { $0.hasPrefix("READY=1") })
                }
            }
        }
    }

    @Test("while the server owes an answer to a ping there is no sign of life")
    func frozen() async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                configuration.account.connection.ping.every = .milliseconds(100)
                // However long the test takes, the bot does not give up before.
                configuration.account.connection.ping.timeout = .seconds(600)
                let manager = try DatagramListener(folder + "/notify")
                let socket = try #require(NotifySocket(folder + "/notify"))
                try await OnlineBot.running(
                    configuration, server, change: { $0.service = ServiceLink(socket, watchdog: .milliseconds(20)) }
                ) { online in
                    let ping = try await online.wire.expect("a ping") {
                        $0["type"] == "get" && $0.child("ping", "urn:xmpp:ping") != nil
                    }
                    #expect(try await online.bot.ask { $0.loop.isServerAnswering } == false)
                    // What was said before this mark was said before the ping.
                    #expect(socket.send("mark"))
                    try await manager.expect("mark")
                    let before = manager.left.count
                    for _ in 0..<100 { _ = try await online.bot.ask { $0.loop.isServerAnswering } }
                    #expect(socket.send("mark"))
                    try await manager.expect("mark")
                    #expect(manager.left.count == before)
                    // The next question may come before the next sign is due; it is answered, too.
                    online.wire.connection.respond { stanza in
                        guard stanza["type"] == "get", stanza.child("ping", "urn:xmpp:ping") != nil else { return nil }
                        return "<iq type='result' from='bots.example.test' id='\(stanza["id"] ?? "")'/>"
                    }
                    online.wire.connection.reply(to: ping)
                    for _ in 0..<before { try await manager.expect("") }
                    try await manager.expect("WATCHDOG=1")
                }
            }
        }
    }
}
