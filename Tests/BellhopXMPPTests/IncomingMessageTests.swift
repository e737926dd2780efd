import BellhopXML
import BellhopXMPP
import Testing

@Suite("IncomingMessage")
struct IncomingMessageTests {
    /// A message's inside, as `alice@example.test/phone` would send it to the bot.
    static func chat(_ inside: String, attributes: String = "") -> String {
        """
        <message from='alice@example.test/phone' to='opsbot@bots.example.test/main' type='chat' id='m1'\
        \(attributes)>\(inside)</message>
        """
    }

    static func read(_ xml: String, language: String? = "en") throws -> IncomingMessage {
        let now = try #require(Timestamp("2026-01-01T10:00:00Z"))
        return IncomingMessage(
            stanza: try stanza(xml),
            reading: MessageReading(account: try JID("opsbot@bots.example.test"), language: language, now: now))
    }

    @Test("a plain message may run, and says who wrote what")
    func plain() throws {
        let message = try Self.read(Self.chat("<body>!ping</body><thread>t1</thread>"))
        #expect(message.sender == (try JID("alice@example.test/phone")))
        #expect(message.type == .chat)
        #expect(message.id == "m1")
        #expect(message.thread == "t1")
        #expect(message.body == "!ping")
        #expect(message.text == "!ping")
        #expect(message.commandText == "!ping")
        #expect(message.obstacle == nil)
        #expect(message.payloads.isEmpty)
        #expect(message.delay == nil)
        #expect(message.error == nil)
    }

    @Test("a message without a type, or with one that nobody knows, is a normal one", arguments: ["", "type='shout'"])
    func noType(attribute: String) throws {
        let message = try Self.read(
            "<message from='alice@example.test/psi' id='n1' \(attribute)><body>a</body></message>")
        #expect(message.type == .normal)
        #expect(message.obstacle == nil)
    }

    static let bodies: [String] = [
        "a\nb", "  leading and trailing  ", "no\u{A0}break", "😀 👩‍👩‍👧", "tab\there", "e\u{301}", "/me waves",
        "<b>&amp;</b>", "\u{FEFF}!ping", "𝕏\n\n\n",
    ]

    @Test("a body stays as it was typed", arguments: bodies)
    func verbatim(body: String) throws {
        let message = IncomingMessage(
            stanza: Element("message", namespace: "jabber:client")
                .with("from", "alice@example.test/phone")
                .with(Element("body", namespace: "jabber:client").with(text: body)),
            reading: MessageReading(account: try JID("opsbot@bots.example.test"), now: Timestamp(milliseconds: 0)))
        #expect(message.body.map { Array($0.utf8) } == Array(body.utf8))
        #expect(message.text == body)
        #expect(message.commandText == body)
        #expect(message.obstacle == nil)
    }

    @Test("character references keep a carriage return")
    func carriageReturn() throws {
        #expect(try Self.read(Self.chat("<body>a&#13;&#10;b</body>")).body == "a\r\nb")
    }

    @Test("entities and CDATA are one text")
    func entities() throws {
        let body = "<body>!echo it&apos;s &lt;b&gt; &amp; <![CDATA[<raw & text>]]> &#x1F600;</body>"
        #expect(try Self.read(Self.chat(body)).body == "!echo it's <b> & <raw & text> 😀")
    }

    @Test("ids are told apart, and an archive id counts only from our own account")
    func ids() throws {
        let message = try Self.read(
            Self.chat(
                """
                <body>a</body><origin-id xmlns='urn:xmpp:sid:0' id='o1'/>
                <stanza-id xmlns='urn:xmpp:sid:0' id='forged' by='mallory@evil.example'/>
                <stanza-id xmlns='urn:xmpp:sid:0' id='also forged'/>
                <stanza-id xmlns='urn:xmpp:sid:0' id='full' by='opsbot@bots.example.test/main'/>
                <stanza-id xmlns='urn:xmpp:sid:0' id='s1' by='OpsBot@bots.example.test'/>
                """))
        #expect(message.originID == "o1")
        #expect(message.archiveID == "s1")
        #expect(message.payloads.isEmpty)
    }

