import BellhopXML
import Testing

@testable import BellhopXMPP

@Suite("Chat states")
struct ChatStateTests {
    @Test(
        "the state of a message is read, another namespace or word is none",
        arguments: [
            ("<active xmlns='http://jabber.org/protocol/chatstates'/>", ChatState.active),
            ("<body>x</body><gone xmlns='http://jabber.org/protocol/chatstates'/>", .gone),
            ("<dancing xmlns='http://jabber.org/protocol/chatstates'/>", nil),
            ("<active xmlns='urn:example:other'/>", nil), ("<body>active</body>", nil),
        ])
    func reading(xml: String, state: ChatState?) throws {
        let stanza = try Element.parse("<message xmlns='jabber:client'>\(xml)</message>")
        #expect(ChatState(in: stanza) == state)
    }

    @Test("a message carries its state behind its content, also without a body")
    func writing() throws {
        var message = OutgoingMessage(to: try JID("a@b.test/x"), id: "1", body: "hi")
        message.chatState = .active
        var writer = XMLWriter(stream: Namespace.client)
        message.write(to: &writer)
        let state = "<active xmlns='http://jabber.org/protocol/chatstates'/>"
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == "<message to='a@b.test/x' type='chat' id='1'><body>hi</body>\(state)</message>")
        message.body = nil
        writer.removeAll()
        message.write(to: &writer)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == "<message to='a@b.test/x' type='chat' id='1'>\(state)</message>"
        )
    }
}
