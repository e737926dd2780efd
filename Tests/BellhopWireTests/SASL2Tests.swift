import BellhopCrypto
import BellhopDiagnostics
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Logins by SASL2 on the wire (XEP-0388, XEP-0386)")
struct SASL2Tests: StreamStage {
    private static let sasl2 = "urn:xmpp:sasl:2"
    private static let bind2 = "urn:xmpp:bind:0"
    private static let own = "\(BotConfiguration.account)/main~k1"
    /// What Prosody lists behind such a login: binding once more, too.
    private static let features = """
        <stream:features><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><required/></bind>\(TestConnection.offersStreams)\
        </stream:features>
        """

    private func bots(_ sasl2: Configuration.SASL2? = nil, _ script: (TestServer, Configuration) async throws -> Void)
        async throws
    {
        try await runs { (server: TestServer, configuration: Configuration) in
            var configuration = configuration
            if let sasl2 { configuration.account.connection.sasl2 = sasl2 }
            try await script(server, configuration)
        }
    }

    private static func identifier(_ jid: String) -> String {
        "<authorization-identifier>\(jid)</authorization-identifier>"
    }

    /// A login that binds along the way or afterwards, as the bot asks, up to the bot's first presence.
    private func logIn(
        _ connection: TestConnection, bound: String = own, stream: String = "s1", failed: String = "",
        features: String = features, discovery: Discovery = Discovery()
    ) async throws -> Element {
        connection.answerDiscovery(discovery)
        try await connection.openForSASL2(beside: Self.limit(2_000))
        let opening = try await connection.authenticateBySASL2(BotConfiguration.account) { opening in
            guard opening.child("bind", Self.bind2) != nil else {
                return (failed + Self.identifier(BotConfiguration.account), features)
            }
            let enabled = "<enabled xmlns='\(Self.sm)' id='\(stream)' resume='true' max='600'/>"
            return (failed + Self.identifier(bound) + "<bound xmlns='\(Self.bind2)'>\(enabled)</bound>", features)
        }
        if opening.child("bind", Self.bind2) == nil {
            _ = try await connection.bind(BotConfiguration.account)
            try await connection.enableStream(id: stream)
        }
        try await connection.answer(
            "query", "jabber:iq:roster",
            with: "<query xmlns='jabber:iq:roster'>\(OnlineBot.contacts.joined())</query>")
        _ = try await connection.expect("presence") { $0["to"] == nil && $0["type"] == nil }
        return opening
    }

    /// The next connection, on which the broken stream goes on within the login.
    private func resumed(
        at server: TestServer, id: String = "s1", handled: Int, as jid: String = BotConfiguration.bound,
        behind: String = ""
    ) async throws -> (opening: Element, connection: TestConnection) {
        let connection = try await server.connection()
        try await connection.openForSASL2(beside: Self.limit(2_000))
        let opening = try await connection.authenticateBySASL2(BotConfiguration.account) { _ in
            (
                Self.identifier(jid) + "<resumed xmlns='\(Self.sm)' h='\(handled)' previd='\(id)'/>",
                behind
            )
        }
        return (opening, connection)
    }

