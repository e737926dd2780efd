import BellhopCrypto
import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("jabber:iq:auth (XEP-0078)")
struct LegacyLoginTests {
    private static let feature = "<auth xmlns='http://jabber.org/features/iq-auth'/>"

    /// A conversation after the server was asked which fields it wants.
    static func asked(
        allowsPlain: Bool = true, encrypted: Bool = true, mechanisms: String = ""
    ) throws -> Dialogue {
        var dialogue = Dialogue(
            try plan(
                encryption: encrypted ? .required : .plaintextAllowed, allowsPlain: allowsPlain, allowsLegacyLogin: true
            ))
        dialogue.happened(.connected(encrypted: encrypted))
        dialogue.expect(.openStream(to: "example.test", from: encrypted ? try JID("alice@example.test") : nil))
        try dialogue.serverOpens(mechanisms + feature)
        try dialogue.client(
            """
            <iq xmlns='jabber:client' type='get' id='q-fields' to='example.test'>\
            <query xmlns='jabber:iq:auth'><username>alice</username></query></iq>
            """)
        dialogue.expectNothing()
        return dialogue
    }

    static func fields(_ names: String) -> String {
        "<iq xmlns='jabber:client' type='result' id='q-fields'><query xmlns='jabber:iq:auth'>\(names)</query></iq>"
    }

    private static func answer(_ proof: String) -> String {
        """
        <iq xmlns='jabber:client' type='set' id='q-auth' to='example.test'><query xmlns='jabber:iq:auth'>\
        <username>alice</username>\(proof)<resource>bellhop</resource></query></iq>
        """
    }

    @Test("a digest hides the password, and the session stands with the answer", arguments: [true, false])
    func digest(encrypted: Bool) throws {
        var dialogue = try Self.asked(encrypted: encrypted)
        try dialogue.server(Self.fields("<username/><password/><digest/><resource/>"))
        // The SHA-1 of the stream's id "s1" and the password "pw", by sha1sum.
        try dialogue.client(Self.answer("<digest>\(Self.digestOfS1AndPW)</digest>"))
        try dialogue.server("<iq xmlns='jabber:client' type='result' id='q-auth'/>")
        var features = ServerFeatures()
        features.legacyLogin = true
        dialogue.expect(
            .online(
                Bound(
                    jid: try JID("alice@example.test/bellhop"), method: .legacy(.digest), encrypted: encrypted,
                    features: features)))
        dialogue.expectNothing()
        #expect(dialogue.negotiation.isOver)
    }

    static let digestOfS1AndPW = "12b24312c06d5db5b212b1c28bad838d1f2f031c"

