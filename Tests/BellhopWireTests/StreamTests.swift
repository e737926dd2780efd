import BellhopBot
import BellhopJournal
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Streams that are acknowledged and go on")
struct StreamTests: StreamStage {
    @Test("only messages, presence and iqs count, and a resumption comes before any binding (C112, C113)")
    func counts() async throws {
        try await runs { server, configuration in
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                let wire = try await begin(first)
                first.send(says("!echo one", id: "a"))
                try await wire.expect(body: "one")
                #expect(try await first.askForCount() == "1")
                first.send("<presence from='alice@example.test/phone'/>")
                try await wire.settle()
                #expect(try await first.askForCount() == "3")
                // The first four, the answer, and the answer to the ping.
                first.acknowledge(6)
                try await wire.settle()
                first.drop()

                var handled = 4
                for round in 1...3 {
                    let next = try await server.connection()
                    let resume = try await next.expectResumption()
                    #expect(resume["previd"] == "s1" && resume["h"] == "\(handled)", "round \(round)")
                    #expect(!next.unread.contains { $0.contains("bind") })
                    // All of ours arrived: the answer to the ping before the cut, too.
                    next.resumeStream(handled: 5 + 2 * round)
                    let wire = Wire(next)
                    // What the server was not told of comes once more, and is a duplicate.
                    next.send(says("!echo one", id: "a"))
                    handled += 1
                    #expect(try await next.askForCount() == "\(handled)")
                    try await wire.settle(bot)
                    handled += 2
                    #expect(wire.messages == [])
                    #expect(try await next.askForCount() == "\(handled)")
                    next.acknowledge(7 + 2 * round)
                    next.drop()
                }
                #expect(bot.standard.runs.list.count == 1)
            }
        }
    }

    @Test("what a cut took with it is sent again, in order, under its ids, before anything new")
    func cut() async throws {
        try await runs { server, configuration in
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                let wire = try await begin(first)
                for name in ["one", "two", "three"] { first.send(says("!echo \(name)", id: name)) }
                let sent = [
                    try await wire.expect(body: "one"), try await wire.expect(body: "two"),
                    try await wire.expect(body: "three"),
                ]
                first.drop()
                let second = try await server.connection()
                _ = try await second.expectResumption()
                // The first four and the first answer arrived.
                second.resumeStream(handled: 5)
                let resumed = Wire(second)
                second.send(says("!echo four", id: "four"))
                try await resumed.expect(body: "four")
                #expect(
                    resumed.messages.map { $0["id"] } == sent.dropFirst().map { $0["id"] } + [
                        resumed.messages.last?["id"]
                    ])
                #expect(resumed.messages.compactMap(\.body) == ["two", "three", "four"])
                second.acknowledge(8)
                try await resumed.settle(bot)
                #expect(
                    resumed.sent.filter { $0.name == "presence" || $0.child("query", "jabber:iq:roster") != nil } == [])
                #expect(bot.standard.runs.list.count == 4)
                bot.stop()
                second.acknowledge(10)
                try await resumed.answerGoodbye()
                #expect(try await bot.ending() == .success)
                #expect(
                    try bot.rows().filter { $0.direction == .outgoing }.map(\.state)
                        == Array(repeating: .acknowledged, count: 4))
            }
        }
    }

    @Test("a new process takes up the stream of a killed one, and sends what was not acknowledged")
    func restart() async throws {
        try await runs { server, configuration in
            var ids: [String?] = []
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                let wire = try await begin(first)
                for name in ["one", "two"] { first.send(says("!echo \(name)", id: name)) }
                ids = [try await wire.expect(body: "one")["id"], try await wire.expect(body: "two")["id"]]
                try await wire.settle(bot)
                // The process dies with its line: its goodbye never leaves.
                first.stall()
                try await cutOff(bot)
                first.drop()
            }
            try await BotUnderTest.running(configuration) { bot in
                let second = try await server.connection()
                let resume = try await second.expectResumption()
                #expect(resume["previd"] == "s1")
                #expect(Int(resume["h"] ?? "") ?? 0 >= 2)
                second.resumeStream(handled: 5)
                let wire = Wire(second)
                #expect(try await wire.expect(body: "two")["id"] == ids[1])
                try await second.answer(
                    "query", "jabber:iq:roster",
                    with: "<query xmlns='jabber:iq:roster'>\(OnlineBot.contacts.joined())</query>")
                second.send(says("!echo two", id: "two"))
                second.send(says("!echo three", id: "three"))
                try await wire.expect(body: "three")
                try await wire.settle(bot)
                #expect(wire.messages.compactMap(\.body) == ["two", "three"])
                #expect(bot.standard.runs.list.map(\.arguments) == ["three"])
                #expect(
                    !wire.sent.contains {
                        $0.name == "presence" || $0.child("bind", "urn:ietf:params:xml:ns:xmpp-bind") != nil
                    })
                second.acknowledge(10)
            }
        }
    }

    @Test("where the server has forgotten the stream, a new session sends what it had not handled")
    func failed() async throws {
        try await runs { server, configuration in
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                let wire = try await begin(first)
                for name in ["one", "two"] { first.send(says("!echo \(name)", id: name)) }
                try await wire.expect(body: "one")
                let id = try await wire.expect(body: "two")["id"]
                first.drop()
                let second = try await server.connection()
                _ = try await second.expectResumption()
                second.answerDiscovery(Discovery())
                second.send(
                    "<failed xmlns='\(Self.sm)' h='5'><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed>"
                )
                _ = try await second.bind(BotConfiguration.account)
                try await second.enableStream(id: "s2")
                try await second.answer("query", "jabber:iq:roster", with: "<query xmlns='jabber:iq:roster'/>")
                let fresh = Wire(second)
                #expect(try await fresh.expect(body: "two")["id"] == id)
                try await fresh.settle(bot)
                #expect(fresh.messages.count == 1)
            }
        }
    }

    @Test(
        "a server that counts what cannot be gets an error, and then a new session",
        arguments: [
            "<a xmlns='urn:xmpp:sm:3' h='99'/>", "<a xmlns='urn:xmpp:sm:3'/>", "<a xmlns='urn:xmpp:sm:3' h='-1'/>",
        ])
    func miscounted(answer: String) async throws {
        try await runs { server, configuration in
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                _ = try await begin(first)
                first.send(answer)
                let error = try await first.expect("error", "http://etherx.jabber.org/streams")
                #expect(error.child("undefined-condition", "urn:ietf:params:xml:ns:xmpp-streams") != nil)
                #expect((error.child("handled-count-too-high", Self.sm)?["send-count"] == "4") == answer.contains("99"))
                let second = try await server.connection()
                try await second.authenticate(offering: TestConnection.offersStreams)
                _ = try await second.bind(BotConfiguration.account)
                #expect(bot.sink.text.contains { $0.contains("this is a fault of the server") })
            }
        }
    }

    @Test(
        "a resumption that makes no sense is given up once, and the next attempt binds",
        arguments: [
            "<resumed xmlns='urn:xmpp:sm:3' previd='s1'/>", "<resumed xmlns='urn:xmpp:sm:3' h='1' previd='other'/>",
            "<enabled xmlns='urn:xmpp:sm:3'/>",
        ])
    func nonsense(answer: String) async throws {
        try await runs { server, configuration in
            try await BotUnderTest.running(configuration) { _ in
                let first = try await server.connection()
                _ = try await begin(first)
                first.drop()
                let second = try await server.connection()
                _ = try await second.expectResumption()
                second.send(answer)
                let third = try await server.connection()
                try await third.authenticate(offering: TestConnection.offersStreams)
                _ = try await third.bind(BotConfiguration.account)
            }
        }
    }

    @Test(
        "a stream that the server does not let us resume begins anew, and so does one that it refuses to count",
        arguments: [
            "<enabled xmlns='urn:xmpp:sm:3'/>",
            "<failed xmlns='urn:xmpp:sm:3'><unexpected-request xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed>",
        ])
    func notResumable(answer: String) async throws {
        try await runs { server, configuration in
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                _ = try await first.login(
                    as: BotConfiguration.account, roster: OnlineBot.contacts, features: TestConnection.offersStreams)
                _ = try await first.expect("enable", Self.sm)
                first.send(answer)
                let wire = Wire(first)
                first.send(says("!echo one", id: "a"))
                try await wire.expect(body: "one")
                try await wire.settle(bot)
                first.drop()
                let second = try await server.connection()
                let again = try await begin(second, id: "s2")
                try await again.settle(bot)
                // Where the server counts and had not said that it has the answer, it is sent again under the same id.
                #expect(again.messages.count == (answer.contains("enabled") ? 1 : 0))
            }
        }
    }

    @Test("a thousand messages with a question behind every ten are acknowledged while handlers are busy (C115)")
    func busy() async throws {
        try await runs { server, configuration in
            try await BotUnderTest.running(configuration) { bot in
                let connection = try await server.connection()
                _ = try await begin(connection)
                for number in 1...1_000 {
                    connection.send(says("!slowms 50", id: "m\(number)"))
                    guard number % 10 == 0 else { continue }
                    // None of the handlers has come to its end: the clock that they wait by stands still.
                    #expect(try await connection.askForCount() == "\(number)")
                }
                #expect(try bot.rows().count == 1_000)
                bot.standard.clock.end()
            }
        }
    }

    @Test("what is only in memory is not acknowledged, and is when the disk takes it")
    func held() async throws {
        try await runs { server, configuration in
            try await BotUnderTest.running(configuration) { bot in
                let connection = try await server.connection()
                let wire = try await begin(connection)
                try await wire.settle()
                #expect(try await connection.askForCount() == "1")
                let lock = try DatabaseLock(configuration.journal.path)
                connection.send(says("!echo one", id: "a"))
                try await wire.expect(body: "one")
                connection.send("<r xmlns='\(Self.sm)'/>")
                connection.send(says("!echo two", id: "b"))
                try await wire.expect(body: "two")
                // The server hears that the bot is there, and nothing of rows in memory.
                try await wire.expect("an older count") { $0.name == "a" && $0["h"] == "1" }
                #expect(!connection.unread.contains { $0.hasPrefix("<a ") }, "an acknowledgement of rows in memory")
                lock.release()
                #expect(try await connection.expect("a", Self.sm)["h"] == "3")
            }
        }
    }
}
