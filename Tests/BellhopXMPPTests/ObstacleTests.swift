import BellhopXML
import BellhopXMPP
import Testing

@Suite("Why a message may not be run")
struct ObstacleTests {
    typealias Obstacle = IncomingMessage.Obstacle

    static let carbonInside = """
        <forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' from='admin@example.test/desk' \
        to='opsbot@bots.example.test/main' type='chat' id='cf1'><body>!deploy prod</body></message></forwarded>
        """
    static let archived = """
        <forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' from='bots.example.test' \
        stamp='2026-01-01T10:00:00Z'/><message xmlns='jabber:client' from='admin@example.test/desk' type='chat'>\
        <body>!deploy prod</body></message></forwarded>
        """
    static let omemo = """
        <encrypted xmlns='eu.siacs.conversations.axolotl'><header sid='1'/><payload>AAAA</payload></encrypted>
        """

    static func delay(_ from: String?, _ stamp: String) -> String {
        "<delay xmlns='urn:xmpp:delay' \(from.map { "from='\($0)'" } ?? "") stamp='\(stamp)'/>"
    }

    /// Attributes, inside, and the obstacle.
    static let cases: [(attributes: String, inside: String, obstacle: Obstacle?)] = [
        ("from='alice@example.test/a' type='chat'", "<body>!ping</body>", nil),
        ("from='alice@example.test'", "<body>!ping</body>", nil),
        // Bounces, even of our own words.
        (
            "from='alice@example.test/a' type='error'",
            "<body>!ping</body><error type='cancel'/>", .error
        ),
        ("type='error'", "<body>!ping</body>", .error),
        // Whose it is.
        ("", "<body>!ping</body>", .noSender),
        ("from='@@'", "<body>!ping</body>", .noSender),
        ("from=''", "<body>!ping</body>", .noSender),
        ("from='al ice@example.test/x'", "<body>!ping</body>", .noSender),
        ("from='opsbot@bots.example.test/laptop' type='chat'", "<body>!ping</body>", .own),
        ("from='OPSBOT@bots.example.test' type='chat'", "<body>!ping</body>", .own),
        ("from='example.test'", "<body>Restart at 5</body>", .domainSender),
        ("from='example.test/announce'", "<body>!ping</body>", .domainSender),
        ("from='bots.example.test'", "<body>!ping</body>", .domainSender),
        // Of which type.
        ("from='ops@rooms.example.test/a' type='groupchat'", "<body>!ping</body>", .groupchat),
        ("from='alice@example.test/a' type='headline'", "<body>!ping</body>", .headline),
        // Copies and archive results.
        (
            "from='opsbot@bots.example.test' type='chat'", "<sent xmlns='urn:xmpp:carbons:2'>\(carbonInside)</sent>",
            .carbon
        ),
        (
            "from='opsbot@bots.example.test' type='chat'",
            "<received xmlns='urn:xmpp:carbons:2'>\(carbonInside)</received><body>!ping</body>", .carbon
        ),
        (
            "from='mallory@evil.example/x' type='chat'",
            "<received xmlns='urn:xmpp:carbons:2'>\(carbonInside)</received><body>!ping</body>", .forgedCarbon
        ),
        ("from='opsbot2@bots.example.test'", "<sent xmlns='urn:xmpp:carbons:2'>\(carbonInside)</sent>", .forgedCarbon),
        ("from='opsbot@bots.example.test/x'", "<sent xmlns='urn:xmpp:carbons:2'>\(carbonInside)</sent>", .forgedCarbon),
        ("", "<sent xmlns='urn:xmpp:carbons:2'>\(carbonInside)</sent>", .forgedCarbon),
        ("from='bots.example.test'", "<sent xmlns='urn:xmpp:carbons:2'>\(carbonInside)</sent>", .forgedCarbon),
        ("from='a@b.test'", "<private xmlns='urn:xmpp:carbons:2'/><body>!ping</body>", nil),
        ("from='mallory@evil.example/x'", "<result xmlns='urn:xmpp:mam:2' queryid='q1'>\(archived)</result>", .archive),
        (
            "from='opsbot@bots.example.test'",
            "<result xmlns='urn:xmpp:mam:2' queryid='never'>\(archived)</result><body>!ping</body>", .archive
        ),
        ("", "<result xmlns='urn:xmpp:mam:2' queryid='q1'>\(archived)</result>", .archive),
        // What the body stands for.
        ("from='a@b.test'", "", .noBody),
        ("from='a@b.test'", "<subject>!deploy prod</subject>", .noBody),
        ("from='a@b.test'", "<composing xmlns='http://jabber.org/protocol/chatstates'/>", .noBody),
        ("from='a@b.test'", "<received xmlns='urn:xmpp:receipts' id='b1'/>", .noBody),
        ("from='a@b.test'", "<displayed xmlns='urn:xmpp:chat-markers:0' id='b1'/>", .noBody),
        ("from='a@b.test'", "<body/>", .emptyBody),
        ("from='a@b.test'", "<body>   \n\t</body>", .emptyBody),
        ("from='a@b.test'", "<body>\u{A0}\u{2003}\u{3000}</body>", .emptyBody),
        ("from='a@b.test'", "<body> . </body>", nil),
        ("from='a@b.test'", "<body>!ping</body>\(omemo)", .encrypted),
        ("from='a@b.test'", omemo, .encrypted),
        ("from='a@b.test'", "<body>!ping</body><encryption xmlns='urn:xmpp:eme:0' namespace='urn:x'/>", .encrypted),
        ("from='a@b.test'", "<body>!ping</body><encrypted xmlns='urn:xmpp:omemo:2'/>", .encrypted),
        ("from='a@b.test'", "<body>!ping</body><x xmlns='jabber:x:encrypted'>AAAA</x>", .encrypted),
        ("from='a@b.test'", "<body>!ping</body><openpgp xmlns='urn:xmpp:openpgp:0'>AAAA</openpgp>", .encrypted),
        ("from='a@b.test'", "<body>b</body><replace xmlns='urn:xmpp:message-correct:0' id='m1'/>", .correction),
        (
            "from='a@b.test'", "<reactions xmlns='urn:xmpp:reactions:0' id='b1'><reaction>👍</reaction></reactions>",
            .reaction
        ),
        (
            "from='a@b.test'",
            """
            <body>&gt; done\n👍</body><reactions xmlns='urn:xmpp:reactions:0' id='b1'><reaction>👍</reaction>\
            </reactions><fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reactions:0'><body/></fallback>
            """, .reaction
        ),
        (
            "from='a@b.test'", "<body>/me retracted</body><retract xmlns='urn:xmpp:message-retract:1' id='b1'/>",
            .retraction
        ),
        // Its age: two minutes are still young enough.
        ("from='a@b.test'", "<body>a</body>\(delay("bots.example.test", "2026-01-01T09:58:00Z"))", nil),
        ("from='a@b.test'", "<body>a</body>\(delay("bots.example.test", "2026-01-01T09:57:59.999Z"))", .stale),
        ("from='a@b.test'", "<body>a</body>\(delay("opsbot@bots.example.test", "2026-01-01T07:00:00Z"))", .stale),
        ("from='a@b.test'", "<body>a</body>\(delay("Bots.Example.test", "2026-01-01T09:00:00+02:00"))", .stale),
        ("from='a@b.test'", "<body>a</body>\(delay("bots.example.test", "2036-01-01T07:00:00Z"))", nil),
        // The age is not known, so nothing may run.
        ("from='a@b.test'", "<body>a</body>\(delay("bots.example.test", "yesterday"))", .stale),
        // Nobody whom we believe says that it is old.
        ("from='a@b.test'", "<body>a</body>\(delay(nil, "2001-01-01T07:00:00Z"))", nil),
        ("from='a@b.test'", "<body>a</body>\(delay("a@b.test", "2001-01-01T07:00:00Z"))", nil),
        ("from='a@b.test'", "<body>a</body>\(delay("b.test", "2001-01-01T07:00:00Z"))", nil),
        ("from='a@b.test'", "<body>a</body>\(delay("bots.example.test.evil.example", "2001-01-01T07:00:00Z"))", nil),
        ("from='a@b.test'", "<body>a</body>\(delay("bots.example.test/x", "2001-01-01T07:00:00Z"))", nil),
        // The earliest counts.
        (
            "from='a@b.test'",
            "<body>a</body>\(delay("bots.example.test", "2026-01-01T09:59:59Z"))"
                + delay("opsbot@bots.example.test", "2026-01-01T07:00:00Z"), .stale
        ),
        // Of several obstacles the weightier one is named.
        ("from='a@b.test'", delay("bots.example.test", "2001-01-01T07:00:00Z"), .noBody),
        ("from='a@b.test'", "<body>a</body>\(omemo)\(delay("bots.example.test", "2001-01-01T07:00:00Z"))", .encrypted),
    ]

