import BellhopXML
import BellhopXMPP
import Testing

@Suite("Quotations and reply fallback")
struct QuotationTests {
    /// What was typed, and what commands are read from.
    static let quoted: [(body: String, own: String)] = [
        ("> !deploy prod\nplease do not", "please do not"),
        (">> !ping\n\n!ping", "!ping"),
        ("» !deploy prod\n!ping", "!ping"),
        (">a\n>b\n\n  !ping  \n> later", "  !ping  \n> later"),
        (">a\r\n\r\n!ping\r\n", "!ping\r\n"),
        (" \t> a\n!ping", "!ping"),
        ("> only this", ""),
        ("> only\n> this\n\n", ""),
        (">", ""),
        ("»", ""),
        ("\n\n!ping", "\n\n!ping"),
        ("  !ping", "  !ping"),
        ("!ping\n> a", "!ping\n> a"),
        ("a > b", "a > b"),
        ("\u{A0}> a\n!ping", "\u{A0}> a\n!ping"),
        ("\u{C2}a", "\u{C2}a"),
        ("> 😀\n😀", "😀"),
        ("", ""),
    ]

    @Test("commands are read from the first line that is not quoted; the text itself stays", arguments: quoted)
    func handMade(body: String, own: String) throws {
        var message = IncomingMessage(stanza: try stanza("<message/>"), type: .chat)
        message.text = body
        #expect(message.commandText == own)
        #expect(message.text == body)
    }

    /// A body, the ranges that its fallback declares, and what is left.
    static let fallbacks: [(body: String, ranges: String, text: String)] = [
        ("&gt; !deploy prod\n!ping", "<body start='0' end='15'/>", "!ping"),
        ("&gt; 😀é\n!ping", "<body start='0' end='5'/>", "!ping"),
        ("e\u{301}!ping", "<body start='0' end='2'/>", "!ping"),
        ("abcdef", "<body start='1' end='2'/><body start='4' end='5'/>", "acdf"),
        ("abcdef", "<body start='4' end='5'/><body start='1' end='2'/>", "acdf"),
        ("abcdef", "<body start='0' end='3'/><body start='2' end='4'/>", "ef"),
        ("abcdef", "<body start='3'/>", "abc"),
        ("abcdef", "<body end='3'/>", "def"),
        ("abcdef", "<body/>", ""),
        ("abcdef", "<subject/>", "abcdef"),
        ("abcdef", "", "abcdef"),
        // Hostile ones.
        ("abcdef", "<body start='3' end='3'/>", "abcdef"),
        ("abcdef", "<body start='4' end='2'/>", "abcdef"),
        ("abcdef", "<body start='-4' end='2'/>", "cdef"),
        ("abcdef", "<body start='0' end='-1'/>", "abcdef"),
        ("abcdef", "<body start='2' end='99999999999999999999999999'/>", "ab"),
        ("abcdef", "<body start='99999999999999999999999999'/>", "abcdef"),
        ("abcdef", "<body start='-99999999999999999999999999' end='1'/>", "bcdef"),
        ("abcdef", "<body start='zero' end='2'/>", "abcdef"),
        ("abcdef", "<body start='' end='2'/>", "abcdef"),
        ("abcdef", "<body start='1' end='2.5'/>", "abcdef"),
        ("abcdef", "<body xmlns='urn:other' start='0' end='2'/>", "abcdef"),
    ]

    @Test("what a reply repeats is cut off by its declared range, and the body stays", arguments: fallbacks)
    func replyFallback(body: String, ranges: String, text: String) throws {
        let message = try IncomingMessageTests.read(
            IncomingMessageTests.chat(
                """
                <reply xmlns='urn:xmpp:reply:0' to='opsbot@bots.example.test/main' id='old1'/><fallback \
                xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'>\(ranges)</fallback><body>\(body)</body>
                """))
        #expect(message.text == text)
        #expect(message.body == body.replacing("&gt;", with: ">"))
        #expect(message.obstacle == (text.isEmpty ? .emptyBody : nil))
        #expect(message.payloads.map(\.name) == ["reply", "fallback"])
    }

    @Test("a fallback for something else stays in the text")
    func otherFallback() throws {
        let message = try IncomingMessageTests.read(
            IncomingMessageTests.chat(
                "<body>abc</body><fallback xmlns='urn:xmpp:fallback:0' for='urn:x'><body start='0' end='1'/></fallback>"
            ))
        #expect(message.text == "abc")
    }

    @Test("ten thousand ranges over a long body cost one walk")
    func manyRanges() throws {
        let ranges = (0..<10_000).map { "<body start='\($0 * 2)' end='\($0 * 2 + 1)'/>" }.joined()
        let message = try IncomingMessageTests.read(
            IncomingMessageTests.chat(
                """
                <body>\(String(repeating: "ab", count: 10_000))</body>\
                <fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'>\(ranges)</fallback>
                """))
        #expect(message.text == String(repeating: "b", count: 10_000))
    }
}
