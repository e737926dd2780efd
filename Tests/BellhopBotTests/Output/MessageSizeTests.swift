import BellhopXML
import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("Messages that are too large for a server")
struct MessageSizeTests {
    private static func message(_ body: String?, payloads: [Element] = []) throws -> OutgoingMessage {
        OutgoingMessage(to: try JID("alice@example.test/phone"), id: "", thread: "t", body: body, payloads: payloads)
    }

    static let texts: [(name: String, text: String)] = [
        ("plain", String(repeating: "word and another word. ", count: 2_000)),
        ("one word", String(repeating: "x", count: 30_000)),
        ("escaped", String(repeating: "&<>\r", count: 6_000)),
        ("quotes", String(repeating: "'\"", count: 9_000)),
        ("many bytes", String(repeating: "\u{1F469}\u{200D}\u{1F467}\u{1F9D2}\u{E9}", count: 3_000)),
        ("control", String(repeating: "\u{1}\u{0}", count: 9_000)),
        ("one character", "e" + String(repeating: "\u{301}", count: 20_000)),
        ("mixed", (0..<3_000).map { $0 % 7 == 0 ? "&&&& \($0)\n" : "line \($0)\n" }.joined()),
    ]

    @Test(
        "every part fits, and together they are the text",
        arguments: texts.map(\.name), [1_000, 4_096, 10_000, 65_536])
    func parts(name: String, limit: Int) throws {
        let text = try #require(Self.texts.first { $0.name == name }?.text)
        let split = MessageSplitter(try Self.message(text), limit: limit)
        #expect(split.parts.allSatisfy { StanzaSize.of($0) <= limit })
        #expect(split.parts.count <= MessageSplitter.partLimit + 1)
        let said = split.parts.compactMap(\.body).joined()
        if split.isCut {
            #expect(split.parts.count == MessageSplitter.partLimit + 1)
            #expect(split.parts.last?.body == Phrases.restTooLong)
        } else {
            #expect(said.filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
        }
    }

    @Test("a text as large as the limit is whole, one byte more is two", arguments: [1_000, 10_000])
    func boundary(limit: Int) throws {
        let room = limit - StanzaSize.of(try Self.message(""))
        var limits = StanzaLimits()
        limits.announce(limit)
        #expect(limits.hold(try Self.message(String(repeating: "x", count: room))))
        let larger = try Self.message(String(repeating: "x", count: room + 1))
        #expect(!limits.hold(larger))
        #expect(MessageSplitter(larger, limit: limit).parts.map { $0.body?.utf8.count } == [room, 1])
    }

    @Test("elements go with the first part; those that are too large alone are left out, and the last part says so")
    func payloads() throws {
        let small = Element("x", namespace: "urn:x")
        let fits = MessageSplitter(
            try Self.message(String(repeating: "word ", count: 600), payloads: [small]), limit: 1_000)
        #expect(fits.parts.map(\.payloads.count).first == 1)
        #expect(fits.parts.dropFirst().allSatisfy { $0.payloads.isEmpty })
        #expect(!fits.lacksPayloads)
        let large = Element("x", namespace: "urn:x").with(text: String(repeating: "y", count: 2_000))
        let lacks = MessageSplitter(try Self.message("hello", payloads: [large]), limit: 1_000)
        #expect(lacks.parts.map(\.body) == ["hello", Phrases.payloadTooLarge])
        #expect(lacks.parts.allSatisfy { $0.payloads.isEmpty })
        let alone = MessageSplitter(try Self.message(nil, payloads: [large]), limit: 1_000)
        #expect(alone.parts.map(\.body) == [Phrases.payloadTooLarge])
        let blank = MessageSplitter(
            try Self.message(String(repeating: " ", count: 2_000), payloads: [small]), limit: 1_000)
        #expect(blank.parts.map(\.payloads.count) == [1])
    }

    @Test("a limit that holds nothing at all gives no part and does not trap", arguments: [-1, 0, 1, 100, 150])
    func tiny(limit: Int) throws {
        #expect(MessageSplitter(try Self.message("hello"), limit: limit).parts.isEmpty)
        var limits = StanzaLimits()
        limits.announce(limit)
        #expect(!limits.hold(try Self.message("hello")))
    }

    private static func refused(_ bytes: Int, by domain: String? = nil, _ limits: inout StanzaLimits) -> Int? {
        if let domain { return limits.refused(bytes, by: domain) }
        return limits.refused(bytes)
    }

    @Test("limits are learned in steps, and never twice the same")
    func steps() {
        var limits = StanzaLimits()
        #expect(limits.safe == .max)
        #expect(Self.refused(200_000, &limits) == 57_344)
        #expect(limits.window == 57_344)
        #expect(Self.refused(200_000, &limits) == 8_750)
        #expect(Self.refused(200_000, &limits) == nil)
        #expect(Self.refused(8_750, &limits) == nil)
        #expect(Self.refused(1_024, &limits) == nil)
        limits.announce(500)
        #expect(Self.refused(50_000, &limits) == nil)
    }

    @Test("what another server sends back is its own matter, and domains are remembered in bounded number")
    func domains() throws {
        var limits = StanzaLimits()
        #expect(Self.refused(70_000, by: "far.example", &limits) == 65_536)
        #expect(limits.limit(for: try JID("x@far.example")) == 65_536)
        #expect(limits.limit(for: try JID("x@near.example")) == .max)
        for number in 0..<1_000 { _ = limits.refused(70_000, by: "d\(number).example") }
        #expect(limits.limit(for: try JID("x@far.example")) == .max)
        #expect(limits.limit(for: try JID("x@d999.example")) == 65_536)
    }

