import BellhopXML
import Testing

@Suite("The end of what was read")
struct StreamBoundaryTests {
    private static let header = "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>"

    @Test(
        "a parser knows whether a byte stands behind the last element",
        arguments: [
            ("<proceed xmlns='urn:t'/>", true), ("<proceed xmlns='urn:t'></proceed>", true), ("<a>text</a><b/>", true),
            ("<proceed/> ", false), ("<proceed/>\n", false), ("<proceed/><", false), ("<proceed/><a", false),
            ("<proceed/><a>", false), ("<proceed/><a>text", false), ("<proceed/>\u{e9}", false), ("<proceed", false),
        ])
    func boundary(text: String, expected: Bool) {
        for cut in 0..<text.utf8.count {
            let parser = StreamParser()
            var events: [StreamEvent] = []
            let bytes = Array((Self.header + text).utf8)
            let place = Self.header.utf8.count + cut
            parser.feed(bytes.span.extracting(0..<place), into: &events)
            parser.feed(bytes.span.extracting(place..<bytes.count), into: &events)
            #expect(parser.isBetweenElements == expected, "cut at \(cut)")
        }
    }
}
