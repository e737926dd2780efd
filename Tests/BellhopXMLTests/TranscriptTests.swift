import BellhopXML
import Testing

@Suite("Transcripts in every portion")
struct TranscriptTests {
    @Test("a transcript gives the same events whole, byte by byte, and cut at every point", arguments: Transcript.all)
    func everyCut(transcript: Transcript) {
        let bytes = Array(transcript.xml.utf8)
        let whole = Reading.events([bytes])
        #expect(whole.elements.count == transcript.elements)
        #expect(whole.fault == nil)
        #expect(Reading.events(bytes.map { [$0] }) == whole)
        for cut in 1..<bytes.count {
            #expect(Reading.events([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole, "cut at \(cut)")
        }
        for size in [2, 3, 5, 13, 299, 300, 301] {
            let pieces = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            #expect(Reading.events(pieces) == whole, "portions of \(size)")
        }
    }

    @Test("a transcript's stanzas are the same after being written and read again", arguments: Transcript.all)
    func rewritten(transcript: Transcript) {
        let elements = Reading.events(transcript.xml).elements
        var writer = XMLWriter(stream: "jabber:client")
        for element in elements { writer.write(element) }
        #expect(Reading.inStream(writer.bytes).elements == elements)
    }

    @Test("three stanzas and half of a fourth in one read, the rest later, are four in order")
    func batches() {
        let stanzas = (1...4).map { "<message id='\($0)'><body>no. \($0)</body></message>" }
        let bytes = Array((Reading.header + stanzas.joined()).utf8)
        let cut = bytes.count - 20
        let events = Reading.events([Array(bytes[..<cut]), Array(bytes[cut...])])
        #expect(events.elements.map { $0["id"] } == ["1", "2", "3", "4"])
    }

    @Test("characters of several bytes survive a cut anywhere, also in a long text")
    func cutCharacters() {
        let long = String(repeating: "密👍é", count: 80)
        for (text, expected) in [("!echo 密👍é &amp;", "!echo 密👍é &"), (long, long)] {
            let stanza =
                "<message from='alice@example.test/phone' to='opsbot@bots.example.test/main' type='chat' id='us1'><body>"
                + text + "</body></message>"
            let bytes = Array(stanza.utf8)
            for cut in 1..<bytes.count {
                let events = Reading.events([Array(Reading.header.utf8), Array(bytes[..<cut]), Array(bytes[cut...])])
                #expect(events.elements.map { $0.child("body", "jabber:client")?.text } == [expected], "cut at \(cut)")
            }
        }
    }
}
