import BellhopXML
import Testing

@Suite("Stream parser")
struct StreamParserTests {
    @Test("a stream opens, carries elements and closes")
    func stream() throws {
        let events = Reading.events(
            Reading.header
                + "<message to='a@example.test' type='chat'><body>hé &amp; 😀</body></message></stream:stream>")
        #expect(events.count == 3)
        guard case .opened(let root) = events.first else {
            Issue.record("no root: \(events)")
            return
        }
        #expect(root.is("stream", "http://etherx.jabber.org/streams"))
        #expect(root["from"] == "example.test")
        #expect(root["id"] == "s1")
        #expect(root.nodes.isEmpty)
        let message = try #require(events.elements.first)
        #expect(message.is("message", "jabber:client"))
        #expect(message["to"] == "a@example.test")
        #expect(message.nodes.count == 1)
        #expect(message.child("body", "jabber:client")?.nodes == [.text("hé & 😀")])
        #expect(events.last == .closed)
    }

    @Test("a declaration of a namespace is no attribute, and a prefixed attribute carries its namespace")
    func attributes() throws {
        let element = try Element.parse(
            "<x xmlns='urn:x' xmlns:p='urn:p' a='1' p:a='2' xml:lang='de'><p:y/></x>")
        #expect(
            element.attributes == [
                Element.Attribute("a", "1"), Element.Attribute("a", "2", namespace: "urn:p"),
                Element.Attribute("lang", "de", namespace: "http://www.w3.org/XML/1998/namespace"),
            ])
        #expect(element.children.first?.is("y", "urn:p") == true)
    }

    @Test(
        "text is one node, whatever it is made of",
        arguments: [
            ("it&apos;s &lt;b&gt; &amp; <![CDATA[<raw & text>]]> &#x1F600;", "it's <b> & <raw & text> 😀"),
            ("a\r\nb\rc\n", "a\nb\nc\n"),
            ("a&#13;\nb", "a\r\nb"),
            ("<![CDATA[a\r\nb\rc]]>", "a\nb\nc"),
            ("<![CDATA[]]>x<![CDATA[]]>", "x"),
            ("&#9;&#10;&#32; ", "\t\n  "),
            ("]] ]", "]] ]"),
        ])
    func text(written: String, means: String) throws {
        let element = try Element.parse("<b>\(written)</b>")
        #expect(element.nodes == [.text(means)])
        for cut in Reading.inStream("<b>\(written)</b>").elements { #expect(cut.text == means) }
    }

    @Test(
        "an empty element has no nodes, however it is written", arguments: ["<a/>", "<a></a>", "<a><![CDATA[]]></a>"])
    func empty(xml: String) throws {
        #expect(try Element.parse(xml).nodes.isEmpty)
    }

    @Test("line ends and tabs in an attribute are spaces, character references are themselves")
    func attributeNormalisation() throws {
        let element = try Element.parse("<a b='1\n2\t3' c='1&#10;2&#9;3&#13;4' d='&amp;&#38;&lt;&quot;&apos;'/>")
        #expect(element["b"] == "1 2 3")
        #expect(element["c"] == "1\n2\t3\r4")
        #expect(element["d"] == "&&<\"'")
    }

    @Test("nothing comes after the root's end tag")
    func afterTheEnd() {
        let events = Reading.inStream("<a/></stream:stream> <b/><c")
        #expect(events.elements.map(\.name) == ["a"])
        #expect(events.last == .closed)
    }

    @Test("nothing comes after a failure, not even from good bytes in the same or a later read")
    func afterAFailure() {
        let parser = StreamParser()
        var events: [StreamEvent] = []
        parser.feed(Array((Reading.header + "<a/><b></c><d/>").utf8).span, into: &events)
        #expect(events.elements.map(\.name) == ["a"])
        #expect(events.faultName == "not-well-formed")
        let count = events.count
        parser.feed(Array("<e/></stream:stream>".utf8).span, into: &events)
        #expect(events.count == count)
    }

    @Test("events are appended behind those that the caller still has")
    func appends() {
        let parser = StreamParser()
        var events: [StreamEvent] = [.closed]
        parser.feed(Array(Reading.header.utf8).span, into: &events)
        parser.feed([UInt8]().span, into: &events)
        #expect(events.count == 2)
        #expect(events.first == .closed)
    }

    @Test("text between first-level elements ends the stream")
    func strayText() {
        #expect(Reading.inStream("<a/>hello<b/>").faultName == "not-well-formed")
        #expect(Reading.inStream("<a/>&#65;<b/>").faultName == "not-well-formed")
    }

    @Test("a namespace that is no URI breaks nothing", arguments: ["foo bar", "eu.siacs.conversations.axolotl", "%zz"])
    func looseNamespace(namespace: String) {
        let events = Reading.inStream("<a><b xmlns='\(namespace)'/><p:c xmlns:p='\(namespace)'/></a><d/>")
        #expect(events.elements.count == 2)
        #expect(events.elements.first?.children.map(\.namespace) == [namespace, namespace])
    }

    @Test(
        "what is not well-formed ends the stream",
        arguments: [
            "<a><b></a></b>", "<a b='1' b='2'/>", "<a b=1/>", "<a b/>", "<a <b/>", "</wrong>", "<a>&lt</a>", "<1/>",
            "< a/>",
            "<a b='<'/>", "<a>]]></a>", "<a xmlns:p=''/>", "<a xmlns='http://www.w3.org/2000/xmlns/'/>",
            "<p:a:b xmlns:p='u'/>",
            "<a xmlns:p='u' xmlns:q='u' p:x='1' q:x='2'/>", "<a>&#0;</a>", "<a>&#xFFFE;</a>", "<a>&#xD800;</a>",
            "<:a/>",
            "<a xmlns:xml='urn:x'/>", "<a>&;</a>", "&", "<?xml version='1.0'?>",
        ])
    func malformed(xml: String) {
        let events = Reading.inStream(xml + "<next/> ;<next/>")
        #expect(events.elements.isEmpty)
        #expect(events.faultName == "not-well-formed", "\(events)")
    }
}
