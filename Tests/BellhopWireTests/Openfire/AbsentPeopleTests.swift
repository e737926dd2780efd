import BellhopClient
import BellhopEngine
import BellhopJournal
import BellhopXML
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

/// Openfire says nothing of some who are not there, speaks for others itself, and sends back what goes to another domain.
@Suite("Openfire, and people who are not there", .timeLimit(.minutes(3)))
struct AbsentPeopleTests: OpenfireStage {
    @Test(
        "what goes to nobody is dropped without a word: the server had it, the log says so, and it is not said again",
        arguments: [OpenfireProfile.Version.version4, .version5])
    func nobody(version: OpenfireProfile.Version) async throws {
        try await running(OpenfireProfile(version)) { server, bot, openfire in
            try await openfire.login()
            openfire.answerCounts()
            let wire = wire(openfire)
            try await bot.sink.expect("online")
            let outcomes = Mailbox<ControlAnswer> { "\($0)" }
            let nobody = try JID("nobody@localhost")
            try await bot.ask { $0.perform(.send(to: nobody, text: "hello")) { outcomes.post($0) } }
            try await wire.expect(body: "hello", to: "nobody@localhost")
            // The bot's question whether the server has it is answered while we read on.
            try await wire.settle(bot)
            #expect(try await outcomes.take("what became of it", patience: .seconds(30)) { $0 } == .done)
            bot.stop()
            try await openfire.answerGoodbye()
            #expect(try await bot.ending() == .success)
            #expect(wire.messages.count == 1)
            #expect(server.connectionCount == 1)
            let row = try #require(try bot.rows().first)
            #expect(row.peer == "nobody@localhost" && row.body == "hello" && row.state == .acknowledged)
        }
    }

    @Test("what goes to another domain comes back without its body: the log says why, and nobody is told a second time")
    func elsewhere() async throws {
        try await running(OpenfireProfile(.version4)) { server, bot, openfire in
            try await openfire.login()
            openfire.answerCounts()
            let wire = wire(openfire)
            try await bot.sink.expect("online")
            openfire.send(says("!echo hi", openfire, from: "x@unknown.invalid/phone"))
            try await wire.expect(body: "hi", to: "x@unknown.invalid/phone")
            let outcomes = Mailbox<ControlAnswer> { "\($0)" }
            let other = try JID("y@unknown.invalid")
            try await bot.ask { $0.perform(.send(to: other, text: "hello")) { outcomes.post($0) } }
            try await wire.expect(body: "hello", to: "y@unknown.invalid")
            try await wire.settle(bot)
            guard
                case .failed(.bounced(let reason)) = try await outcomes.take(
                    "a refusal", patience: .seconds(30), { $0 })
            else {
                Issue.record("what came back counts as taken")
                return
            }
            #expect(reason.contains("remote-server-not-found"))
            // Whoever has never been heard of is asked for presence, and that comes back, too.
            try await bot.ask { $0.chat.subscribe(other) }
            try await wire.settle(bot)
            #expect(wire.messages.count == 2)
            #expect(wire.sent.count { $0.name == "presence" && $0["to"] != nil } == 1)
            openfire.send(says("!ping", openfire))
            try await wire.expect(body: "pong")
            #expect(server.connectionCount == 1)
            let rows = try bot.rows().filter { $0.peer.hasSuffix("@unknown.invalid") }
            #expect(rows.map(\.body) == ["!echo hi", "hi", "hello"])
            #expect(rows.map(\.state) == [.handled, .failed, .failed])
            #expect(rows.dropFirst().allSatisfy { $0.reason?.contains("remote-server-not-found") == true })
        }
    }

    @Test(
        "a question to somebody is answered by the server in their name, by an error with an old number, or from elsewhere"
    )
    func questions() async throws {
        try await running(OpenfireProfile(.version4)) { _, bot, openfire in
            try await openfire.login()
            let wire = wire(openfire)
            try await bot.sink.expect("online")
            let heard = Heard()
            for address in ["nobody@localhost", "nobody@localhost/none", "x@unknown.invalid"] {
                let jid = try JID(address)
                try await bot.ask { house in
                    house.loop.request(.get(Element("query", namespace: "jabber:iq:version")), to: jid) { reply in
                        switch reply {
                        case .result(let payload)?: heard.note(payload?.children.first?.text ?? "")
                        case .error(let error)?: heard.note(error.condition.rawValue)
                        case nil: heard.note("nothing")
                        }
                    }
                }
            }
            try await wire.settle(bot)
            #expect(heard.all == ["Openfire", "service-unavailable", "remote-server-not-found"])
        }
    }

    @Test("answers in the name of people who were asked nothing are nobody's, and are not answered")
    func unasked() async throws {
        try await running(OpenfireProfile(.version4)) { server, bot, openfire in
            try await openfire.login()
            let wire = wire(openfire)
            try await bot.sink.expect("online")
            try await wire.settle(bot)
            let before = wire.sent.count
            let version = "<query xmlns=\"jabber:iq:version\"><name>Openfire</name></query>"
            let bound = openfire.bound
            openfire.send(
                "<iq type=\"result\" id=\"p4\" from=\"nobody@localhost\" to=\"\(bound)\">\(version)</iq>",
                "<iq type=\"error\" id=\"p3\" from=\"bot@localhost/none\" to=\"\(bound)\">\(version)"
                    + "<error code=\"503\" type=\"cancel\">"
                    + "<service-unavailable xmlns=\"urn:ietf:params:xml:ns:xmpp-stanzas\"/></error></iq>",
                "<message id=\"m1\" to=\"\(bound)\" from=\"nobody@localhost\" type=\"error\">"
                    + "<error code=\"503\" type=\"cancel\">"
                    + "<service-unavailable xmlns=\"urn:ietf:params:xml:ns:xmpp-stanzas\"/></error></message>",
                "<presence to=\"\(bound)\" from=\"nobody@localhost\" type=\"error\"><error code=\"404\" type=\"cancel\">"
                    + "<remote-server-not-found xmlns=\"urn:ietf:params:xml:ns:xmpp-stanzas\"/></error></presence>")
            try await wire.settle(bot)
            #expect(wire.sent.dropFirst(before).allSatisfy { $0.name == "a" })
            #expect(bot.standard.runs.list.isEmpty)
            #expect(server.connectionCount == 1)
        }
    }

    @Test(
        "the script: a message before the login is not authorized, and what is no stanza behind it ends the connection")
    func script() async throws {
        let profile = OpenfireProfile(.version4)
        try await TestServer.running(TestServerOptions()) { server in
            async let client = RawClient.connected(to: server.port) { client in
                try client.openStream()
                try client.send("<message to='alice@localhost' id='m0'><body>early</body></message>")
                let refusal = try client.element()
                try client.authenticate("PLAIN")
                try client.openStream()
                try client.send(
                    "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>raw</resource></bind></iq>"
                )
                _ = try client.element()
                try client.send("<foo xmlns='jabber:client'/>")
                try client.expectEnd()
                return refusal
            }
            try await OpenfireStream(try await server.connection(), profile).login()
            let refusal = try await client
            #expect(refusal["type"] == "error" && refusal["id"] == "m0")
            #expect(refusal.child("error", "jabber:client")?["code"] == "401")
        }
    }
}
