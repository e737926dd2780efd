import BellhopXML
import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("Messages from which nothing runs")
struct ObstacleTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var name: String
        var from: String? = "alice@example.test/phone"
        var type: String? = "chat"
        var body: String? = "!ping"
        var payloads: [Element] = []
        /// Kind, direction and peer of the one row; nil when none is written.
        var row: [String]?
        var said: [String] = []

        var testDescription: String { name }
    }

    static func element(_ name: String, _ namespace: String) -> Element { Element(name, namespace: namespace) }

    static let samples = [
        Sample(
            name: "chat state", body: nil, payloads: [element("composing", "http://jabber.org/protocol/chatstates")]),
        Sample(name: "no body", body: nil),
        Sample(name: "empty body", body: "", row: ["emptyBody", "in", "alice@example.test"]),
        Sample(name: "blank body", body: "   \n\t", row: ["emptyBody", "in", "alice@example.test"]),
        Sample(name: "error", type: "error"),
        Sample(name: "own", from: "opsbot@bots.example.test/laptop", row: ["own", "out", "opsbot@bots.example.test"]),
        Sample(name: "headline", type: "headline", row: ["headline", "in", "alice@example.test"]),
        Sample(
            name: "groupchat", from: "room@muc.example.test/bob", type: "groupchat",
            row: ["groupchat", "in", "room@muc.example.test"]),
        Sample(name: "domain", from: "example.test", type: nil, row: ["domainSender", "in", "example.test"]),
        Sample(name: "no sender", from: nil, type: nil, row: ["noSender", "in", "opsbot@bots.example.test"]),
        Sample(
            name: "encrypted", body: "This text stands in.",
            payloads: [
                element("encryption", "urn:xmpp:eme:0").with("namespace", "eu.siacs.conversations.axolotl"),
                element("encrypted", "eu.siacs.conversations.axolotl"),
            ],
            row: ["encrypted", "in", "alice@example.test"],
            said: ["I cannot read encrypted messages. Please turn encryption off for this chat."]),
        Sample(
            name: "correction", payloads: [element("replace", "urn:xmpp:message-correct:0").with("id", "m0")],
            row: ["correction", "in", "alice@example.test"],
            said: ["I do not run edited messages. Please send it as a new one."]),
        Sample(
            name: "reaction without body", body: nil,
            payloads: [element("reactions", "urn:xmpp:reactions:0").with("id", "bot1")]),
        Sample(
            name: "reaction with body", body: "> done\n\u{1F44D}",
            payloads: [element("reactions", "urn:xmpp:reactions:0").with("id", "bot1")],
            row: ["reaction", "in", "alice@example.test"]),
        Sample(
            name: "stale",
            payloads: [
                element("delay", "urn:xmpp:delay").with("from", "bots.example.test").with(
                    "stamp", "2023-11-14T22:00:00Z")
            ],
            row: ["stale", "in", "alice@example.test"],
            said: [
                "\u{201C}!ping\u{201D} reached me too late, so I did not run it, nor what else came as late. Please send again what is still needed."
            ]),
        Sample(
            name: "receipt", body: nil, payloads: [element("received", "urn:xmpp:receipts").with("id", "b1")]),
        Sample(
            name: "rich text only", body: nil, payloads: [element("html", "http://jabber.org/protocol/xhtml-im")]),
    ]

    @Test("nothing runs, and at most one row and one notice come of it", arguments: samples)
    func obstacle(sample: Sample) throws {
        let diary = Diary()
        let bot = Bot {
            Command("ping", "") { _ in diary.note("ping") }.open().inline()
            OnMessage { _ in diary.note("payload") }.open().inline()
        }
        let stage = try Stage(bot)
        var stanza = Element("message", namespace: "jabber:client").with("from", sample.from).with("type", sample.type)
            .with("id", "x1")
        if let body = sample.body {
            stanza = stanza.with(Element("body", namespace: "jabber:client").with(text: body))
        }
        for payload in sample.payloads { stanza = stanza.with(payload) }
        stage.hears(stanza)
        #expect(diary.entries == [])
        #expect(stage.said() == sample.said)
        let rows = stage.ledger.rows.filter { $0.state != "queued" }
        #expect(rows.map { [$0.kind, $0.direction, $0.peer] } == (sample.row.map { [$0] } ?? []))
        #expect(rows.allSatisfy { $0.state == "declined" })
        stage.hears("!ping")
        #expect(diary.entries == ["ping"])
    }

    @Test("the notice about encryption comes once an hour for each person")
    func encryptionNotice() throws {
        let stage = try Stage(opsBot)
        let encrypted = Element("encrypted", namespace: "eu.siacs.conversations.axolotl")
        stage.hears("hint", encrypted)
        stage.hears("hint", encrypted)
        stage.hears("hint", from: "bob@example.test/y", encrypted)
        #expect(stage.said().count == 2)
        stage.pass(.seconds(3_600))
        stage.hears("hint", encrypted)
        #expect(stage.said().count == 1)
        #expect(stage.ledger.incoming.map(\.kind) == Array(repeating: "encrypted", count: 4))
    }

    @Test("of a heap of late messages each person is told once")
    func lateNotice() throws {
        let stage = try Stage(opsBot)
        let delay = Self.element("delay", "urn:xmpp:delay").with("from", "bots.example.test")
            .with("stamp", "2023-11-14T22:00:00Z")
        for _ in 1...5 { stage.hears("!ping", delay) }
        stage.hears("!ping", from: "bob@example.test/y", delay)
        #expect(stage.said().count == 2)
        #expect(stage.ledger.incoming.map(\.kind) == Array(repeating: "stale", count: 6))
        stage.pass(.seconds(60))
        stage.hears("!ping", delay)
        #expect(stage.said().count == 1)
    }

    @Test("a correction of ordinary chat, or of what the person may not run, is not answered")
    func silentCorrections() throws {
        let stage = try Stage(opsBot)
        let replace = Element("replace", namespace: "urn:xmpp:message-correct:0").with("id", "m0")
        stage.hears("!deploy prod", replace)
        stage.hears("hello", replace)
        #expect(stage.said() == [])
    }

    @Test("a bounce fails the message that it is about, with its reason, and is never answered")
    func bounce() throws {
        let stage = try Stage(opsBot)
        stage.hears("!ping")
        let reply = try #require(stage.chat.messages.first)
        let error = Element("error", namespace: "jabber:client").with("type", "cancel").with(
            Element("service-unavailable", namespace: "urn:ietf:params:xml:ns:xmpp-stanzas"))
        let before = stage.ledger.rows.count
        stage.hears("pong", from: "mallory@evil.example/x", type: "error", id: reply.id, error)
        #expect(stage.ledger.outgoing.map(\.state) == ["queued"])
        stage.hears("pong", type: "error", id: reply.id, error)
        #expect(stage.ledger.outgoing.map(\.state) == ["failed"])
        #expect(stage.ledger.outgoing.map(\.reason) == ["service-unavailable"])
        #expect(stage.ledger.rows.count == before)
        #expect(stage.said() == ["pong"])
    }
}