    @Test("the obstacle is named", arguments: cases)
    func obstacle(attributes: String, inside: String, obstacle: Obstacle?) throws {
        let message = try IncomingMessageTests.read("<message \(attributes)>\(inside)</message>")
        #expect(message.obstacle == obstacle)
    }

    @Test("a copy that is not our own account's lends nothing to the message around it", arguments: cases)
    func copiesStayClosed(attributes: String, inside: String, obstacle: Obstacle?) throws {
        let message = try IncomingMessageTests.read("<message \(attributes)>\(inside)</message>")
        guard obstacle != .carbon else {
            #expect(message.body == "!deploy prod")
            return
        }
        #expect(message.body?.contains("deploy") != true)
        #expect(message.sender?.local != "admin")
    }

    @Test("what cannot be decrypted is not kept")
    func ciphertext() throws {
        let message = try IncomingMessageTests.read("<message from='a@b.test'><body>hint</body>\(Self.omemo)</message>")
        #expect(message.payloads.isEmpty)
    }

    @Test("a correction names what it corrects, and a delay is kept")
    func details() throws {
        let message = try IncomingMessageTests.read(
            """
            <message from='a@b.test' id='m2'><body>b</body><replace xmlns='urn:xmpp:message-correct:0' id='m1'/>\
            \(Self.delay("bots.example.test", "2026-01-01T09:59:59Z"))</message>
            """)
        #expect(message.correctedID == "m1")
        #expect(message.delay == Timestamp("2026-01-01T09:59:59Z"))
        #expect(message.payloads.map(\.name) == ["replace"])
    }

