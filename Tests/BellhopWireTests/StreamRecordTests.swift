import BellhopJournal
import BellhopSQLite
import BellhopXML
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("What the journal has of a stream, and what a resumption makes of the journal", .timeLimit(.minutes(3)))
struct StreamRecordTests: StreamStage {
    private func ask(_ request: ControlRequest, _ bot: BotUnderTest) -> ControlClient.Outcome {
        ControlClient.ask(
            request, for: bot.configuration.account.jid,
            at: ControlServer.path(journal: bot.configuration.journal.path))
    }

    /// A run that is cut off with its answer on the way.
    private func killed(_ server: TestServer, _ configuration: Configuration) async throws {
        try await BotUnderTest.running(configuration) { bot in
            let first = try await server.connection()
            let wire = try await begin(first)
            first.send(says("!echo one", id: "a"))
            try await wire.expect(body: "one")
            first.stall()
            try await cutOff(bot)
            first.drop()
        }
    }

    @Test(
        "a record that is garbage, or another account's, is none: the bot binds, and sends what is not known to have arrived",
        arguments: [
            "", "<stream", "x'00FF'", "<stream id='s1' bound='opsbot@bots.example.test/main' handled='x'/>",
            "<stream id='s1' bound='somebody@bots.example.test/main' handled='1' acknowledged='1'/>",
        ])
    func garbage(record: String) async throws {
        try await runs { server, configuration in
            try await killed(server, configuration)
            do {
                let database = try Connection(configuration.journal.path, .write)
                let value = record.hasPrefix("x'") ? record : "'\(record.replacing("'", with: "''"))'"
                try database.execute("UPDATE streams SET state = \(value)")
            }
            try await BotUnderTest.running(configuration) { bot in
                let second = try await server.connection()
                let wire = try await begin(second, id: "s2")
                try await wire.expect(body: "one")
                try await wire.settle(bot)
                #expect(wire.messages.count == 1 && bot.standard.runs.list == [])
            }
        }
    }

    @Test("rows in a record that are none of the bot's messages are passed over")
    func strangeRows() async throws {
        try await runs { server, configuration in
            try await killed(server, configuration)
            do {
                let database = try Connection(configuration.journal.path, .write)
                try database.execute(
                    "UPDATE streams SET state = replace(state, '</stream>', '<rows first=\"1\"/><rows first=\"99\"/></stream>')"
                )
            }
            try await BotUnderTest.running(configuration) { bot in
                let (_, wire) = try await resumed(at: server, handled: 4)
                try await wire.expect(body: "one")
                try await wire.settle(bot)
                #expect(wire.messages.count == 1)
            }
        }
    }

    @Test("a stream that is older than the server keeps begins anew, and says what was not acknowledged once")
    func tooOld() async throws {
        try await runs { server, configuration in
            try await killed(server, configuration)
            try await BotUnderTest.running(configuration) { bot in
                let second = try await server.connection()
                second.answerDiscovery(Discovery())
                _ = try await second.expectResumption()
                second.send(
                    "<failed xmlns='\(Self.sm)'><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed>")
                _ = try await second.bind(BotConfiguration.account)
                try await second.enableStream(id: "s2")
                try await second.answer("query", "jabber:iq:roster", with: "<query xmlns='jabber:iq:roster'/>")
                let wire = Wire(second)
                try await wire.expect(body: "one")
                try await wire.settle(bot)
                #expect(wire.messages.count == 1)
                #expect(wire.sent.filter { $0.name == "presence" }.count == 1)
            }
        }
    }

