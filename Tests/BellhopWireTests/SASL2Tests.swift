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

    private func bots(_ sasl2: Configuration.SASL2 = .auto, _ script: (TestServer, Configuration) async throws -> Void)
        async throws
    {
        try await runs { (server: TestServer, configuration: Configuration) in
            var configuration = configuration
            configuration.account.connection.sasl2 = sasl2
            try await script(server, configuration)
        }
    }

    private static func identifier(_ jid: String) -> String {
        "<authorization-identifier>\(jid)</authorization-identifier>"
    }

    /// A login that binds along the way or afterwards, as the bot asks, up to the bot's first presence.
    private func logIn(
        _ connection: TestConnection, bound: String = own, stream: String = "s1", failed: String = "",
        discovery: Discovery = Discovery()
    ) async throws -> Element {
        connection.answerDiscovery(discovery)
        try await connection.openForSASL2()
        let opening = try await connection.authenticateBySASL2(BotConfiguration.account) { opening in
            guard opening.child("bind", Self.bind2) != nil else {
                return (failed + Self.identifier(BotConfiguration.account), Self.features)
            }
            let enabled = "<enabled xmlns='\(Self.sm)' id='\(stream)' resume='true' max='600'/>"
            return (failed + Self.identifier(bound) + "<bound xmlns='\(Self.bind2)'>\(enabled)</bound>", Self.features)
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
        at server: TestServer, id: String = "s1", handled: Int, behind: String = ""
    ) async throws -> (opening: Element, connection: TestConnection) {
        let connection = try await server.connection()
        try await connection.openForSASL2()
        let opening = try await connection.authenticateBySASL2(BotConfiguration.account) { _ in
            (
                Self.identifier(BotConfiguration.bound) + "<resumed xmlns='\(Self.sm)' h='\(handled)' previd='\(id)'/>",
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

    @Test("a refusal ends the bot as ever, and so do tasks that it cannot do", arguments: [true, false])
    func refused(wantsTask: Bool) async throws {
        try await bots { server, configuration in
            try await BotUnderTest.running(configuration) { bot in
                let connection = try await server.connection()
                try await connection.openForSASL2()
                _ = try await connection.expect("authenticate", Self.sasl2)
                if wantsTask {
                    connection.send("<continue xmlns='\(Self.sasl2)'><tasks><task>TOTP</task></tasks></continue>")
                    _ = try await connection.expect("abort", Self.sasl2)
                } else {
                    connection.send(
                        """
                        <failure xmlns='\(Self.sasl2)'><not-authorized xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/></failure>
                        """)
                }
                #expect(try await bot.ending() == .loginRefused)
                let said = try #require(bot.sink.lines.last { $0.event == "stop" })
                #expect(said.message.contains(wantsTask ? "TOTP" : "user name or password is wrong"))
            }
        }
    }
}