    @Test("an answer too large for the server leaves in parts with the next ordinals")
    func answer() throws {
        let bot = Bot {
            Command("big", "", Rest("text")) { context, _ in
                context.reply("first")
                context.reply(String(repeating: "x", count: 2_000))
                return "last"
            }.open().inline()
        }
        let stage = try Stage(bot)
        stage.desk.announced(largestStanza: 1_000)
        stage.hears("!big 1")
        let sent = stage.chat.messages
        #expect(sent.first?.body == "first" && sent.last?.body == "last")
        #expect(sent.count >= 5)
        #expect(sent.map(\.id) == (1...sent.count).map { "a1-\($0)" })
        #expect(sent.allSatisfy { StanzaSize.of($0) <= 1_000 })
        #expect(sent.compactMap(\.body).joined().count { $0 == "x" } == 2_000)
        stage.desk.announced(largestStanza: nil)
        _ = stage.said()
        stage.hears("!big 2")
        #expect(stage.said().map(\.count) == [5, 2_000, 4])
    }

    @Test("what the bot says unasked is split, too, and what becomes of it is known")
    func unasked() async throws {
        let stage = try Stage(opsBot)
        stage.desk.announced(largestStanza: 1_000)
        let sent = try #require(
            stage.desk.say(String(repeating: "y", count: 3_000), to: try JID("bob@example.test"), at: stage.moment))
        #expect(stage.chat.messages.count > 3)
        stage.desk.messagesSent(stage.ledger.outgoing.map(\.id))
        #expect(sent.state == .sent)
        stage.desk.announced(largestStanza: 10)
        let lost = try #require(stage.desk.say("hello", to: try JID("bob@example.test"), at: stage.moment))
        #expect(lost.state == .failed("too large for the server"))
        #expect(stage.ledger.outgoing.last?.state == "failed")
    }

    @Test("a message that comes back for its size is said again in smaller parts, once for each step")
    func bounce() throws {
        let stage = try Stage(opsBot)
        let text = String(repeating: "z", count: 80_000)
        let sent = try #require(stage.desk.say(text, to: try JID("bob@far.example"), at: stage.moment))
        var rounds: [Int] = []
        while !stage.chat.messages.isEmpty {
            let messages = stage.chat.messages
            stage.chat.messages = []
            rounds.append(messages.count)
            #expect(messages.compactMap(\.body).joined() == text)
            for message in messages where StanzaSize.of(message) > 5_000 {
                stage.hears(Self.bounced(message, "<policy-violation xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>"))
            }
        }
        // Whole; below 65,536; below 10,000; and then it is given up.
        #expect(rounds.count == 3)
        #expect(rounds[0] == 1 && rounds[1] == 2)
        #expect(sent.state == .failed("policy-violation"))
        #expect(stage.ledger.outgoing.allSatisfy { $0.state == "failed" || ($0.body?.count ?? 0) < 5_000 })
        #expect(stage.ledger.outgoing.first?.reason == "policy-violation; said again in parts")
    }

    private static func bounced(_ message: OutgoingMessage, _ condition: String) -> Element {
        let xml =
            "<message xmlns='jabber:client' type='error' id='\(message.id)' from='\(message.to)'>"
            + "<error type='modify'>\(condition)</error></message>"
        return (try? Element.parse(xml)) ?? Element("message", namespace: "jabber:client")
    }

    @Test(
        "what comes back for another reason is not said again",
        arguments: [
            "<not-acceptable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/><blocked xmlns='urn:xmpp:blocking:errors'/>",
            "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>",
            "<item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>",
        ])
    func otherBounce(condition: String) throws {
        let stage = try Stage(opsBot)
        let sent = try #require(
            stage.desk.say(String(repeating: "z", count: 20_000), to: try JID("bob@far.example"), at: stage.moment))
        let message = try #require(stage.chat.messages.first)
        stage.chat.messages = []
        stage.hears(Self.bounced(message, condition))
        #expect(stage.chat.messages.isEmpty)
        if case .failed = sent.state {} else { Issue.record("\(sent.state)") }
    }

    @Test("a small message that a server refuses is no matter of size")
    func smallBounce() throws {
        let stage = try Stage(opsBot)
        _ = stage.desk.say(String(repeating: "z", count: 9_000), to: try JID("bob@far.example"), at: stage.moment)
        let message = try #require(stage.chat.messages.first)
        stage.chat.messages = []
        stage.hears(Self.bounced(message, "<policy-violation xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>"))
        #expect(stage.chat.messages.isEmpty)
    }

    @Test("a queued message that has become too large is split in its place; one of which less is kept says so")
    func queued() throws {
        let stage = try Stage(opsBot)
        _ = stage.desk.say(String(repeating: "q", count: 12_000), to: try JID("bob@example.test"), at: stage.moment)
        let row = try #require(stage.ledger.outgoing.first?.id)
        let message = try #require(stage.chat.messages.first)
        stage.chat.messages = []
        #expect(!stage.desk.splitIfTooLarge(row, message, at: stage.moment))
        #expect(stage.desk.serverRefused(12_100) == 8_750)
        stage.ledger.cutRows = [row]
        #expect(stage.desk.splitIfTooLarge(row, message, at: stage.moment))
        #expect(stage.chat.messages.map(\.id) == ["a\(row)-1", "a\(row)-2", "a\(row)-3"])
        #expect(stage.chat.messages.last?.body == Phrases.restTooLong)
        #expect(stage.ledger.outgoing.first?.reason == "too large for the server; said again in parts")
    }
}
