import BellhopBot
import BellhopClient
import BellhopDiagnostics
import BellhopEngine
import BellhopJournal
import BellhopXML
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

/// What is odd about Openfire, as its tutorials set it up: a domain that is not the host's name, and often no certificate.
@Suite("Openfire", .timeLimit(.minutes(3)))
struct OpenfireTests: OpenfireStage {
    @Test(
        "the bot is whoever the server says, domain included, asks it what it can do, and answers",
        arguments: [
            OpenfireProfile.Version.version4, .version5,
        ])
    func domain(version: OpenfireProfile.Version) async throws {
        try await running(OpenfireProfile(version)) { server, bot, openfire in
            #expect(try await openfire.login() == "opsbot@localhost/main")
            let wire = wire(openfire)
            try await bot.sink.expect("online")
            #expect(try await bot.ask { $0.loop.boundJID?.description } == "opsbot@localhost/main")
            // What it can do is known by its own domain only: the other one it takes for a stranger's.
            try await wire.expect("a wish for carbons") { $0.child("enable", "urn:xmpp:carbons:2") != nil }
            openfire.send(says("!ping", openfire))
            try await wire.expect(body: "pong", to: "alice@localhost/phone")
            bot.stop()
            try await openfire.answerGoodbye()
            #expect(try await bot.ending() == .success)
            #expect(server.connectionCount == 1)
        }
    }

    @Test("what another device of the account says is the account's own, under the server's domain")
    func ownWords() async throws {
        try await running(OpenfireProfile(.version4)) { _, bot, openfire in
            try await openfire.login()
            let wire = wire(openfire)
            try await bot.sink.expect("online")
            openfire.send(
                "<message from=\"opsbot@localhost\" to=\"\(openfire.bound)\"><sent xmlns=\"urn:xmpp:carbons:2\">"
                    + "<forwarded xmlns=\"urn:xmpp:forward:0\"><message xmlns=\"jabber:client\" id=\"c1\" type=\"chat\" "
                    + "from=\"opsbot@localhost/laptop\" to=\"alice@localhost/phone\"><body>by hand</body></message>"
                    + "</forwarded></sent></message>",
                "<presence type=\"subscribe\" from=\"opsbot@localhost\"/>",
                says("!ping", openfire, from: "opsbot@localhost/x"))
            try await wire.settle(bot)
            let row = try #require(try bot.rows().first)
            #expect(row.direction == .outgoing && row.peer == "alice@localhost" && row.body == "by hand")
            #expect(wire.sent.allSatisfy { $0.name != "message" && $0["type"] != "subscribed" })
            #expect(bot.standard.runs.list.isEmpty)
        }
    }

    @Test("version 5: a new process takes up the stream of a killed one, though its domain is another one")
    func restarted() async throws {
        let profile = OpenfireProfile(.version5)
        try await TestServer.running(TestServerOptions()) { server in
            try await BotConfiguration.inFolder { folder in
                let configuration = try BotConfiguration.standard(
                    server, folder: folder, jid: "opsbot@chat.example.test")
                try await BotUnderTest.running(configuration) { bot in
                    let openfire = OpenfireStream(try await server.connection(), profile)
                    try await openfire.login()
                    let wire = wire(openfire)
                    try await bot.sink.expect("online")
                    openfire.send(says("!echo one", openfire))
                    try await wire.expect(body: "one")
                    bot.stop()
                    bot.stop()
                    _ = try await bot.ending()
                }
                try await BotUnderTest.running(configuration) { bot in
                    let second = OpenfireStream(try await server.connection(), profile)
                    let resume = try await second.expectResumption()
                    second.connection.resumeStream(id: resume["previd"] ?? "", handled: 0)
                    try await wire(second).expect(body: "one")
                    #expect(bot.standard.runs.list.isEmpty)
                }
            }
        }
    }

    @Test("a friend is made by rule, both ways, with pushes before results and presence that comes twice")
    func friend() async throws {
        try await running(OpenfireProfile(.version4), configure: { $0.subscriptions.fallback = .acceptMutual }) {
            _, bot, openfire in
            try await openfire.login()
            let wire = wire(openfire)
            try await bot.sink.expect("online")
            openfire.requestSubscription(by: "alice@localhost")
            for type in ["subscribed", "subscribe"] {
                try await wire.expect(type) { $0["type"] == type && $0["to"] == "alice@localhost" }
            }
            openfire.approve(by: "alice@localhost")
            try await wire.settle(bot)
            #expect(openfire.item("alice@localhost") == OpenfireSession.Item("alice@localhost", "both"))
            let alice = try JID("alice@localhost")
            #expect(try await bot.ask { $0.loop.rosterItem(alice)?.subscription } == .both)
            #expect(try await bot.ask { $0.loop.resources(of: alice).keys.sorted() } == ["phone"])
            // Each push is answered, and nothing else is said.
            #expect(wire.sent.count { $0.name == "presence" && $0["to"] != nil } == 2)
            let answers = wire.sent.filter { $0.name == "iq" && $0["type"] == "result" }
            #expect(answers.count == 3 && answers.allSatisfy { $0["to"] == nil })
            openfire.send(says("!ping", openfire))
            try await wire.expect(body: "pong")
        }
    }

