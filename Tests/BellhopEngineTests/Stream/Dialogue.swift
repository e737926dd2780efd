import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

/// A negotiation told as a conversation: what the server says, and what the machine must do about it, in order.
struct Dialogue {
    var negotiation: StreamNegotiation
    var pending: [StreamNegotiation.Action] = []
    /// Every input so far, with the machine as it was before it.
    private(set) var story: [(before: StreamNegotiation, input: StreamNegotiation.Input)] = []

    init(_ plan: LoginPlan) { negotiation = StreamNegotiation(plan) }

    mutating func happened(_ input: StreamNegotiation.Input) {
        story.append((negotiation, input))
        pending += negotiation.handle(input)
    }

    mutating func server(_ xml: String) throws {
        happened(.received(.element(try Element.parse(xml))))
    }

    /// The server's stream header, and its features in the same breath.
    mutating func serverOpens(_ features: String) throws {
        happened(.received(.opened(Self.header())))
        try server("<features xmlns='http://etherx.jabber.org/streams'>\(features)</features>")
    }

    static func header(version: String? = "1.0") -> Element {
        Element("stream", namespace: "http://etherx.jabber.org/streams")
            .with("from", "example.test").with("id", "s1").with("version", version)
    }

    mutating func client(_ xml: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        expect(.send(try Element.parse(xml)), sourceLocation: sourceLocation)
    }

    mutating func expect(_ action: StreamNegotiation.Action, sourceLocation: SourceLocation = #_sourceLocation) {
        guard let first = pending.first else {
            Issue.record("nothing was done, expected \(action)", sourceLocation: sourceLocation)
            return
        }
        #expect(first == action, sourceLocation: sourceLocation)
        pending.removeFirst()
    }

    /// The machine must have asked to keep the keys of a login.
    mutating func expectKeys(sourceLocation: SourceLocation = #_sourceLocation) -> SCRAMKeys? {
        guard case .remember(let keys)? = pending.first else {
            Issue.record("no keys to remember", sourceLocation: sourceLocation)
            return nil
        }
        pending.removeFirst()
        return keys
    }

    func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(pending.isEmpty, sourceLocation: sourceLocation)
    }

    // MARK: Stretches that many conversations share

    /// From the connection to the features after TLS, as Prosody and ejabberd do it.
    mutating func secures() throws {
        happened(.connected(encrypted: false))
        expect(.openStream(to: "example.test", from: nil))
        try serverOpens("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
        try client("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
        try server("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
        expect(.startTLS)
        happened(.tlsEstablished())
        expect(.openStream(to: "example.test", from: try JID("alice@example.test")))
        expectNothing()
    }

    /// The whole SCRAM login of a recorded exchange, up to the new stream.
    mutating func logsIn(_ vector: SCRAMVector, mechanism: String, from: String? = "alice@example.test") throws {
        try client(SASL.auth(mechanism, vector.clientFirst))
        try server(SASL.element("challenge", vector.serverFirst))
        try client(SASL.element("response", vector.clientFinal))
        try server(SASL.element("success", vector.serverFinal))
        _ = expectKeys()
        expect(.openStream(to: "example.test", from: try from.map { try JID($0) }))
        expectNothing()
    }

    /// Binds the resource `bellhop`.
    mutating func binds(_ jid: String = "alice@example.test/bellhop") throws {
        try clientAsksForBind()
        try server(
            """
            <iq xmlns='jabber:client' type='result' id='q-bind'>\
            <bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>\(jid)</jid></bind></iq>
            """)
    }

    mutating func clientAsksForBind() throws {
        try client(
            """
            <iq xmlns='jabber:client' type='set' id='q-bind'>\
            <bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>bellhop</resource></bind></iq>
            """)
    }
}

/// The plan that the conversations follow.
func plan(
    _ vector: SCRAMVector = .prosody, goal: LoginPlan.Goal = .session(resource: "bellhop"),
    registration: RegistrationWish = RegistrationWish(),
    encryption: LoginPlan.Encryption = .required, allowsPlain: Bool = false,
    allowsLegacyLogin: Bool = false, channelBinding: ChannelBindingPolicy = .auto, proven: SASLMechanism? = nil,
    remembered: SCRAMKeys? = nil, resumes: Bool = false, sasl2: SASL2Wish? = nil
) throws -> LoginPlan {
    LoginPlan(
        account: try JID("alice@example.test"),
        credentials: try Credentials(user: vector.user, password: vector.password), goal: goal,
        registration: registration, encryption: encryption, allowsPlain: allowsPlain,
        allowsLegacyLogin: allowsLegacyLogin, sasl2: sasl2, channelBinding: channelBinding, proven: proven,
        remembered: remembered,
        resumption: resumes
            ? Resumption(id: "broken", handled: 7, bound: try JID("alice@example.test/bellhop")) : nil,
        nonce: vector.nonce, idPrefix: "q")
}