    @Test("an empty id is none, so that nobody takes two of them for the same message")
    func emptyIDs() throws {
        let message = try Self.read(
            """
            <message from='a@b.test' id=''><body>a</body><origin-id xmlns='urn:xmpp:sid:0' id=''/>\
            <stanza-id xmlns='urn:xmpp:sid:0' id='' by='opsbot@bots.example.test'/></message>
            """)
        #expect(message.id == nil && message.originID == nil && message.archiveID == nil)
    }

    static let languages: [(inside: String, language: String?, body: String)] = [
        ("<body xml:lang='fr'>!aide</body><body>!ping</body>", "en", "!ping"),
        ("<body xml:lang='de'>!ping</body>", "en", "!ping"),
        ("<body xml:lang='fr'>un</body><body xml:lang='de'>eins</body>", "en", "un"),
        ("<body>zero</body><body xml:lang='EN-gb'>one</body>", "en", "one"),
        ("<body>zero</body><body xml:lang='english'>one</body>", "en", "zero"),
        ("<body xml:lang='en'>one</body><body xml:lang='en'>two</body>", "en", "one"),
        ("<body>one</body><body>two</body>", nil, "one"),
        ("<body xml:lang='en'>one</body><body>two</body>", nil, "two"),
    ]

    @Test("of several bodies the one in our language is read, else the untagged, else the first", arguments: languages)
    func languageChoice(inside: String, language: String?, body: String) throws {
        let message = try Self.read(Self.chat(inside), language: language)
        #expect(message.body == body)
        #expect(message.payloads.isEmpty)
    }

    @Test("only a body in the stream's own namespace is one")
    func bodyNamespace() throws {
        let prefixed = try Self.read(Self.chat("<b:body xmlns:b='jabber:client'>!ping</b:body>"))
        #expect(prefixed.body == "!ping")
        let other = try Self.read(Self.chat("<body xmlns='urn:other'>!ping</body>"))
        #expect(other.body == nil)
        #expect(other.obstacle == .noBody)
        #expect(other.payloads.count == 1)
    }

    @Test("formatted text is never read as the body")
    func formatted() throws {
        let html = """
            <html xmlns='http://jabber.org/protocol/xhtml-im'>\
            <body xmlns='http://www.w3.org/1999/xhtml'><p>!deploy prod</p></body></html>
            """
        #expect(try Self.read(Self.chat("<body>!ping</body>" + html)).text == "!ping")
        #expect(try Self.read(Self.chat(html)).obstacle == .noBody)
    }

    @Test("a message inside a payload is a payload")
    func nested() throws {
        let message = try Self.read(
            Self.chat("<wrap xmlns='urn:x'><message xmlns='jabber:client'><body>!deploy</body></message></wrap>"))
        #expect(message.obstacle == .noBody)
        #expect(message.payloads.map(\.name) == ["wrap"])
    }

    @Test("payloads are what means something, in their order; what serves delivery is left out")
    func payloads() throws {
        let message = try Self.read(
            Self.chat(
                """
                <body>a</body><subject>s</subject><voice xmlns='urn:example:voice' voiceTime='3'/><thread>t</thread>\
                <active xmlns='http://jabber.org/protocol/chatstates'/><request xmlns='urn:xmpp:receipts'/>\
                <markable xmlns='urn:xmpp:chat-markers:0'/><origin-id xmlns='urn:xmpp:sid:0' id='o'/>\
                <stanza-id xmlns='urn:xmpp:sid:0' id='s' by='opsbot@bots.example.test'/>\
                <delay xmlns='urn:xmpp:delay' from='bots.example.test' stamp='2026-01-01T09:59:30Z'/>\
                <store xmlns='urn:xmpp:hints'/><private xmlns='urn:xmpp:carbons:2'/>\
                <x xmlns='jabber:x:oob'><url>https://example.test/a</url></x><own/>
                """))
        #expect(message.payloads.map(\.name) == ["voice", "x", "own"])
        #expect(message.payloads.first?["voiceTime"] == "3")
        #expect(message.obstacle == nil)
    }
}