    @Test("a contact is removed in steps, and one who is unknown is an error")
    func removal() async throws {
        let roster = [OpenfireSession.Item("alice@localhost", "both")]
        try await running(OpenfireProfile(.version4), roster: roster) { _, bot, openfire in
            try await openfire.login()
            let wire = wire(openfire)
            try await bot.sink.expect("online")
            let heard = Heard()
            for jid in [try JID("alice@localhost"), try JID("nobody@localhost")] {
                _ = try await bot.ask { house in
                    house.loop.removeContact(jid) { reply in
                        switch reply {
                        case .result?: heard.note("removed")
                        case .error(let error)?: heard.note(error.condition.rawValue)
                        case nil: heard.note("nothing")
                        }
                    }
                }
            }
            try await wire.settle(bot)
            #expect(heard.all == ["removed", "item-not-found"])
            #expect(try await bot.ask { $0.loop.rosterItems.isEmpty })
            // `from` and `none` on the way, then the end of the entry.
            #expect(wire.sent.count { $0.name == "iq" && $0["type"] == "result" } == 3)
        }
    }

    @Test(
        "a stream that is counted and not resumed: each fifth stanza is asked for, and a new session says again what was lost"
    )
    func counted() async throws {
        try await running(OpenfireProfile(.version4)) { server, bot, openfire in
            try await openfire.login()
            let wire = wire(openfire)
            try await bot.sink.expect("online")
            for number in 1...10 {
                openfire.send(says("!echo \(number)", openfire))
                try await wire.expect(body: "\(number)")
            }
            #expect(wire.sent.count { $0.name == "a" } >= 2)
            #expect(try await openfire.connection.askForCount() == "\(openfire.sentCount)")
            openfire.connection.acknowledge(0)
            openfire.send(says("!echo lost", openfire))
            let id = try await wire.expect(body: "lost")["id"]
            openfire.connection.drop()
            let second = OpenfireStream(try await server.connection(), openfire.profile)
            #expect(try await second.login() == "opsbot@localhost/main")
            let again = self.wire(second)
            #expect(try await again.expect(body: "lost")["id"] == id)
            #expect(again.sent.allSatisfy { $0.name != "resume" })
            #expect(bot.standard.runs.list.count == 11)
        }
    }

    @Test("version 5: TLS is taken where it is optional, the list says its limits twice, and a broken stream goes on")
    func version5() async throws {
        let identity = try TestIdentity.shared.get()
        let profile = OpenfireProfile(.version5, tls: identity.server)
        try await running(profile, jid: BotConfiguration.account) { server, bot, openfire in
            #expect(try await openfire.login() == "opsbot@localhost/main")
            let wire = wire(openfire)
            try await bot.sink.expect("online")
            let login = try #require(bot.sink.lines.first { $0.event == "login" })
            #expect(login.fields.contains { $0.name == "tls" && $0.value == "TLS 1.3" })
            openfire.send(says("!echo one", openfire))
            try await wire.expect(body: "one")
            try await wire.settle(bot)
            let sent = wire.sent.count { ["message", "presence", "iq"].contains($0.name) }
            #expect(sent > 0)
            openfire.connection.drop()
            let second = OpenfireStream(try await server.connection(), profile)
            let resume = try await second.expectResumption()
            #expect(Int(resume["h"] ?? "") ?? 0 >= openfire.sentCount)
            #expect(resume["previd"]?.count == 10)
            second.connection.send(
                "<failed xmlns='urn:xmpp:sm:3'><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed>")
            _ = try await second.connection.expect("iq", type: "set") {
                $0.child("bind", "urn:ietf:params:xml:ns:xmpp-bind") != nil
            }
        }
    }

