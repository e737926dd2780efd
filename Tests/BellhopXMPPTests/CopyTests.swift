import BellhopXML
import BellhopXMPP
import Testing

@Suite("Carbon copies")
struct CopyTests {
    private static let own = "opsbot@bots.example.test"

    /// A copy from our own account, of this stanza.
    private static func copy(_ kind: String, of inner: String, from: String = own) -> String {
        """
        <message from='\(from)' to='\(own)/main' type='chat' id='outer'><\(kind) xmlns='urn:xmpp:carbons:2'>\
        <forwarded xmlns='urn:xmpp:forward:0'>\(inner)</forwarded></\(kind)><body>outer</body></message>
        """
    }

    private static func message(_ attributes: String, _ inside: String = "<body>hello</body>") -> String {
        "<message xmlns='jabber:client' \(attributes) id='m1'>\(inside)</message>"
    }

    @Test("what another device got is read as its sender sent it, and may not run")
    func received() throws {
        let inside = """
            <body>hello</body><thread>t1</thread><origin-id xmlns='urn:xmpp:sid:0' id='o1'/>\
            <stanza-id xmlns='urn:xmpp:sid:0' id='a1' by='\(Self.own)'/>
            """
        let message = try IncomingMessageTests.read(
            Self.copy("received", of: Self.message("from='alice@example.test/phone' to='\(Self.own)/x'", inside)))
        #expect(message.obstacle == .carbon)
        #expect(message.sender == (try JID("alice@example.test/phone")))
        #expect(message.type == .normal)
        #expect(message.id == "m1")
        #expect(message.originID == "o1")
        #expect(message.archiveID == "a1")
        #expect(message.thread == "t1")
        #expect(message.body == "hello")
        #expect(message.stanza["to"] == "\(Self.own)/x")
    }

    @Test(
        "what another device sent is ours, whether or not the server names its sender",
        arguments: ["from='opsbot@bots.example.test/laptop' ", ""])
    func sent(from: String) throws {
        let message = try IncomingMessageTests.read(
            Self.copy("sent", of: Self.message(from + "to='bob@example.test' type='chat'")))
        #expect(message.obstacle == .carbon)
        #expect(message.sender?.bareText == Self.own)
        #expect(message.stanza["to"] == "bob@example.test")
        #expect(message.body == "hello")
    }

    /// Stanzas in a copy that mean nothing to the log.
    private static let useless = [
        "", "<presence xmlns='jabber:client' from='alice@example.test/phone'/>",
        "<message xmlns='urn:x' from='alice@example.test/phone'><body>hello</body></message>",
        message("from='alice@example.test/phone' type='error'"),
        message("from='room@rooms.example.test/alice' type='groupchat'"),
        // Of a copy, of a forged one, and of what only looks like a result.
        copy("received", of: message("from='alice@example.test/phone'"))
            .replacing("<message from", with: "<message xmlns='jabber:client' from"),
        copy("received", of: message("from='alice@example.test/phone'"), from: "mallory@evil.example/x")
            .replacing("<message from", with: "<message xmlns='jabber:client' from"),
        message(
            "from='\(own)'",
            """
            <body>hello</body><result xmlns='urn:xmpp:mam:2' queryid='q' id='1'><forwarded xmlns='urn:xmpp:forward:0'>\
            <message xmlns='jabber:client' from='admin@example.test'><body>!deploy</body></message></forwarded></result>
            """),
    ]

    @Test("a copy of anything but a plain message has no text, not the outer one either", arguments: useless)
    func nested(inner: String) throws {
        for kind in ["received", "sent"] {
            let message = try IncomingMessageTests.read(Self.copy(kind, of: inner))
            #expect(message.obstacle == .carbon)
            #expect(message.body == nil)
            #expect(message.text == nil)
            #expect(message.payloads.isEmpty)
        }
    }

    @Test("the words of a copy that is not our own account's are not taken for anybody's")
    func forged() throws {
        let inner = Self.message("from='admin@example.test/desk' to='\(Self.own)'", "<body>!deploy prod</body>")
        for from in ["mallory@evil.example/x", "\(Self.own)/main", "bots.example.test", "opsbot2@bots.example.test"] {
            let message = try IncomingMessageTests.read(Self.copy("received", of: inner, from: from))
            #expect(message.obstacle == .forgedCarbon)
            #expect(message.body == "outer")
            #expect(message.sender?.bareText != "admin@example.test")
        }
    }

    @Test("of several copies in one stanza the first counts, and one of nothing does not hide behind another")
    func several() throws {
        let first = Self.copy("sent", of: Self.message("from='\(Self.own)/a' to='bob@example.test'"))
        let second = """
            <received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>\
            \(Self.message("from='eve@example.test/x'"))</forwarded></received>
            """
        let both = try IncomingMessageTests.read(first.replacing("<body>outer", with: second + "<body>outer"))
        #expect(both.stanza["to"] == "bob@example.test")
        let empty = try IncomingMessageTests.read(
            "<message from='\(Self.own)'><sent xmlns='urn:xmpp:carbons:2'/>\(second)</message>")
        #expect(empty.body == nil)
        #expect(empty.sender?.bareText == Self.own)
    }
}
