import BellhopXML
import Testing

@Suite("Stream parser, hostile input")
struct HostileStreamTests {
    @Test("mutated streams never trap, and nothing follows a failure", arguments: 0..<16)
    func mutations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let transcripts = Transcript.all.map { Array($0.xml.utf8) }
        let fragments = [
            "<", ">", "&", "]]>", "<![CDATA[", "<!--", "-->", "<?", "?>", "<!DOCTYPE x [", "xmlns='", "xmlns:p=''",
            "p:", "&#0;", "&#x10FFFF;",
            "&lt;", "'", "\"", "/>", "</", "\r", "\0", "\u{FEFF}", "\u{FFFE}", "=",
        ].map { Array($0.utf8) }
        for _ in 0..<150 {
            var bytes = transcripts.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
                case 1: bytes.insert(contentsOf: fragments.randomElement(using: &random) ?? [], at: place)
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
                default:
                    let end = min(bytes.count, place + Int.random(in: 1...60, using: &random))
                    bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
                }
                if bytes.isEmpty { bytes = [0x20] }
            }
            var pieces: [[UInt8]] = []
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, start + Int.random(in: 1...200, using: &random))
                pieces.append(Array(bytes[start..<end]))
                start = end
            }
            check(Reading.events(pieces + [Array("<after/>".utf8)], limits: ParserLimits(stanzaBytes: 10_000)))
            check(Reading.events([bytes], limits: ParserLimits(stanzaBytes: 10_000, depth: 4, attributes: 4)))
        }
    }

    /// The order of events that every stream keeps: root, elements, then an end or a failure, and only the last may be that.
    private func check(_ events: [StreamEvent]) {
        for (index, event) in events.enumerated() {
            switch event {
            case .opened: #expect(index == 0)
            case .element: #expect(index > 0)
            case .closed, .failed: #expect(index == events.count - 1)
            }
        }
        for element in events.elements {
            #expect(Reading.inStream(element.serialized(in: "jabber:client")).elements.first == element)
        }
    }

    @Test("names that are never used again cost no memory that stays, and break nothing")
    func freshNames() {
        let parser = StreamParser()
        var events: [StreamEvent] = []
        parser.feed(Array(Reading.header.utf8).span, into: &events)
        events.removeAll()
        for round in 0..<2_000 {
            let stanza = "<message id='\(round)'><n\(round) xmlns='urn:n\(round)' a\(round)='1'/><stream:x/></message> "
            let bytes = Array((stanza + stanza).utf8)
            let cut = round % bytes.count
            for piece in [Array(bytes[..<cut]), Array(bytes[cut...])] { parser.feed(piece.span, into: &events) }
            let expected = Element(
                "message", namespace: "jabber:client", attributes: [Element.Attribute("id", "\(round)")],
                nodes: [
                    .element(
                        Element(
                            "n\(round)", namespace: "urn:n\(round)", attributes: [Element.Attribute("a\(round)", "1")])),
                    .element(Element("x", namespace: "http://etherx.jabber.org/streams")),
                ])
            #expect(events.elements == [expected, expected])
            events.removeAll()
        }
        #expect(parser.internedNames < 3_000)
        parser.feed(Array("</stream:stream>".utf8).span, into: &events)
        #expect(events == [.closed])
    }

    @Test("a stream may be longer than any counter inside the parser")
    func longStream() {
        let parser = StreamParser()
        var events: [StreamEvent] = []
        parser.feed(Array(Reading.header.utf8).span, into: &events)
        let stanza =
            "<message to='opsbot@bots.example.test'><body>\(String(repeating: "line\n", count: 2_000))</body></message>\n"
        let batch = Array(String(repeating: stanza, count: 10).utf8)
        var count = 0
        for _ in 0..<500 {
            events.removeAll(keepingCapacity: true)
            parser.feed(batch.span, into: &events)
            count += events.elements.count
        }
        #expect(count == 5_000)
        events.removeAll()
        parser.feed(Array("<a></b>".utf8).span, into: &events)
        guard case .notWellFormed(let line, _)? = events.fault else {
            Issue.record("no failure: \(events)")
            return
        }
        #expect(line <= 2)
    }
}
