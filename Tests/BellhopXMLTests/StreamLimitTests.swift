import BellhopXML
import Testing

@Suite("Stream parser, limits")
struct StreamLimitTests {
    @Test(
        "an element of exactly the limit passes and one byte more does not, in any portions",
        arguments: [1, 7, 4_096, 1 << 20])
    func stanzaBytes(portion: Int) {
        let limits = ParserLimits(stanzaBytes: 20_000)
        for extra in [-1, 0, 1] {
            let frame = "<message><body></body></message>".utf8.count
            let stanza =
                "<message><body>\(String(repeating: "é", count: (20_000 - frame) / 2 + extra))</body></message>"
            let bytes = Array((stanza + " \n <a/>").utf8)
            let pieces = stride(from: 0, to: bytes.count, by: portion).map {
                Array(bytes[$0..<min($0 + portion, bytes.count)])
            }
            let events = Reading.events([Array(Reading.header.utf8)] + pieces, limits: limits)
            if extra <= 0 {
                #expect(events.elements.count == 2)
                #expect(events.fault == nil)
            } else {
                #expect(events.elements.isEmpty)
                #expect(events.faultName == "policy-violation")
            }
        }
    }

    @Test("the limit is for each element, not for the stream")
    func eachElement() {
        let stanza = "<message><body>\(String(repeating: "x", count: 9_000))</body></message> "
        let events = Reading.inStream(String(repeating: stanza, count: 30), limits: ParserLimits(stanzaBytes: 10_000))
        #expect(events.elements.count == 30)
        #expect(events.fault == nil)
    }

    @Test(
        "an element that never ends fails before much more than the limit is kept",
        arguments: [
            "<message><body>", "<message to='", "<message ", "<", "<message><body><![CDATA[", "<a>&", "<a><", "</",
            "<a></a", "<?pi ",
            "<!-- ", "<!DOCTYPE s [", "<message>\n", "<a>&#",
        ])
    func neverEnding(start: String) {
        let parser = StreamParser(limits: ParserLimits(stanzaBytes: 100_000))
        var events: [StreamEvent] = []
        parser.feed(Array((Reading.header + start).utf8).span, into: &events)
        let filler = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000)
        for _ in 0..<101 where events.fault == nil { parser.feed(filler.span, into: &events) }
        #expect(events.elements.isEmpty)
        #expect(events.fault != nil)
    }

    @Test("a root that never ends fails too", arguments: ["<", "<stream a='", "<?xml ", "", " "])
    func neverEndingRoot(start: String) {
        let parser = StreamParser(limits: .beforeLogin)
        var events: [StreamEvent] = []
        parser.feed(Array(start.utf8).span, into: &events)
        let filler = [UInt8](repeating: UInt8(ascii: " "), count: 1_000)
        for _ in 0..<200 { parser.feed(filler.span, into: &events) }
        #expect(events.count == 1)
        #expect(events.fault != nil)
    }

    @Test("nesting stops at the limit", arguments: [(64, true), (65, false), (5_000, false)])
    func depth(levels: Int, passes: Bool) {
        let events = Reading.inStream(
            String(repeating: "<a>", count: levels) + String(repeating: "</a>", count: levels) + "<b/>")
        #expect(events.elements.count == (passes ? 2 : 0))
        #expect(events.faultName == (passes ? nil : "policy-violation"))
    }

    @Test(
        "the number of attributes and declarations stops at the limit",
        arguments: [(64, true), (65, false), (2_000, false)])
    func attributes(number: Int, passes: Bool) {
        let plain = (0..<number).map { " a\($0)=''" }.joined()
        let declarations = (0..<number).map { " xmlns:a\($0)='urn:x'" }.joined()
        for attributes in [plain, declarations] {
            let events = Reading.inStream("<a\(attributes)/><b/>")
            #expect(events.elements.count == (passes ? 2 : 0))
            #expect(events.faultName == (passes ? nil : "policy-violation"))
            #expect((Reading.events("<s\(attributes)>").fault == nil) == passes)
        }
    }

    @Test(
        "the size of attribute values stops at the limit",
        arguments: [(65_536, true), (65_537, false), (200_000, false)])
    func attributeBytes(bytes: Int, passes: Bool) {
        let half = String(repeating: "x", count: bytes / 2)
        let events = Reading.inStream("<a b='\(half)' c='\(half)\(bytes % 2 == 0 ? "" : "x")'/><b/>")
        #expect(events.elements.count == (passes ? 2 : 0))
        #expect(events.faultName == (passes ? nil : "policy-violation"))
    }

    @Test("a limit below what the standard asks for is raised to it")
    func leastLimit() {
        #expect(ParserLimits(stanzaBytes: 1).stanzaBytes == 10_000)
        #expect(ParserLimits(depth: 100_000).depth == 256)
    }

    @Test("the deepest elements that a limit allows can be written and dropped")
    func deepest() throws {
        let xml = String(repeating: "<a>", count: 256) + String(repeating: "</a>", count: 256)
        let element = try #require(Reading.inStream(xml, limits: ParserLimits(depth: 256)).elements.first)
        #expect(
            Reading.inStream(element.serialized(in: "jabber:client"), limits: ParserLimits(depth: 256)).elements == [
                element
            ])
    }
}