    @Test(
        "login, an answer, a cut, and the stream goes on within the next login; a large stanza may be right behind it")
    func cut() async throws {
        try await bots { server, configuration in
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                let opening = try await logIn(first)
                let agent = try #require(opening.child("user-agent", Self.sasl2)?["id"])
                #expect(agent.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
                #expect(agent.dropFirst(14).first == "4")
                // Nothing is known of an archive yet, so the server is to keep what comes for the bot.
                #expect(opening.child("bind", Self.bind2) == nil && opening.child("resume", Self.sm) == nil)
                let wire = Wire(first)
                first.send(says("!echo one", id: "a"))
                try await wire.expect(body: "one")
                let handled = try #require(try await first.askForCount().flatMap { Int($0) })
                first.drop()

                // Larger than what a server may say before it has proven who it is.
                let long = String(repeating: "x", count: 70_000)
                let note = says("!echo two", id: "b").replacing(
                    "</message>", with: "<x xmlns='x'>\(long)</x></message>")
                // The first four, and the answer.
                let (again, second) = try await resumed(at: server, handled: 5, behind: note)
                #expect(again.child("user-agent", Self.sasl2)?["id"] == agent)
                let resume = try #require(again.child("resume", Self.sm))
                #expect(resume["previd"] == "s1" && resume["h"] == "\(handled)")
                let next = Wire(second)
                try await next.expect(body: "two")
                #expect(try await second.askForCount() == "\(handled + 1)")
                try await next.settle(bot)
                #expect(next.messages.count == 1)
                for connection in [first, second] {
                    let said = String(decoding: connection.heard.secured, as: UTF8.self)
                    #expect(said.contains("<authenticate") && !said.contains(BotConfiguration.password.reveal()))
                    #expect(!said.contains(Base64.encode(Array(BotConfiguration.password.reveal().utf8))))
                }
                #expect(!next.sent.contains { $0.name == "presence" || $0.child("query", "jabber:iq:roster") != nil })
            }
        }
    }

    @Test("with a place in the archive a new process binds along with the login, and answers there")
    func restart() async throws {
        try await bots { server, configuration in
            var agent: String?
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                agent = try await logIn(first, discovery: .archive).child("user-agent", Self.sasl2)?["id"]
                let wire = Wire(first)
                let question = try await wire.archiveQuestion()
                wire.archived("old-7", of: question, age: 30, OnlineBot.message("!echo old", id: "o7"))
                wire.endPage(question, last: "old-7")
                try await wire.settle(bot)
                first.stall()
                try await cutOff(bot)
                first.drop()
            }
            try await BotUnderTest.running(configuration) { bot in
                let second = try await server.connection()
                let gone =
                    "<failed xmlns='\(Self.sm)'><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed>"
                let opening = try await logIn(second, stream: "s2", failed: gone, discovery: .archive)
                #expect(opening.child("user-agent", Self.sasl2)?["id"] == agent)
                #expect(opening.child("resume", Self.sm)?["previd"] == "s1")
                let bind = try #require(opening.child("bind", Self.bind2))
                #expect(bind.child("tag", Self.bind2)?.text == "main" && bind.child("enable", Self.sm) != nil)
                let wire = Wire(second)
                let question = try await wire.archiveQuestion()
                #expect(question.page["after"] == "old-7")
                wire.endPage(question, last: nil, complete: true)
                second.send(OnlineBot.message("!echo one", id: "a", to: Self.own))
                try await wire.expect(body: "one")
                try await bot.idle()
                try await wire.settle()
                #expect(!wire.sent.contains { $0.child("bind", "urn:ietf:params:xml:ns:xmpp-bind") != nil })
                #expect(!second.unread.contains { $0.contains("<enable") })

                // Both have counted all since <enabled/>, so that nothing is written again.
                let count = try #require(try await second.askForCount().flatMap { Int($0) })
                try await wire.settle(bot)
                let said = stanzas(of: second)
                second.drop()
                let (again, third) = try await resumed(at: server, id: "s2", handled: said, as: Self.own)
                let resume = try #require(again.child("resume", Self.sm))
                // The answer to the ping behind the question, and the one before it, came after the count.
                #expect(resume["previd"] == "s2" && (resume["h"].flatMap { Int($0) } ?? 0) >= count)
                let next = Wire(third)
                third.send(OnlineBot.message("!echo two", id: "b", to: Self.own))
                try await next.expect(body: "two")
                try await next.settle(bot)
                #expect(next.messages.count == 1)
                #expect(next.sent.allSatisfy { $0.namespace == Self.sm || $0.name == "message" })
                third.acknowledge(said + stanzas(of: third))
                try await next.settle(bot)
            }
        }
    }

    /// How many stanzas the bot has written on a connection, whether a script has asked for them or not.
    private func stanzas(of connection: TestConnection) -> Int {
        let parser = StreamParser()
        var events: [StreamEvent] = []
        parser.feed(connection.heard.secured.span, into: &events)
        return events.count { event in
            guard case .element(let element) = event else { return false }
            return element.namespace == "jabber:client"
        }
    }

    /// The largest stanza that a server takes; from somebody who has not logged in mostly little.
    private static func limit(_ bytes: Int) -> String {
        "<limits xmlns='urn:xmpp:stream-limits:0'><max-bytes>\(bytes)</max-bytes></limits>"
    }

    @Test("how much a server takes before a login is no limit for the stream that goes on within the next")
    func limits() async throws {
        try await bots { server, configuration in
            var configuration = configuration
            configuration.commands.output.characters = nil
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                let features = Self.features.replacing(
                    "</stream:features>", with: Self.limit(5_000) + "</stream:features>")
                _ = try await logIn(first, features: features)
                try await Wire(first).settle(bot)
                first.drop()
                // All but the binding, and the question in front of <enable/>.
                let (_, second) = try await resumed(at: server, handled: stanzas(of: first) - 2)
                let wire = Wire(second)
                for length in [4_000, 9_000] {
                    second.send(says("!echo \(String(repeating: "x", count: length))", id: "e\(length)"))
                }
                try await wire.settle(bot)
                let sizes = wire.messages.map { $0.serialized(in: "jabber:client").utf8.count }
                #expect(wire.messages.first?.body?.utf8.count == 4_000)
                #expect(wire.messages.compactMap(\.body).joined().utf8.count == 13_000)
                #expect(sizes.count == 3 && sizes.allSatisfy { $0 <= 5_000 })
            }
        }
    }

    @Test("switched off, the login is that of RFC 6120")
    func off() async throws {
        try await bots(.off) { server, configuration in
            try await BotUnderTest.running(configuration) { bot in
                let connection = try await server.connection()
                try await connection.openForSASL2()
                #expect(try await connection.authenticate(BotConfiguration.account) == "SCRAM-SHA-256")
            }
        }
    }

    /// What a server may do in place of letting the bot in.
    enum Refusal: CaseIterable {
        case failure, task, earlySuccess, wrongProof, anotherAccount

        /// What the operator reads.
        var words: String {
            switch self {
            case .failure: "user name or password is wrong"
            case .task: "\u{201C}TOTP\u{201D}"
            case .earlySuccess, .wrongProof: "did not prove that it knows the password"
            case .anotherAccount: "logged the bot in as carol@bots.example.test, and not as opsbot@bots.example.test"
            }
        }
    }

    @Test("a login that is refused, or not to be trusted, ends the bot, and says why", arguments: Refusal.allCases)
    func refused(_ refusal: Refusal) async throws {
        let sasl2 = Self.sasl2
        try await bots { server, configuration in
            try await BotUnderTest.running(configuration) { bot in
                let connection = try await server.connection()
                try await connection.openForSASL2()
                let success = Self.identifier(Self.own) + "<bound xmlns='\(Self.bind2)'/>"
                switch refusal {
                case .anotherAccount:
                    _ = try await connection.authenticateBySASL2(BotConfiguration.account) { _ in
                        (Self.identifier("carol@bots.example.test/main"), Self.features)
                    }
                case .failure:
                    _ = try await connection.expect("authenticate", sasl2)
                    connection.send(
                        "<failure xmlns='\(sasl2)'><not-authorized xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/></failure>"
                    )
                case .task:
                    _ = try await connection.expect("authenticate", sasl2)
                    connection.send("<continue xmlns='\(sasl2)'><tasks><task>TOTP</task></tasks></continue>")
                    _ = try await connection.expect("abort", sasl2)
                case .earlySuccess:
                    _ = try await connection.expect("authenticate", sasl2)
                    connection.send(
                        "<success xmlns='\(sasl2)'><additional-data>dj1BQUFB</additional-data>\(success)</success>")
                case .wrongProof:
                    _ = try await connection.authenticateBySASL2(BotConfiguration.account, knowsPassword: false) { _ in
                        (success, Self.features)
                    }
                }
                #expect(try await bot.ending() == .loginRefused)
                let said = try #require(bot.sink.lines.last { $0.event == "stop" })
                #expect(said.message.contains(refusal.words))
                #expect(stanzas(of: connection) == 0)
            }
        }
    }
}
