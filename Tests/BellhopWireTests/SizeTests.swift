import BellhopJournal
import BellhopXML
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Answers larger than the server takes", .timeLimit(.minutes(2)))
struct SizeTests {
    private static let policy = "<policy-violation xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>"

    private static func bytes(_ stanza: Element) -> Int { stanza.serialized(in: "jabber:client").utf8.count }

    /// Takes messages until their texts are so long together.
    private static func text(of length: Int, over wire: Wire) async throws -> [Element] {
        var messages: [Element] = []
        while messages.reduce(0, { $0 + ($1.body?.utf8.count ?? 0) }) < length {
            let stanza = try await wire.expect("a part, or a question behind it") {
                $0.name == "message" || $0.child("ping", "urn:xmpp:ping") != nil
            }
            if stanza.name == "message" { messages.append(stanza) } else { wire.connection.reply(to: stanza) }
        }
        return messages
    }

    private static func whole(_ configuration: inout Configuration) { configuration.commands.output.characters = nil }

    @Test("a server that says its limit gets no stanza above it, escaped bytes counted, and the text is whole (C063)")
    func announced() async throws {
        try await OnlineBot.running(.inline, configure: Self.whole) { online in
            online.wire.connection.drop()
            let connection = try await online.server.connection()
            _ = try await connection.login(
                as: BotConfiguration.account,
                features: "<limits xmlns='urn:xmpp:stream-limits:0'><max-bytes>2000</max-bytes></limits>")
            let wire = Wire(connection)
            let text = String(repeating: "a & b < c > d ", count: 500)
            online.say("!echo \(text)", id: "e", over: wire)
            online.say("!ping", over: wire)
            try await wire.expect(body: "pong")
            let parts = wire.messages.dropLast()
            #expect(parts.count >= 4)
            #expect(parts.allSatisfy { Self.bytes($0) <= 2_000 })
            let said = parts.compactMap(\.body).joined().filter { $0 != " " }
            #expect(said == text.filter { $0 != " " })
            #expect(try await online.stop(over: wire) == .success)
            let rows = try online.bot.rows().filter { $0.direction == .outgoing }
            #expect(rows.dropLast().map(\.answers?.number) == Array(repeating: 1, count: parts.count))
            #expect(rows.dropLast().map(\.ordinal) == Array(1...parts.count))
            #expect(rows.allSatisfy { $0.state == .sent })
        }
    }

    @Test("a server that ends the stream at a large stanza gets it in parts, and never such a one again (C063)")
    func learned() async throws {
        try await OnlineBot.running(.inline, configure: Self.whole) { online in
            online.say("!big 20000", id: "b")
            online.say("!ping", id: "p")
            try await online.wire.expect("the large one") { $0.body?.utf8.count == 20_000 }
            online.wire.connection.send("<stream:error>\(Self.policy)</stream:error>")
            online.wire.connection.close()
            let wire = try await online.reconnected()
            let parts = try await Self.text(of: 20_004, over: wire)
            #expect(parts.compactMap(\.body).filter { $0 != "pong" }.joined() == String(repeating: "x", count: 20_000))
            #expect(parts.allSatisfy { Self.bytes($0) <= 8_750 })
            // What was sent behind the large one was not handled by the server either.
            #expect(parts.filter { $0.body == "pong" }.count == 1)
            online.say("!big 20000", id: "c", over: wire)
            let again = try await Self.text(of: 20_000, over: wire)
            #expect(again.allSatisfy { Self.bytes($0) <= 8_750 })
            let question = try await wire.expect("a question behind it") { $0.child("ping", "urn:xmpp:ping") != nil }
            wire.connection.reply(to: question)
            try await wire.settle(online.bot)
            #expect(online.server.connectionCount == 2)
            #expect(try await online.stop(over: wire) == .success)
            let rows = try online.bot.rows().filter { $0.direction == .outgoing }
            #expect(rows.first?.reason == "too large for the server; said again in parts")
            #expect(rows.filter { $0.state == .failed }.count == 1)
            #expect(Set(rows.map(\.id)).count == rows.count)
        }
    }

    @Test("a server that goes without a word at a large stanza is tried once more, and then gets parts (C063)")
    func silent() async throws {
        try await OnlineBot.running(.inline, configure: Self.whole) { online in
            online.say("!big 20000", id: "b")
            var connection = online.wire.connection
            for _ in 0..<2 {
                _ = try await connection.expect("message") { $0.body?.utf8.count == 20_000 }
                connection.drop()
                connection = try await online.server.connection()
                _ = try await connection.login(as: BotConfiguration.account)
            }
            let parts = try await Self.text(of: 20_000, over: Wire(connection))
            #expect(parts.allSatisfy { Self.bytes($0) <= 8_750 })
            let lines = online.bot.sink.text.filter { $0.contains("from now on it gets less, in parts. bytes=") }
            #expect(lines.count == 1)
        }
    }