    @Test("texts that are not kept are kept until they are acknowledged", arguments: [true, false])
    func texts(isRestarted: Bool) async throws {
        try await runs { server, configuration in
            var configuration = configuration
            configuration.journal.bodies = false
            let hint = "<no-store xmlns='urn:xmpp:hints'/></message>"
            let secret = says("!echo SECRET", id: "a").replacing("</message>", with: hint)
            func goesOn(_ bot: BotUnderTest) async throws {
                let (_, wire) = try await resumed(at: server, handled: 4)
                try await wire.expect(body: "SECRET")
                wire.connection.acknowledge(isRestarted ? 6 : 5)
                try await wire.settle(bot)
                #expect(wire.messages.count == 1)
                bot.stop()
                wire.connection.acknowledge(isRestarted ? 6 : 5)
                try await wire.answerGoodbye()
                #expect(try await bot.ending() == .success)
                #expect(try bot.rows().map(\.body) == [nil, nil])
                #expect(try fates(bot) == [.acknowledged])
            }
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                let wire = try await begin(first)
                first.send(secret)
                try await wire.expect(body: "SECRET")
                if isRestarted {
                    first.stall()
                    try await cutOff(bot)
                    first.drop()
                } else {
                    first.drop()
                    try await goesOn(bot)
                }
            }
            if isRestarted { try await BotUnderTest.running(configuration) { try await goesOn($0) } }
        }
    }

    @Test("who is forgotten while the line is cut hears nothing more, and everybody else does")
    func forgotten() async throws {
        try await running { server, bot in
            let first = try await server.connection()
            let wire = try await begin(first)
            for (name, sender) in [("one", "alice"), ("two", "mallory"), ("three", "alice")] {
                first.send(says("!echo \(name)", id: name, from: "\(sender)@example.test/x"))
                try await wire.expect(body: name)
            }
            try await server.stopListening()
            first.drop()
            try await bot.sink.expect("offline")
            #expect(ask(.forget(try JID("mallory@example.test")), bot) == .answered(.forgotten(messages: 2, others: 0)))
            try server.listen()
            let (resume, second) = try await resumed(at: server, handled: 4)
            #expect(resume["h"] == "3")
            try await second.expect(body: "three")
            second.connection.acknowledge(6)
            try await second.settle(bot)
            #expect(second.messages.compactMap(\.body) == ["one", "three"])
            bot.stop()
            second.connection.acknowledge(7)
            try await second.answerGoodbye()
            #expect(try await bot.ending() == .success)
            #expect(try fates(bot) == [.acknowledged, .acknowledged])
        }
    }

    @Test(
        "a bot that was paused while the line was cut shows it on the stream, and holds back what it held back"
    )
    func paused() async throws {
        try await running { server, bot in
            let first = try await server.connection()
            let wire = try await begin(first)
            first.send(says("!echo one", id: "a"))
            first.send(says("!slow 3", id: "b"))
            try await wire.expect(body: "one")
            try await wire.settle()
            try await server.stopListening()
            first.drop()
            try await bot.sink.expect("offline")
            _ = ask(.pause, bot)
            try server.listen()
            let (_, second) = try await resumed(at: server, handled: 4)
            // What was on the stream before the pause is said again.
            try await second.expect("dnd") { $0.name == "presence" && $0.child("show", "jabber:client")?.text == "dnd" }
            second.connection.send(says("!ping", id: "c"))
            try await second.expect(body: PauseTests.paused)
            #expect(second.messages.compactMap(\.body) == ["one", PauseTests.paused])
            second.connection.drop()
            // The answer to a ping and the presence are between the two.
            let (_, third) = try await resumed(at: server, handled: 8)
            try await third.settle(bot)
            #expect(third.messages == [])
            #expect(third.sent.filter { $0.name == "presence" } == [], "it is shown already")
            _ = ask(.resume, bot)
            try await third.expect("a word on the pause") {
                $0.body?.hasPrefix("I was paused while I worked on") == true
            }
            try await third.expect(body: "pong")
            try await third.expect("presence") { $0.name == "presence" && $0.child("show", "jabber:client") == nil }
        }
    }

    @Test("a resumption does not tell what is in memory only: the server sends it again, and it runs once")
    func diskFull() async throws {
        try await running { server, bot in
            let first = try await server.connection()
            let wire = try await begin(first)
            first.send(says("!echo one", id: "a"))
            try await wire.expect(body: "one")
            try await wire.settle()
            #expect(try await first.askForCount() == "2")
            let lock = try DatabaseLock(bot.configuration.journal.path)
            first.send(says("!echo two", id: "b"))
            try await wire.expect(body: "two")
            first.drop()
            let (resume, second) = try await resumed(at: server, handled: 6)
            #expect(resume["h"] == "2")
            second.connection.send(says("!echo two", id: "b"))
            try await second.expect(body: "two")
            second.connection.acknowledge(7)
            try await second.settle()
            lock.release()
            second.connection.send("<r xmlns='\(Self.sm)'/>")
            try await second.expect("a count of all") { $0.name == "a" && $0["h"] == "4" }
            try await second.settle(bot)
            // Where the disk is away for long the admins hear of it besides.
            #expect(second.messages.count { $0.body == "two" } == 1)
            #expect(bot.standard.runs.list.map(\.arguments) == ["one", "two"])
            #expect(
                try bot.rows().compactMap(\.body).filter { $0.hasSuffix("one") || $0.hasSuffix("two") }
                    == ["!echo one", "one", "!echo two", "two"])
        }
    }

    @Test(
        "a word about a subscription that a lost stream took with it, or that was said offline, is said again"
    )
    func subscriptions() async throws {
        try await running(configure: { configuration in
            configuration.subscriptions.rules = [.init(match: try JIDPattern("*"), action: .accept)]
        }) { server, bot in
            let first = try await server.connection()
            let wire = try await begin(first)
            first.send("<presence type='subscribe' from='carol@example.test'/>")
            try await wire.expect("consent") { $0["type"] == "subscribed" && $0["to"] == "carol@example.test" }
            try await server.stopListening()
            first.drop()
            try await bot.sink.expect("offline")
            let dave = try JID("dave@example.test")
            try await bot.ask { $0.chat.subscribe(dave) }
            try server.listen()
            let second = try await server.connection()
            _ = try await second.expectResumption()
            second.send("<failed xmlns='\(Self.sm)' h='2'/>")
            _ = try await second.bind(BotConfiguration.account)
            try await second.enableStream(id: "s2")
            try await second.answer("query", "jabber:iq:roster", with: "<query xmlns='jabber:iq:roster'/>")
            let fresh = Wire(second)
            try await fresh.settle(bot)
            #expect(fresh.sent.filter { $0.name == "presence" }.map { $0["type"] } == [nil, "subscribed", "subscribe"])
        }
    }
}