    @Test("a bounce says why")
    func bounce() throws {
        let message = try IncomingMessageTests.read(
            """
            <message from='alice@example.test/phone' type='error' id='x1'><body>pong</body><error type='cancel'>\
            <service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>
            """)
        #expect(message.error == StanzaError(.serviceUnavailable))
        #expect(message.id == "x1")
        #expect(message.payloads.isEmpty)
        #expect(try IncomingMessageTests.read("<message type='error'/>").error == StanzaError(.undefinedCondition))
    }

    @Test("no stanza traps, whatever is left out of it or doubled", arguments: 0..<6)
    func mutations(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let whole = try Self.cases.map { try stanza("<message \($0.attributes)>\($0.inside)</message>") }
        for _ in 0..<800 {
            var message = whole.randomElement(using: &generator) ?? whole[0]
            for _ in 0..<3 {
                let other = whole.randomElement(using: &generator) ?? whole[0]
                message.nodes += other.nodes.shuffled(using: &generator)
                message.attributes += other.attributes
                if Bool.random(using: &generator) { message.attributes.shuffle(using: &generator) }
                if !message.nodes.isEmpty, Bool.random(using: &generator) {
                    message.nodes.remove(at: Int.random(in: 0..<message.nodes.count, using: &generator))
                }
            }
            let reading = MessageReading(
                account: try JID("opsbot@bots.example.test"), language: "en",
                now: Timestamp(milliseconds: .random(in: .min ... .max, using: &generator)))
            let read = IncomingMessage(stanza: message, reading: reading)
            #expect(read.obstacle != nil || (read.sender?.hasLocal == true && read.text != nil))
        }
    }
}
