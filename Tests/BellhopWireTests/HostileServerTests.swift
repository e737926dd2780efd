import BellhopBot
import BellhopDiagnostics
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopClient
@testable import BellhopTestServer

/// What the table of `HostileTable` has no room for.
@Suite("Hostile servers over the wire")
struct HostileServerTests {
    private static let tls = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>"

    /// A bot that has connected and said nothing yet.
    private func connected(
        mechanisms: [String] = ["SCRAM-SHA-256"],
        _ script: (TestServer, BotUnderTest, TestConnection) async throws -> Void
    ) async throws {
        let options = TestServerOptions(tls: try TestIdentity.shared.get().server, mechanisms: mechanisms)
        try await TestServer.running(options) { server in
            try await BotConfiguration.inFolder { folder in
                try await BotUnderTest.running(try BotConfiguration.standard(server, folder: folder)) { bot in
                    try await script(server, bot, try await server.connection())
                }
            }
        }
    }

    /// How many bytes of the bot wait for the kernel.
    private static func backlog(_ house: BotHouse) -> Int {
        if case .live(let link, _) = house.loop.phase { link.backlog } else { 0 }
    }

    /// What the bot says about a further attempt.
    private func retries(_ bot: BotUnderTest) async throws -> Bool {
        let line = try await bot.sink.expect("offline")
        return line.fields.contains { $0.name == "next" && $0.value != "never" }
    }

    @Test("features that come twice change nothing")
    func featuresTwice() async throws {
        try await connected { _, bot, connection in
            try await connection.open(features: Self.tls)
            connection.send("<stream:features>\(Self.tls)</stream:features>")
            try await connection.secure()
            let mechanisms =
                "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>SCRAM-SHA-256</mechanism></mechanisms>"
            try await connection.open(features: mechanisms)
            connection.send("<stream:features>\(mechanisms)</stream:features>")
            _ = try await connection.authenticate(BotConfiguration.account)
            try await connection.open(features: "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>")
            connection.send("<stream:features/>")
            _ = try await connection.bind(BotConfiguration.account)
            try await connection.answer("query", "jabber:iq:roster")
            try await bot.sink.expect("online")
        }
    }

    /// All conditions of RFC 6120 section 4.9.3, and whether the bot tries again before it was ever online and after.
    static let conditions: [(String, before: Bool, after: Bool)] = [
        ("bad-format", true, true), ("bad-namespace-prefix", true, true), ("conflict", false, false),
        ("connection-timeout", true, true), ("host-gone", false, true), ("host-unknown", false, true),
        ("improper-addressing", true, true), ("internal-server-error", true, true), ("invalid-from", true, true),
        ("invalid-namespace", true, true), ("invalid-xml", true, true), ("not-authorized", true, true),
        ("not-well-formed", true, true), ("policy-violation", true, true), ("remote-connection-failed", true, true),
        ("reset", true, true), ("resource-constraint", true, true), ("restricted-xml", true, true),
        ("see-other-host", true, true), ("system-shutdown", true, true), ("undefined-condition", true, true),
        ("unsupported-encoding", true, true), ("unsupported-feature", true, true),
        ("unsupported-stanza-type", true, true), ("unsupported-version", true, true), ("no-such-condition", true, true),
    ]

    @Test("each stream error has its verdict, before the first login and after it", arguments: conditions)
    func streamError(condition: String, before: Bool, after: Bool) async throws {
        let error = "<stream:error><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>"
        try await connected { _, bot, connection in
            try await connection.open(features: Self.tls)
            connection.send(error)
            #expect(try await retries(bot) == before)
            if !before { #expect(try await bot.ending() == .conflict) }
        }
        try await OnlineBot.running { online in
            online.wire.connection.send(error)
            let triesAgain = try await retries(online.bot)
            #expect(triesAgain == after)
            if !after { #expect(try await online.bot.ending() == .conflict) }
        }
    }

    @Test("a server that stops reading gets all replies, in order, once it reads again")
    func backPressure() async throws {
        try await OnlineBot.running(.inline, level: .info, configure: { $0.commands.output.characters = nil }) {
            online in
            let wire = online.wire
            wire.connection.send(
                (0..<600).map { OnlineBot.message("!big \(30_000 + $0)", id: "p\($0)") }.joined())
            wire.connection.stall()
            // The kernel takes some of it; the rest waits in the bot until that stops reading.
            while try await online.bot.ask(Self.backlog) < Link.unsentLimit { await Task.yield() }
            #expect(wire.connection.unread == [])
            wire.connection.resume()
            for number in 0..<600 {
                let reply = try await wire.expect("reply \(number)") { $0.name == "message" }
                #expect(reply.body?.utf8.count == 30_000 + number)
            }
            online.say("!ping", id: "last")
            try await wire.expect(body: "pong")
            #expect(online.server.connectionCount == 1)
        }
    }

    @Test("messages, presence and questions of strangers by the thousand, and a contact is answered")
    func strangers() async throws {
        try await OnlineBot.running(level: .info) { online in
            let wire = online.wire
            let flood = (0..<2_000).map { number in
                "<presence from='s\(number)@evil.example/x' to='\(BotConfiguration.account)'/>"
                    + "<message from='evil.example' to='\(BotConfiguration.account)'><body>!ping</body></message>"
                    + "<iq type='result' id='\(number)' from='s\(number)@evil.example/x'/>"
            }
            wire.connection.send(flood.joined())
            online.say("!ping", id: "last")
            try await wire.expect(body: "pong")
            try await wire.settle(online.bot)
            #expect(wire.sent.count == 1)
            #expect(try await online.bot.ask { $0.chat.contacts.count(where: \.isOnline) } == 0)
        }
    }
}
