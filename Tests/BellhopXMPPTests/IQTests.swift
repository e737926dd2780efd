import BellhopXML
import BellhopXMPP
import Testing

@Suite("IQ")
struct IQTests {
    static let attributes = "id='q1' from='alice@example.test/phone' to='opsbot@bots.example.test/main'"

    @Test("a question and its answers")
    func answers() throws {
        let iq = try IQ(try stanza("<iq type='get' \(Self.attributes)><query xmlns='jabber:iq:version'/></iq>"))
        #expect(iq.isRequest)
        #expect(iq.payload?.is("query", "jabber:iq:version") == true)
        #expect(
            iq.result()?.element.serialized(in: "jabber:client")
                == "<iq type='result' id='q1' to='alice@example.test/phone'/>")
        #expect(
            iq.refusal(StanzaError(.serviceUnavailable))?.element.serialized(in: "jabber:client") == """
                <iq type='error' id='q1' to='alice@example.test/phone'><error type='cancel'>\
                <service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>
                """)
    }

    @Test("no answer is answered", arguments: ["result", "error"])
    func silence(type: String) throws {
        let iq = try IQ(try stanza("<iq type='\(type)' \(Self.attributes)/>"))
        #expect(!iq.isRequest)
        #expect(iq.result() == nil)
        #expect(iq.refusal(StanzaError(.badRequest)) == nil)
    }

    @Test("a question without exactly one child is a bad request", arguments: ["get", "set"], ["", "<a/><b/>"])
    func children(type: String, inside: String) throws {
        let answer = IQ(id: "q1", to: try JID("alice@example.test/phone"), .error(StanzaError(.badRequest)))
        let request = try stanza("<iq type='\(type)' \(Self.attributes)>\(inside)</iq>")
        #expect(throws: IQFault.malformed(answer)) { try IQ(request) }
    }

    @Test(
        "what cannot be answered is not",
        arguments: [
            "<iq type='get'><a/></iq>", "<iq type='get' id=''><a/></iq>", "<iq id='q1'><a/></iq>",
            "<iq id='q1' type='put'><a/></iq>", "<iq id='q1' type='get' from='@@'><a/></iq>",
            "<iq id='q1' type='get' to='@@'><a/></iq>",
        ])
    func unanswerable(xml: String) throws {
        let request = try stanza(xml)
        #expect(throws: IQFault.unanswerable) { try IQ(request) }
    }

    static let contents: [IQ.Content] = [
        .get(Element("a", namespace: "urn:x")), .set(Element("a", namespace: "urn:x")), .result(nil),
        .result(Element("a", namespace: "urn:x")), .error(StanzaError(.conflict, text: "taken")),
    ]

    @Test("what is written reads back", arguments: contents)
    func roundTrip(content: IQ.Content) throws {
        let iq = IQ(id: "q1", from: try JID("a@b.test/c"), to: try JID("b.test"), content)
        #expect(try IQ(iq.element) == iq)
    }

    @Test("an error without an error inside is one all the same")
    func emptyError() throws {
        #expect(try IQ(try stanza("<iq type='error' id='q1'/>")).content == .error(StanzaError(.undefinedCondition)))
    }
}
