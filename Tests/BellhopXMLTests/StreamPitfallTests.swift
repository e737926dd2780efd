import BellhopXML
import Testing

/// What went wrong in other XMPP libraries, each as a test.
@Suite("Stream parser, known pitfalls")
struct StreamPitfallTests {
    @Test(
        "an undeclared prefix ends the stream and no part of the stanza is seen",
        arguments: [
            "<x:foo/>", "<message><x:body>hi</x:body></message>", "<message x:type='chat'/>",
            "<message><p:a xmlns:p='urn:p'/><p:b/></message>",
        ])
    func undeclaredPrefix(xml: String) {
        let events = Reading.inStream(xml + "<message/>")
        #expect(events.elements.isEmpty)
        #expect(events.faultName == "not-well-formed")
    }

    @Test("a relative namespace is only a warning")
    func relativeNamespace() {
        #expect(
            Reading.inStream("<message><encrypted xmlns='eu.siacs.conversations.axolotl'/></message>").elements.count
                == 1)
    }

    @Test(
        "comments, instructions, DTDs and undefined entities end the stream as restricted",
        arguments: [
            "<!-- c -->", "<?pi?>", "<?pi data?>", "<a><!-- c --></a>", "<a><?pi?></a>", "<a>&undefined;</a>",
            "<a b='&undefined;'/>", "<!DOCTYPE x [<!ENTITY a 'b'>]>", "<a><!DOCTYPE x></a>", "<!ELEMENT x ANY>",
        ])
    func restricted(xml: String) {
        let events = Reading.inStream(xml + "<message><body>later</body></message>")
        #expect(events.elements.isEmpty)
        #expect(events.faultName == "restricted-xml", "\(events)")
    }

    @Test(
        "before the root a comment, an instruction or a DTD ends the stream as well",
        arguments: [
            "<!-- c --><s/>", "<?pi?><s/>", "<!DOCTYPE s><s/>", "<!DOCTYPE s [<!ENTITY a 'b'>]><s>&a;</s>",
            "<?xml version='1.0'?><!DOCTYPE s SYSTEM 'file:///etc/passwd'><s/>",
        ])
    func restrictedProlog(xml: String) {
        let events = Reading.events(xml)
        #expect(events.count == 1)
        #expect(events.faultName == "restricted-xml", "\(events)")
    }

    @Test("nested entities are never expanded, in text or in an attribute", arguments: ["<s>&d;</s>", "<s a='&d;'/>"])
    func entityBomb(use: String) {
        let bomb =
            "<!DOCTYPE s [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"
            + "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'><!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;'>]>"
        #expect(Reading.events(bomb + use).faultName == "restricted-xml")
        #expect(Reading.inStream(bomb + use).faultName == "restricted-xml")
    }

    @Test("white space between stanzas is no event, in any portion")
    func keepalive() {
        let spaces = Array(repeating: [UInt8(0x20)], count: 700) + [[0x0A, 0x20], [0x0D, 0x0A, 0x09]]
        let stanza = [Array("<message/>".utf8)]
        let events = Reading.events([Array(Reading.header.utf8)] + spaces + stanza + spaces + stanza + spaces)
        #expect(events.count == 3)
        #expect(events.elements.count == 2)
    }

    @Test("pretty-printed features are the same children with white space between")
    func prettyPrinted() throws {
        let pretty = try #require(
            Reading.inStream(
                "<stream:features>\n  <mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\n    "
                    + "<mechanism>SCRAM-SHA-1</mechanism>\n  </mechanisms>\n</stream:features>"
            ).elements.first)
        let mechanisms = try #require(pretty.child("mechanisms", "urn:ietf:params:xml:ns:xmpp-sasl"))
        #expect(mechanisms.children.map(\.text) == ["SCRAM-SHA-1"])
        #expect(pretty.children.count == 1)
    }

    @Test(
        "names are a namespace and a local name, whatever the prefixes are",
        arguments: [
            "<stream:stream xmlns:stream='http://etherx.jabber.org/streams' xmlns='jabber:client'><stream:features>"
                + "<query xmlns='jabber:iq:version'/></stream:features>",
            "<s:stream xmlns:s='http://etherx.jabber.org/streams' xmlns='jabber:client'><s:features>"
                + "<v:query xmlns:v='jabber:iq:version'/></s:features>",
            "<stream xmlns='http://etherx.jabber.org/streams' xmlns:c='jabber:client'><features>"
                + "<query xmlns='jabber:iq:version'/></features>",
        ])
    func prefixes(xml: String) throws {
        let events = Reading.events(xml)
        guard case .opened(let root) = events.first else {
            Issue.record("no root: \(events)")
            return
        }
        #expect(root.is("stream", "http://etherx.jabber.org/streams"))
        let features = try #require(events.elements.first)
        #expect(
            features
                == Element(
                    "features", namespace: "http://etherx.jabber.org/streams",
                    nodes: [.element(Element("query", namespace: "jabber:iq:version"))]))
    }

    @Test("a message inside a message is content, and the stanza ends at its own end tag")
    func nestedMessage() throws {
        let events = Reading.inStream(
            "<message id='1'><message xmlns='x:y'><body>in</body></message><body>out</body></message><message id='2'/>")
        #expect(events.elements.map { $0["id"] } == ["1", "2"])
        #expect(events.elements.first?.child("body", "jabber:client")?.text == "out")
        #expect(events.elements.first?.child("message", "x:y")?.child("body", "x:y")?.text == "in")
    }

    @Test("errors inside a stanza as XMPP means them leave the next one whole")
    func siblingAfterOddChild() {
        var random = SeededGenerator(seed: 11)
        let odd = [
            "<error/>", "<body xmlns=''/>", "<x xmlns='urn:x'><x/><x><x/></x></x>", "<a xmlns:p='u'><p:a p:b='c'/></a>",
            "text",
            "<y>&lt;/y&gt;</y>", "<![CDATA[</message>]]>",
        ]
        for _ in 0..<300 {
            let content = (0..<Int.random(in: 0...6, using: &random)).map { _ in odd.randomElement(using: &random) ?? ""
            }
            let events = Reading.inStream("<iq>\(content.joined())</iq><message id='n'><body>next</body></message>")
            #expect(events.elements.count == 2)
            #expect(
                events.elements.last
                    == Element(
                        "message", namespace: "jabber:client", attributes: [Element.Attribute("id", "n")],
                        nodes: [.element(Element("body", namespace: "jabber:client", nodes: [.text("next")]))]))
        }
    }

    @Test("an address that nobody can read is only text here")
    func strangeAddress() {
        let events = Reading.inStream("<presence from='room@muc.example.test/🦄\u{E0001}'/><message/>")
        #expect(events.elements.count == 2)
        #expect(events.elements.first?["from"] == "room@muc.example.test/🦄\u{E0001}")
    }

    @Test(
        "bytes that are not UTF-8 end the stream, wherever they are",
        arguments: [
            [0xFF], [0xC0, 0xBC], [0xC1, 0x81], [0xE0, 0x80, 0xBC], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0x80], [0xC3],
            [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xEF, 0xBF, 0xBE], [0xEF, 0xBF, 0xBF], [0x01], [0x00], [0x1B], [0x0B],
        ] as [[UInt8]])
    func wrongBytes(bytes: [UInt8]) {
        let places = [
            ("<body>", "</body>"), ("<a b='", "'/>"), ("<a><![CDATA[", "]]></a>"), ("<a", "/>"), ("<a ", "='1'/>"),
        ]
        for (before, after) in places {
            let xml = Array(before.utf8) + bytes + Array(after.utf8)
            let padded = Array("<body>\(String(repeating: "x", count: 400))".utf8) + bytes + Array("</body>".utf8)
            for input in [xml, padded] {
                let events = Reading.inStream(input + Array("<message/>".utf8))
                #expect(events.elements.isEmpty, "\(before) \(bytes): \(events)")
                #expect(
                    events.faultName == "not-well-formed" || events.faultName == "unsupported-encoding",
                    "\(before) \(bytes): \(events)")
            }
        }
    }

    @Test(
        "a declared encoding other than UTF-8 ends the stream",
        arguments: ["ISO-8859-1", "UTF-16", "windows-1252", "x-none"])
    func otherEncoding(name: String) {
        let events = Reading.events("<?xml version='1.0' encoding='\(name)'?><s xmlns='urn:s'><a/>")
        #expect(events == [.failed(.unsupportedEncoding)])
    }

    @Test("UTF-8 may be declared in any case", arguments: ["UTF-8", "utf-8", "Utf-8"])
    func declaredUTF8(name: String) {
        #expect(
            Reading.events("<?xml version='1.0' encoding='\(name)'?><s xmlns='urn:s'><a>é</a>").elements.map(\.text)
                == ["é"])
    }

    @Test("UTF-16 is not guessed from its first bytes")
    func utf16() {
        let text = "<?xml version='1.0'?><s><a/></s>"
        let little: [UInt8] =
            [0xFF, 0xFE] + text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let big = text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        for bytes in [little, big] {
            let events = Reading.events([bytes])
            #expect(events.count == 1)
            #expect(events.faultName == "not-well-formed" || events.faultName == "unsupported-encoding", "\(events)")
        }
    }
}