    @Test("a wrong password is said once, without a text of the server's, and never a second time")
    func wrongPassword() async throws {
        try await running(OpenfireProfile(.version4, accounts: ["opsbot": "another"])) { server, bot, openfire in
            try await openfire.offer()
            await #expect(throws: TestServerFailure.self) { _ = try await openfire.authenticate() }
            #expect(try await bot.ending() == .loginRefused)
            #expect(
                bot.sink.text.contains {
                    $0.contains(
                        "authentication failed for opsbot@chat.example.test: user name or password is wrong; "
                            + "mend account.jid or account.password and start again")
                })
            #expect(server.connectionCount == 1)
            #expect(
                String(decoding: openfire.connection.heard.inClear, as: UTF8.self).split(separator: "<auth").count == 2)
        }
    }

    @Test("the silent end of a third wrong password is no answer: the bot says so and tries again later")
    func silentEnd() async throws {
        try await running(OpenfireProfile(.version4)) { _, bot, openfire in
            try await openfire.offer()
            _ = try await openfire.connection.expect("auth", "urn:ietf:params:xml:ns:xmpp-sasl")
            openfire.hangUp()
            let line = try await bot.sink.expect("offline")
            #expect(line.message == "Not connected: the server closed the connection during the login")
            #expect(line.fields.first { $0.name == "next" }?.value != "never")
        }
    }

    @Test("three refusals on one connection, and the fourth is a silence")
    func threeRefusals() async throws {
        let profile = OpenfireProfile(.version4)
        try await TestServer.running(TestServerOptions()) { server in
            async let client = RawClient.connected(to: server.port) { client in
                try client.openStream()
                var answers: [String] = []
                for _ in 0..<3 {
                    try client.send(
                        "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>AG9wc2JvdAB3cm9uZw==</auth>")
                    answers.append(try client.element().serialized())
                }
                try client.expectEnd()
                return answers
            }
            let openfire = OpenfireStream(try await server.connection(), profile)
            try await openfire.offer()
            for _ in 0..<3 { await #expect(throws: TestServerFailure.self) { _ = try await openfire.authenticate() } }
            let answers = try await client
            #expect(
                answers
                    == Array(
                        repeating: "<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/></failure>",
                        count: 3))
        }
    }

    @Test(
        "version 3 knows no SCRAM: without TLS nothing is said to it, and inside TLS PLAIN, where the operator allows it"
    )
    func version3() async throws {
        try await running(OpenfireProfile(.version3), configure: { $0.account.connection.allowsPlain = true }) {
            _, bot, openfire in
            try await openfire.offer()
            #expect(try await bot.ending() == .loginRefused)
            #expect(
                bot.sink.text.contains { $0.contains("the server offers only PLAIN, DIGEST-MD5, CRAM-MD5, ANONYMOUS") })
            #expect(
                SecretSearch(user: "opsbot", password: "secret").told(in: openfire.connection.heard.inClear) == .nothing
            )
        }
        let profile = OpenfireProfile(.version3, tls: try TestIdentity.shared.get().server)
        try await running(
            profile, jid: BotConfiguration.account, configure: { $0.account.connection.allowsPlain = true }
        ) { _, bot, openfire in
            #expect(try await openfire.login() == "opsbot@localhost/main")
            let wire = wire(openfire)
            openfire.send(says("!ping", openfire))
            try await wire.expect(body: "pong")
            #expect(
                SecretSearch(user: "opsbot", password: "secret").told(in: openfire.connection.heard.inClear) == .nothing
            )
        }
    }

    @Test("another login with the same resource ends the bot, with its remedy")
    func replaced() async throws {
        try await running(OpenfireProfile(.version4)) { server, bot, openfire in
            try await openfire.login()
            try await bot.sink.expect("online")
            openfire.replace()
            #expect(try await bot.ending() == .conflict)
            #expect(bot.sink.text.contains { $0.contains("another session took over this account and resource") })
            #expect(server.connectionCount == 1)
        }
    }

    @Test("an account is made though its result is addressed to nobody, and the login proves it")
    func registration() async throws {
        let profile = OpenfireProfile(.version4, accounts: ["newbot": "secret"])
        try await running(profile, jid: "newbot@chat.example.test", registers: true) { server, bot, openfire in
            try await openfire.offer()
            try await openfire.register()
            let second = OpenfireStream(try await server.connection(), profile)
            #expect(try await second.login() == "newbot@localhost/main")
            try await second.answerGoodbye()
            #expect(try await bot.ending() == .success)
        }
    }

    @Test(
        "a name that is taken, or none, is said as what it is",
        arguments: [
            (409, "conflict", "is taken"), (400, "jid-malformed", "does not accept this name"),
            (403, "forbidden", "does not allow"),
        ])
    func refusedRegistration(code: Int, condition: String, sentence: String) async throws {
        try await running(OpenfireProfile(.version4), jid: "newbot@chat.example.test", registers: true) {
            server, bot, openfire in
            try await openfire.offer()
            try await openfire.register(refusal: (code, condition))
            #expect(try await bot.ending() == .unavailable)
            #expect(bot.sink.text.contains { $0.contains(sentence) }, "\(bot.sink.text)")
            #expect(server.connectionCount == 1)
        }
    }
}