    @Test("a server that takes a large stanza and then ends for a reason of its own gets no second one")
    func taken() async throws {
        try await OnlineBot.running(.inline, configure: Self.whole) { online in
            online.say("!big 20000", id: "b")
            try await online.wire.expect("the large one") { $0.body?.utf8.count == 20_000 }
            let ping = try await online.wire.expect("a question behind it") { $0.name == "iq" && $0["type"] == "get" }
            online.wire.connection.reply(to: ping)
            try await online.wire.settle(online.bot)
            online.wire.connection.send("<stream:error>\(Self.policy)</stream:error>")
            online.wire.connection.close()
            let wire = try await online.reconnected()
            try await wire.settle(online.bot)
            #expect(wire.messages.isEmpty)
            online.say("!big 20000", id: "c", over: wire)
            try await wire.expect("the large one") { $0.body?.utf8.count == 20_000 }
        }
    }

    @Test("a large message that comes back is said again in parts, whatever the rest of the log says")
    func bounced() async throws {
        try await OnlineBot.running(.inline, configure: Self.whole) { online in
            online.say("!big 20000", id: "b")
            let large = try await online.wire.expect("the large one") { $0.body?.utf8.count == 20_000 }
            online.wire.connection.send(
                "<message type='error' id='\(large["id"] ?? "")' from='alice@example.test/phone' to='\(BotConfiguration.bound)'>"
                    + "<error type='modify'><not-acceptable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>"
            )
            let parts = try await Self.text(of: 20_000, over: online.wire)
            #expect(parts.count == 3)
            #expect(Set(parts.map { $0["id"] }).count == 3)
            for part in parts.prefix(1) {
                online.wire.connection.send(
                    "<message type='error' id='\(part["id"] ?? "")' from='alice@example.test/phone'>"
                        + "<error type='modify'><not-acceptable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>"
                )
            }
            try await online.wire.settle(online.bot)
            #expect(online.wire.messages.count == 4)
        }
    }

    @Test(
        "on a stream that goes on, and on one that does not, the parts come in the place of what was too large (C063)",
        arguments: [true, false])
    func managed(goesOn: Bool) async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                Self.whole(&configuration)
                try await BotUnderTest.running(configuration, StandardBot(.inline)) { bot in
                    let first = try await server.connection()
                    _ = try await first.login(as: BotConfiguration.account, features: TestConnection.offersStreams)
                    try await first.enableStream()
                    first.send(OnlineBot.message("!big 20000", id: "b") + OnlineBot.message("!ping", id: "p"))
                    _ = try await first.expect("message") { $0.body?.utf8.count == 20_000 }
                    first.send("<stream:error>\(Self.policy)</stream:error>")
                    first.close()
                    let second = try await server.connection()
                    _ = try await second.expectResumption()
                    if goesOn {
                        // The first questions and the presence are all that it took.
                        second.resumeStream(handled: 4)
                    } else {
                        second.answerDiscovery(Discovery())
                        second.send(
                            "<failed xmlns='urn:xmpp:sm:3'><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed>"
                        )
                        _ = try await second.bind(BotConfiguration.account)
                        try await second.enableStream(id: "s2")
                        try await second.answer("query", "jabber:iq:roster", with: "<query xmlns='jabber:iq:roster'/>")
                        try await second.answer("time", "urn:xmpp:time")
                    }
                    let parts = try await Self.text(of: 20_004, over: Wire(second))
                    #expect(parts.allSatisfy { Self.bytes($0) <= 8_750 }, "\(parts.map { Self.bytes($0) })")
                    let texts = parts.compactMap(\.body)
                    #expect(texts.filter { $0 != "pong" }.joined() == String(repeating: "x", count: 20_000))
                    #expect(texts.filter { $0 == "pong" }.count == 1)
                    #expect(Set(parts.map { $0["id"] }).count == parts.count)
                }
            }
        }
    }

    @Test("a server that goes without a word at a large stanza of a managed stream gets it once more, and then parts")
    func managedSilence() async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                Self.whole(&configuration)
                try await BotUnderTest.running(configuration, StandardBot(.inline)) { bot in
                    var connection = try await server.connection()
                    _ = try await connection.login(as: BotConfiguration.account, features: TestConnection.offersStreams)
                    try await connection.enableStream()
                    connection.send(OnlineBot.message("!big 20000", id: "b"))
                    for _ in 0..<2 {
                        _ = try await connection.expect("message") { $0.body?.utf8.count == 20_000 }
                        connection.drop()
                        connection = try await server.connection()
                        _ = try await connection.expectResumption()
                        connection.resumeStream(handled: 2)
                    }
                    let parts = try await Self.text(of: 20_000, over: Wire(connection))
                    #expect(parts.allSatisfy { Self.bytes($0) <= 8_750 })
                }
            }
        }
    }
}
