import BellhopXML
import BellhopXMPP
import Testing

@Suite("Stanza and stream errors")
struct StanzaErrorTests {
    /// RFC 6120 section 8.3.3, and the list of kinds that goes with it.
    static let usualKinds: [(condition: String, kind: StanzaError.Kind)] = [
        ("bad-request", .modify), ("conflict", .cancel), ("feature-not-implemented", .cancel), ("forbidden", .auth),
        ("gone", .cancel), ("internal-server-error", .cancel), ("item-not-found", .cancel), ("jid-malformed", .modify),
        ("not-acceptable", .modify), ("not-allowed", .cancel), ("not-authorized", .auth), ("policy-violation", .modify),
        ("recipient-unavailable", .wait), ("redirect", .modify), ("registration-required", .auth),
        ("remote-server-not-found", .cancel), ("remote-server-timeout", .wait), ("resource-constraint", .wait),
        ("service-unavailable", .cancel), ("subscription-required", .auth), ("undefined-condition", .cancel),
        ("unexpected-request", .wait),
    ]

    @Test("each condition has its kind, and reads back", arguments: usualKinds)
    func conditions(name: String, kind: StanzaError.Kind) throws {
        let condition = try #require(StanzaError.Condition(rawValue: name))
        let error = StanzaError(condition, text: "because")
        #expect(error.kind == kind)
        #expect(StanzaError(error: error.element) == error)
    }

    @Test("the table names every condition")
    func complete() {
        #expect(Set(Self.usualKinds.map(\.condition)) == Set(StanzaError.Condition.allCases.map(\.rawValue)))
    }

    static let odd: [(inside: String, error: StanzaError?)] = [
        ("", nil),
        ("<error xmlns='urn:x'/>", nil),
        ("<error/>", StanzaError(.undefinedCondition)),
        ("<error type='sideways'><gone xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>", StanzaError(.gone)),
        (
            "<error type='wait'><gone xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>",
            StanzaError(.gone, kind: .wait)
        ),
        ("<error type='wait'><gone xmlns='urn:other'/></error>", StanzaError(.undefinedCondition, kind: .wait)),
        (
            """
            <error type='auth'><never-heard-of xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>\
            <text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>one</text>\
            <text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>two</text></error>
            """, StanzaError(.undefinedCondition, kind: .auth, text: "one")
        ),
    ]

    @Test("an error is an error, whatever stands in it", arguments: odd)
    func oddOnes(inside: String, error: StanzaError?) throws {
        #expect(StanzaError(in: try stanza("<message type='error'>\(inside)</message>")) == error)
    }

    @Test("each stream error reads back", arguments: StreamError.Condition.withoutContent)
    func streamErrors(condition: StreamError.Condition) {
        let error = StreamError(condition, text: "because")
        #expect(StreamError(error.element) == error)
    }

    @Test("an unknown stream error is one all the same")
    func unknownStreamError() throws {
        let element = try stanza(
            """
            <error xmlns='http://etherx.jabber.org/streams'>\
            <boredom xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></error>
            """)
        #expect(StreamError(element) == StreamError(.undefinedCondition))
        #expect(StreamError(Element("error", namespace: "jabber:client")) == nil)
    }

    @Test("what the parser found is named as the stream error to send")
    func faults() {
        #expect(StreamError(fault: .notWellFormed(line: 1, reason: "x")).condition == .notWellFormed)
        #expect(StreamError(fault: .restrictedXML("DTD")).condition == .restrictedXML)
        #expect(StreamError(fault: .policyViolation("depth")).condition == .policyViolation)
        #expect(StreamError(fault: .unsupportedEncoding).condition == .unsupportedEncoding)
    }

    static let hosts: [(text: String, host: String?, port: UInt16?)] = [
        ("other.example", "other.example", nil), ("other.example:5223", "other.example", 5223),
        ("[2001:db8::1]", "2001:db8::1", nil), ("[2001:db8::1]:9222", "2001:db8::1", 9222),
        ("2001:db8::1", "2001:db8::1", nil), ("192.0.2.1:1", "192.0.2.1", 1),
        ("", nil, nil), (":5222", nil, nil), ("other.example:", nil, nil), ("other.example:0", nil, nil),
        ("other.example:65536", nil, nil), ("other.example:+1", nil, nil), ("[::1", nil, nil), ("[]", nil, nil),
        ("[::1]5222", nil, nil), ("[host]:1", nil, nil), ("a b", nil, nil), ("a/b", nil, nil), ("a\n", nil, nil),
        (String(repeating: "a", count: 301), nil, nil),
    ]

    @Test("where the server wants us is read, or nothing", arguments: hosts)
    func otherHost(text: String, host: String?, port: UInt16?) {
        let element = Element("error", namespace: "http://etherx.jabber.org/streams")
            .with(Element("see-other-host", namespace: "urn:ietf:params:xml:ns:xmpp-streams").with(text: text))
        let address = host.map { HostAddress(host: $0, port: port) }
        #expect(StreamError(element)?.condition == .seeOtherHost(address))
        if let address { #expect(HostAddress(address.description) == address) }
    }
}
