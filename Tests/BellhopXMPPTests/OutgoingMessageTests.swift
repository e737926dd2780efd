import BellhopXML
import BellhopXMPP
import Testing

@Suite("OutgoingMessage")
struct OutgoingMessageTests {
    func written(_ message: OutgoingMessage) -> String {
        var writer = XMLWriter(in: "jabber:client")
        message.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("a chat message is written without a sender")
    func chat() throws {
        let message = OutgoingMessage(
            to: try JID("alice@example.test/phone"), id: "r1", thread: "t<1>", body: "pong & more")
        #expect(
            written(message) == """
                <message to='alice@example.test/phone' type='chat' id='r1'><body>pong &amp; more</body>\
                <thread>t&lt;1&gt;</thread></message>
                """)
    }

    @Test("a normal message needs no type, and nothing needs a body")
    func normal() throws {
        let message = OutgoingMessage(
            to: try JID("alice@example.test"), type: .normal, id: "r1", body: nil,
            payloads: [Element("voice", namespace: "urn:example:voice").with("voiceTime", "3")])
        #expect(
            written(message) == """
                <message to='alice@example.test' id='r1'><voice xmlns='urn:example:voice' voiceTime='3'/></message>
                """)
    }

    static let hostile = [
        "</body></message><presence type='unavailable'/>", "]]>", "'\"<&>", "a\r\nb\tc", "😀", "", " ",
        "ok\u{0}\u{1}\u{1A}\u{FFFE}",
    ]

    @Test("whatever is in it, it reads back as one message with that text", arguments: hostile)
    func roundTrip(text: String) throws {
        let resource = text.isEmpty || text.unicodeScalars.contains { $0.value < 0x20 } ? "x" : text
        let message = OutgoingMessage(
            to: try JID("alice@example.test/" + resource), id: text, thread: text, body: text)
        let element = try stanza(written(message))
        let expected = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar {
                    case "\t", "\n", "\r": scalar
                    default: scalar.value < 0x20 || scalar.value == 0xFFFE ? "\u{FFFD}" : scalar
                    }
                }))
        #expect(element.child("body", "jabber:client")?.text == expected)
        #expect(element.child("thread", "jabber:client")?.text == expected)
        #expect(element["id"] == expected)
        #expect(element["to"] == message.to.description)
        #expect(element["from"] == nil)
        #expect(element.children.count == 2)
    }
}
