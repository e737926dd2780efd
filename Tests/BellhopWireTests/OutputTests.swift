import BellhopJournal
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Long answers, typing and troubles over the wire", .timeLimit(.minutes(2)))
struct OutputTests {
    private static let states = "http://jabber.org/protocol/chatstates"

    @Test("a long answer comes in parts, each a row of its own, and more shows what follows")
    func parts() async throws {
        try await OnlineBot.running(.inline) { online in
            online.say("!big 10800", id: "b")
            for size in [2_400, 2_400] {
                try await online.wire.expect("a part") { $0.name == "message" && $0.body?.utf8.count == size }
            }
            let last = try await online.wire.expect("the third part") { $0.name == "message" }
            #expect(last.body?.hasSuffix("\u{2026} about 3600 more characters. !more shows what follows.") == true)
            online.say("more", from: "alice@example.test/desk")
            try await online.wire.expect("the fourth part") { $0["to"] == "alice@example.test/desk" }
            try await online.wire.expect("the fifth part") { $0["to"] == "alice@example.test/desk" }
            try await online.wire.settle(online.bot)
            let letters = online.wire.messages.compactMap(\.body).joined().utf8.count { $0 == UInt8(ascii: "x") }
            #expect(letters == 10_800)
            #expect(Set(online.wire.messages.map { $0["id"] }).count == 5)
            #expect(try await online.stop() == .success)
            let rows = try online.bot.rows()
            let answered = rows.filter { $0.direction == .outgoing }.map { $0.answers?.number ?? 0 }
            #expect(answered == [1, 1, 1, 5, 5])
            #expect(rows.filter { $0.direction == .incoming }.map(\.state) == [.handled, .handled])
        }
    }

    @Test("whoever speaks of typing sees that the bot is at work; nothing of it is logged")
    func typing() async throws {
        try await OnlineBot.running { online in
            online.wire.connection.send(
                "<message from='alice@example.test/phone' to='\(BotConfiguration.bound)' type='chat' id='s'>"
                    + "<body>!slow 1</body><active xmlns='\(Self.states)'/></message>")
            let composing = try await online.wire.expect("a sign of work") { $0.name == "message" }
            #expect(
                composing
                    == Element("message", namespace: "jabber:client").with("to", "alice@example.test/phone")
                    .with("type", "chat").with(Element("composing", namespace: Self.states)))
            online.bot.standard.clock.advance(by: .seconds(1))
            let answer = try await online.wire.expect(body: "done 1")
            #expect(answer.child("active", Self.states) != nil)
            online.say("!slow 2")
            online.say("!cancel")
            let sentence = try await online.wire.expect(body: "I stopped \u{201C}!slow 2\u{201D}.")
            #expect(sentence.child("active", Self.states) == nil)
            #expect(try await online.stop() == .success)
            let rows = try online.bot.rows()
            #expect(
                rows.compactMap(\.body) == [
                    "!slow 1", "done 1", "!slow 2", "!cancel", "I stopped \u{201C}!slow 2\u{201D}.",
                ])
            #expect(rows.allSatisfy { $0.payload == nil })
            #expect(rows.filter { $0.direction == .incoming }.map(\.reason) == [nil, "cancelled", nil])
        }
    }

    @Test("that the bot sends chat states is announced, unless they are switched off", arguments: [true, false])
    func announced(isOn: Bool) async throws {
        try await OnlineBot.running(configure: { $0.commands.typing = isOn }) { online in
            online.wire.connection.send(
                "<iq type='get' from='alice@example.test/phone' to='\(BotConfiguration.bound)' id='d'>"
                    + "<query xmlns='http://jabber.org/protocol/disco#info'/></iq>")
            let answer = try await online.wire.expect("what the bot can do") { $0["id"] == "d" }
            let features = answer.child("query", "http://jabber.org/protocol/disco#info")?.children.map { $0["var"] }
            #expect(features?.contains(Self.states) == isOn)
        }
    }

    @Test("a journal that cannot be written is told to the admins, and so is its recovery")
    func journal() async throws {
        try await OnlineBot.running(.inline) { online in
            let lock = try DatabaseLock(online.bot.configuration.journal.path)
            online.say("!ping")
            let held = try await online.wire.expect("word of the journal") { $0["to"] == "admin@example.test" }
            #expect(held.body?.hasPrefix("The journal cannot be written (") == true)
            lock.release()
            try await online.wire.expect(
                body: "The journal can be written again, and what I kept in memory is in it now.",
                to: "admin@example.test")
            #expect(try await online.stop() == .success)
            #expect(try online.bot.rows().filter { $0.peer == "admin@example.test" }.count == 2)
        }
    }

    @Test("refused logins are told when the bot is online, to whom the configuration names")
    func refusedLogins() async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                configuration.diagnostics.notified = [try .init("carol@else.example")]
                try await BotUnderTest.running(configuration) { bot in
                    let first = try await server.connection()
                    try await first.open(
                        features: "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
                    try await first.secure()
                    try await first.open(
                        features: "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>"
                            + "<mechanism>SCRAM-SHA-256</mechanism></mechanisms>")
                    _ = try await first.expect("auth", "urn:ietf:params:xml:ns:xmpp-sasl")
                    first.send(
                        "<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><temporary-auth-failure/></failure>")
                    let second = try await server.connection()
                    _ = try await second.login(as: BotConfiguration.account)
                    let told = try await Wire(second).expect("word of it") { $0["to"] == "carol@else.example" }
                    #expect(told.body?.hasPrefix("Logins were refused once since ") == true)
                    #expect(told.body?.contains("temporary-auth-failure") == true)
                }
            }
        }
    }

    @Test("a certificate that ends within two weeks is told at login")
    func certificate() async throws {
        let identity = try TestIdentity(domain: "bots.example.test", days: 5)
        try await OnlineBot.running(
            server: { $0.tls = identity.server },
            configure: { $0.account.connection.authorities = identity.authorityFile }
        ) { online in
            let told = try await online.wire.expect("word of the certificate") { $0["to"] == "admin@example.test" }
            #expect(told.body?.hasPrefix("The certificate of bots.example.test ends in 4 days, on ") == true)
        }
    }
}
