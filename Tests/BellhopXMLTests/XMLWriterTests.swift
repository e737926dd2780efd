import BellhopXML
import Testing

@Suite("XML writer")
struct XMLWriterTests {
    private static let streams = "http://etherx.jabber.org/streams"

    private func text(_ writer: XMLWriter) -> String { String(decoding: writer.bytes, as: UTF8.self) }

    @Test("an element can be written without a tree")
    func streaming() {
        var writer = XMLWriter(in: "jabber:client")
        writer.open("message", "jabber:client")
        writer.attribute("to", "a@example.test")
        writer.attribute("id", nil)
        writer.element("body", "jabber:client", text: "1 < 2 & 3 > 2")
        writer.open("active", "http://jabber.org/protocol/chatstates")
        writer.close()
        writer.open("x", "urn:x")
        writer.open("y", "urn:x")
        writer.attribute("lang", "de", namespace: "http://www.w3.org/XML/1998/namespace")
        writer.close()
        writer.element("body", "jabber:client", text: "")
        writer.close()
        writer.close()
        #expect(
            text(writer)
                == "<message to='a@example.test'><body>1 &lt; 2 &amp; 3 &gt; 2</body>"
                + "<active xmlns='http://jabber.org/protocol/chatstates'/><x xmlns='urn:x'><y xml:lang='de'/>"
                + "<body xmlns='jabber:client'></body></x></message>")
    }

    @Test("a namespace is declared where it changes, and taken back where there is none")
    func declarations() {
        let element = Element(
            "iq", namespace: "jabber:client",
            nodes: [.element(Element("query", namespace: "urn:q", nodes: [.element(Element("item", namespace: ""))]))])
        #expect(element.serialized(in: "jabber:client") == "<iq><query xmlns='urn:q'><item xmlns=''/></query></iq>")
        #expect(element.serialized() == "<iq xmlns='jabber:client'><query xmlns='urn:q'><item xmlns=''/></query></iq>")
    }

    @Test("inside a stream, elements of the stream's namespace wear its prefix")
    func streamPrefix() {
        var writer = XMLWriter(stream: "jabber:client")
        writer.write(
            Element(
                "error", namespace: Self.streams,
                nodes: [.element(Element("conflict", namespace: "urn:ietf:params:xml:ns:xmpp-streams"))]))
        writer.open("error", Self.streams)
        writer.element("text", "urn:ietf:params:xml:ns:xmpp-streams", text: "x")
        writer.open("message", "jabber:client")
        writer.close()
        writer.close()
        #expect(
            text(writer)
                == "<stream:error><conflict xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>"
                + "<stream:error><text xmlns='urn:ietf:params:xml:ns:xmpp-streams'>x</text><message/></stream:error>")
        #expect(Reading.inStream(writer.bytes).elements.count == 2)
    }

    @Test(
        "text and attribute values read back as they were",
        arguments: [
            "", "plain", "]]>", "<![CDATA[x]]>", "</body></message><presence type='unavailable'/>", "a'b\"c",
            "&amp; &lt; &#13;",
            "\t tab\n newline\r return\r\n", "  ", "\u{7F}\u{80}\u{85}\u{2028}", "密👍é\u{1F469}\u{200D}\u{1F4BB}",
            "\u{FFFD}\u{FEFF}",
            "ｆｕｌｌ　ｗｉｄｔｈ", String(repeating: "x", count: 15) + "&", String(repeating: "y", count: 16) + "<",
        ])
    func faithful(string: String) throws {
        let element = Element(
            "a", namespace: "jabber:client", attributes: [Element.Attribute("b", string)],
            nodes: string.isEmpty ? [] : [.text(string)])
        #expect(try Element.parse(element.serialized()) == element)
        #expect(Reading.inStream(element.serialized(in: "jabber:client")).elements == [element])
    }

    @Test("what XML forbids becomes the replacement character, and nothing else changes")
    func forbidden() throws {
        let string = "ok\u{0}\u{1}\u{1A}\u{1B}[31mred\u{FFFE}\u{FFFF}\u{1FFFE}\u{B}\u{C}\u{1F}."
        let expected = "ok\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}[31mred\u{FFFD}\u{FFFD}\u{1FFFE}\u{FFFD}\u{FFFD}\u{FFFD}."
        let element = Element("a", namespace: "", attributes: [Element.Attribute("b", string)], nodes: [.text(string)])
        let read = try Element.parse(element.serialized())
        #expect(read["b"] == expected)
        #expect(read.text == expected)
    }

    @Test("every character is written so that it reads back as itself or as its replacement")
    func everyCharacter() throws {
        var scalars = String.UnicodeScalarView()
        for value in UInt32(0)...0x10FFFF where value < 0x3000 || value % 97 == 0 || value & 0xFFF0 == 0xFFF0 {
            if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
        }
        let read = try Element.parse(Element("a", namespace: "", nodes: [.text(String(scalars))]).serialized())
        let expected = scalars.map { scalar -> Unicode.Scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...: scalar
            default: "\u{FFFD}"
            }
        }
        #expect(Array(read.text.unicodeScalars) == expected)
    }

    @Test(
        "a name that is none still makes one element",
        arguments: [
            "", " ", "a b", "1", "-a", "a>", "<b/><c", "a='x' b", "p:q", "xmlns", "xmlns:a", "\u{0}", "é", "\u{D7}",
            "a\u{FFFF}", "a/",
        ])
    func strangeNames(name: String) throws {
        let element = Element(
            name, namespace: "urn:x",
            attributes: [
                Element.Attribute(name, "1"), Element.Attribute("b", "2"),
                Element.Attribute(name, "3", namespace: "urn:y"),
                Element.Attribute(name, "4"),
            ],
            nodes: [.text("t")])
        let read = try Element.parse(element.serialized())
        #expect(read.namespace == "urn:x")
        #expect(read.text == "t")
        #expect(read["b"] == "2")
        #expect(!read.attributes.contains { $0.value == "4" })
        var writer = XMLWriter()
        writer.open(name, "urn:x")
        for attribute in element.attributes {
            writer.attribute(attribute.name, attribute.value, namespace: attribute.namespace)
        }
        writer.text("t")
        writer.close()
        #expect(try Element.parse(text(writer)) == read)
    }

    @Test("letters of all scripts stay in a name")
    func unusualNames() throws {
        for name in ["é", "名前", "_x", "a.b-c_d1", "ключ"] {
            let element = Element(name, namespace: "", attributes: [Element.Attribute(name, "1")])
            #expect(try Element.parse(element.serialized()) == element)
        }
    }

    @Test("an attribute that is already there is left out, and the first one stays")
    func duplicates() throws {
        let attributes = [("a", "1", ""), ("b", "2", ""), ("a", "3", ""), ("a", "4", "urn:x"), ("a", "5", "urn:x")]
        let element = Element(
            "e", namespace: "", attributes: attributes.map { Element.Attribute($0.0, $0.1, namespace: $0.2) })
        #expect(try Element.parse(element.serialized()).attributes.map(\.value) == ["1", "2", "4"])
    }

    @Test("a declaration of a namespace cannot be smuggled in as an attribute")
    func smuggledDeclaration() throws {
        let element = Element(
            "e", namespace: "urn:e",
            attributes: [
                Element.Attribute("xmlns", "urn:evil"),
                Element.Attribute("p", "urn:evil", namespace: "http://www.w3.org/2000/xmlns/"),
            ])
        let read = try Element.parse(element.serialized())
        #expect(read.namespace == "urn:e")
        #expect(!read.attributes.contains { $0.name == "xmlns" })
    }

    @Test("the namespaces that cannot be declared break nothing")
    func reservedNamespaces() throws {
        let xml = "http://www.w3.org/XML/1998/namespace"
        for namespace in [xml, "http://www.w3.org/2000/xmlns/"] {
            let element = Element(
                "e", namespace: namespace, attributes: [Element.Attribute("a", "1", namespace: namespace)],
                nodes: [.element(Element("f", namespace: "urn:f")), .element(Element("g", namespace: ""))])
            let read = try Element.parse(element.serialized(in: "jabber:client"))
            #expect(read.children.map(\.name) == ["f", "g"])
            if namespace == xml { #expect(read.namespace == namespace) }
        }
    }

    @Test("bytes can be taken while elements are open")
    func takeBytes() {
        var writer = XMLWriter()
        writer.open("a", "")
        #expect(writer.takeBytes() == Array("<a>".utf8))
        writer.text("b")
        writer.removeAll()
        writer.close()
        #expect(text(writer) == "</a>")
    }

    @Test(
        "a text that is not exactly one element is refused",
        arguments: [
            "", " ", "text", "<a/><b/>", "<a/>text", "text<a/>", "<a>", "</a>", "<a/></document>",
            "</document><document>",
            "<a/></document><document>", "<?xml version='1.0'?><a/>", "<!-- --><a/>", "<x:a/>",
        ])
    func refused(xml: String) {
        #expect(throws: StreamFault.self) { try Element.parse(xml) }
    }

    @Test("white space around an element is nothing")
    func surrounded() throws {
        #expect(try Element.parse("\n <a> b </a>\n") == Element("a", namespace: "", nodes: [.text(" b ")]))
    }
}
