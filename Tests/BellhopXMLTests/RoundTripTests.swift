import BellhopXML
import Testing

@Suite("Written and read again")
struct RoundTripTests {
    @Test("random trees come back as they were", arguments: 0..<20)
    func randomTrees(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let element = Self.element(depth: 0, using: &random)
            let normal = Self.normalised(element)
            #expect(try Element.parse(element.serialized()) == normal)
            #expect(Reading.inStream(element.serialized(in: "jabber:client")).elements == [normal])
        }
    }

    @Test(
        "what the parser read is written so that it reads back the same",
        arguments: [
            "<message><forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client'><body>x</body></message></forwarded></message>",
            "<p:a xmlns:p='u1'><p:a xmlns:p='u2'><p:a xmlns:p='u1' p:b='1' xmlns:q='u2' q:b='2'/></p:a></p:a>",
            "<a xmlns='u1'><b xmlns=''><c xmlns='u1'/></b></a>",
            "<a xml:lang='de' xml:space='preserve'> <b xml:lang='en'/> </a>",
            "<x:message xmlns:x='jabber:client'><x:body>b</x:body></x:message>",
            "<a xmlns='it&apos;s &lt;a&gt; &amp; b'/>",
        ])
    func rewritten(xml: String) throws {
        let read = try #require(Reading.inStream(xml).elements.first)
        #expect(try Element.parse(read.serialized()) == read)
        #expect(Reading.inStream(read.serialized(in: "jabber:client")).elements == [read])
    }

    /// An element as the parser would give it: neighbouring texts joined, empty ones gone.
    static func normalised(_ element: Element) -> Element {
        var nodes: [Element.Node] = []
        for node in element.nodes {
            switch node {
            case .element(let child): nodes.append(.element(normalised(child)))
            case .text(let text):
                if text.isEmpty { continue }
                if case .text(let before)? = nodes.last {
                    nodes[nodes.count - 1] = .text(before + text)
                } else {
                    nodes.append(.text(text))
                }
            }
        }
        return Element(element.name, namespace: element.namespace, attributes: element.attributes, nodes: nodes)
    }

    static func element(depth: Int, using random: inout SeededGenerator) -> Element {
        let names = ["message", "body", "x", "a-b.c", "_1", "é", "iq", "xml", "stream"]
        let namespaces = ["jabber:client", "", "urn:x", "urn:y", "u'<&>\"", "http://etherx.jabber.org/streams"]
        func pick(_ strings: [String]) -> String { strings.randomElement(using: &random) ?? "" }
        var attributes: [Element.Attribute] = []
        for name in names.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)) {
            attributes.append(Element.Attribute(name, string(using: &random)))
            if Bool.random(using: &random) {
                let namespace = pick(["urn:x", "http://www.w3.org/XML/1998/namespace", "jabber:client", "u'<&>\""])
                attributes.append(Element.Attribute(name, string(using: &random), namespace: namespace))
            }
        }
        var nodes: [Element.Node] = []
        for _ in 0..<(depth < 6 ? Int.random(in: 0...4, using: &random) : 0) {
            if Bool.random(using: &random) {
                nodes.append(.text(string(using: &random)))
            } else {
                nodes.append(.element(element(depth: depth + 1, using: &random)))
            }
        }
        return Element(pick(names), namespace: pick(namespaces), attributes: attributes, nodes: nodes)
    }

    static func string(using random: inout SeededGenerator) -> String {
        let pieces = [
            "plain", "&", "<", ">", "'", "\"", "]]>", "\n", "\t", "\r", "\r\n", " ", "é", "密", "👍", "</message>",
            "&#13;", "<!--",
            "<![CDATA[", "\u{FFFD}", "\u{F8FF}", "\u{EFFF}", "xmlns:a='b'",
        ]
        return (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }
}