    @Test("the example of the specification, word for word but for the request's id")
    func example() throws {
        var plan = try plan(goal: .session(resource: "globe"), allowsLegacyLogin: true)
        plan.account = try JID("bill@shakespeare.lit")
        plan.credentials = try Credentials(user: "bill", password: "Calli0pe")
        var dialogue = Dialogue(plan)
        dialogue.happened(.connected(encrypted: true))
        dialogue.happened(.received(.opened(Dialogue.header().with("id", "3EE948B0"))))
        try dialogue.server("<features xmlns='http://etherx.jabber.org/streams'>\(Self.feature)</features>")
        try dialogue.server(Self.fields("<username/><digest/><password/><resource/>"))
        guard case .send(let answer)? = dialogue.pending.last else {
            Issue.record("nothing was answered")
            return
        }
        #expect(
            answer.child("query", "jabber:iq:auth")?.child("digest", "jabber:iq:auth")?.text
                == "48fc78be9ec8f86d8ce1c39c320c97c21d62334d")
    }

    @Test("a stream without an id gives no digest")
    func withoutID() throws {
        var dialogue = Dialogue(try plan(allowsPlain: false, allowsLegacyLogin: true))
        dialogue.happened(.connected(encrypted: true))
        dialogue.happened(
            .received(.opened(Element("stream", namespace: "http://etherx.jabber.org/streams").with("version", "1.0"))))
        try dialogue.server("<features xmlns='http://etherx.jabber.org/streams'>\(Self.feature)</features>")
        try dialogue.server(Self.fields("<username/><digest/><resource/>"))
        #expect(dialogue.pending.last == .fail(.login(.legacyShowsPassword)))
    }

    @Test("the password itself goes out only where that is allowed, and inside TLS")
    func password() throws {
        var allowed = try Self.asked()
        try allowed.server(Self.fields("<username/><password/><resource/>"))
        try allowed.client(Self.answer("<password>pw</password>"))
        for var refused in [try Self.asked(allowsPlain: false), try Self.asked(encrypted: false)] {
            try refused.server(Self.fields("<username/><password/><resource/>"))
            refused.expect(.fail(.login(.legacyShowsPassword)))
            refused.expectNothing()
        }
    }

    @Test("a server that wants neither gets nothing", arguments: ["", "<username/>", "<token/><sequence/>"])
    func nothing(names: String) throws {
        var dialogue = try Self.asked()
        try dialogue.server(Self.fields(names))
        dialogue.expect(.fail(.login(.legacyShowsPassword)))
        dialogue.expectNothing()
    }

    @Test("it stands in where no mechanism can be used, and only there")
    func onlyThen() throws {
        _ = try Self.asked(allowsPlain: false, mechanisms: SASL.mechanisms("PLAIN", "DIGEST-MD5"))
        var dialogue = Dialogue(try plan(allowsLegacyLogin: true))
        dialogue.happened(.connected(encrypted: true))
        dialogue.expect(.openStream(to: "example.test", from: try JID("alice@example.test")))
        try dialogue.serverOpens(SASL.mechanisms("PLAIN", "SCRAM-SHA-256") + Self.feature)
        try dialogue.client(SASL.auth("SCRAM-SHA-256", SCRAMVector.prosody.clientFirst))
    }

    @Test("without leave, after SCRAM, and where the login has to be bound it is not used")
    func forbidden() throws {
        let plans = [
            try plan(), try plan(allowsLegacyLogin: true, proven: .scramSHA1),
            try plan(allowsLegacyLogin: true, channelBinding: .required),
        ]
        let failures: [SASLFailure] = [
            .noMechanism(
                offered: ["DIGEST-MD5", "jabber:iq:auth"], supported: ["SCRAM-SHA-512", "SCRAM-SHA-256", "SCRAM-SHA-1"]),
            .noMechanism(
                offered: ["DIGEST-MD5", "jabber:iq:auth"], supported: ["SCRAM-SHA-512", "SCRAM-SHA-256", "SCRAM-SHA-1"]),
            .cannotBind(.nothingToBindTo, offered: ["DIGEST-MD5"]),
        ]
        for (plan, failure) in zip(plans, failures) {
            var dialogue = Dialogue(plan)
            dialogue.happened(.connected(encrypted: true))
            dialogue.expect(.openStream(to: "example.test", from: try JID("alice@example.test")))
            try dialogue.serverOpens(SASL.mechanisms("DIGEST-MD5") + Self.feature)
            dialogue.expect(.fail(.login(failure)))
            dialogue.expectNothing()
        }
    }

    @Test(
        "each refusal says what was wrong",
        arguments: [
            (
                "<not-authorized xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>",
                NegotiationFailure.login(.refused(.notAuthorized, text: nil))
            ),
            (
                "<not-acceptable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>",
                .login(.refused(.other("not-acceptable"), text: nil))
            ),
            (
                "<conflict xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>",
                .bindRefused(StanzaError(.conflict, kind: .auth))
            ),
        ])
    func refused(condition: String, failure: NegotiationFailure) throws {
        let error = "<error type='auth'>\(condition)</error>"
        var dialogue = try Self.asked()
        try dialogue.server(Self.fields("<username/><digest/><resource/>"))
        try dialogue.client(Self.answer("<digest>\(Self.digestOfS1AndPW)</digest>"))
        try dialogue.server("<iq xmlns='jabber:client' type='error' id='q-auth'>\(error)</iq>")
        dialogue.expect(.fail(failure))
    }

    @Test("an answer of a stranger, or to something else, is none")
    func strangers() throws {
        for attributes in ["id='q-fields' from='mallory@example.test'", "id='q-field'", "id='q-auth'"] {
            var dialogue = try Self.asked()
            try dialogue.server(
                "<iq xmlns='jabber:client' type='result' \(attributes)><query xmlns='jabber:iq:auth'><digest/></query></iq>"
            )
            dialogue.expect(.fail(.unexpected(element: "iq", during: .login)))
        }
    }
}
