import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

/// Logins as they go with real servers; features and SCRAM messages are those that the servers sent.
@Suite("A login with a real server's words")
struct ServerDialogueTests {
    @Test("Prosody 0.12: STARTTLS, SCRAM-SHA-256, bind, no session since it is optional")
    func prosody() throws {
        var dialogue = Dialogue(try plan(.prosody))
        try dialogue.secures()
        try dialogue.serverOpens(
            "<register xmlns='http://jabber.org/features/iq-register'/>" + SASL.mechanisms("SCRAM-SHA-256", "PLAIN"))
        try dialogue.logsIn(.prosody, mechanism: "SCRAM-SHA-256")
        try dialogue.serverOpens(Self.prosodyAfterLogin)
        try dialogue.binds()
        var features = ServerFeatures()
        features.bind = true
        features.session = .optional
        features.streamManagement = true
        features.rosterVersioning = true
        features.preApproval = true
        dialogue.expect(
            .online(
                Bound(
                    jid: try JID("alice@example.test/bellhop"), method: .sasl(.scramSHA256), encrypted: true,
                    features: features)))
        dialogue.expectNothing()
        #expect(dialogue.negotiation.isOver)
    }

    static let prosodyAfterLogin = """
        <csi xmlns='urn:xmpp:csi:0'/><sm xmlns='urn:xmpp:sm:2'><optional/></sm><sm xmlns='urn:xmpp:sm:3'><optional/></sm>\
        <sub xmlns='urn:xmpp:features:pre-approval'/><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><required/></bind>\
        <session xmlns='urn:ietf:params:xml:ns:xmpp-session'><optional/></session>\
        <ver xmlns='urn:xmpp:features:rosterver'/>
        """

    @Test("ejabberd 23.01: -PLUS mechanisms are passed over while we cannot bind to the channel")
    func ejabberd() throws {
        var dialogue = Dialogue(try plan(.ejabberd))
        try dialogue.secures()
        try dialogue.serverOpens(
            SASL.mechanisms("PLAIN", "SCRAM-SHA-1-PLUS", "SCRAM-SHA-1")
                + "<register xmlns='http://jabber.org/features/iq-register'/>")
        try dialogue.logsIn(.ejabberd, mechanism: "SCRAM-SHA-1")
        try dialogue.serverOpens(
            """
            <bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>\
            <session xmlns='urn:ietf:params:xml:ns:xmpp-session'><optional/></session><sm xmlns='urn:xmpp:sm:3'/>
            """)
        try dialogue.clientAsksForBind()
        try dialogue.server(
            """
            <iq xmlns='jabber:client' xml:lang='en' to='alice@example.test/bellhop' from='alice@example.test' \
            type='result' id='q-bind'>\
            <bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>alice@example.test/bellhop</jid></bind></iq>
            """)
        #expect(try bound(&dialogue)?.jid == JID("alice@example.test/bellhop"))
    }

    @Test("Openfire 4.2 in the clear: the bound address has the server's own domain, the answer's `to` is not ours")
    func openfire() throws {
        var dialogue = Dialogue(try plan(.openfire, encryption: .plaintextAllowed))
        dialogue.happened(.connected(encrypted: false))
        dialogue.expect(.openStream(to: "example.test", from: nil))
        try dialogue.serverOpens(
            SASL.mechanisms("PLAIN", "SCRAM-SHA-1", "CRAM-MD5", "DIGEST-MD5")
                + "<compression xmlns='http://jabber.org/features/compress'><method>zlib</method></compression>")
        try dialogue.logsIn(.openfire, mechanism: "SCRAM-SHA-1", from: nil)
        try dialogue.serverOpens(
            """
            <compression xmlns='http://jabber.org/features/compress'><method>zlib</method></compression>\
            <bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>\
            <session xmlns='urn:ietf:params:xml:ns:xmpp-session'><optional/></session><sm xmlns='urn:xmpp:sm:3'/>
            """)
        try dialogue.clientAsksForBind()
        try dialogue.server(
            """
            <iq xmlns='jabber:client' type='result' id='q-bind' to='localhost/akpua0rz2n'>\
            <bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>alice@localhost/bellhop</jid></bind></iq>
            """)
        let bound = try bound(&dialogue)
        #expect(try bound?.jid == JID("alice@localhost/bellhop"))
        #expect(bound?.encrypted == false)
    }

    @Test("Openfire 5 with optional TLS: TLS comes first, features said twice change nothing, limits are read")
    func openfire5() throws {
        let limits = """
            <limits xmlns='urn:xmpp:stream-limits:0'><max-bytes>1048576</max-bytes><idle-seconds>360</idle-seconds></limits>
            """
        var dialogue = Dialogue(try plan(.openfire))
        dialogue.happened(.connected(encrypted: false))
        dialogue.expect(.openStream(to: "example.test", from: nil))
        try dialogue.serverOpens(
            "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>" + SASL.mechanisms("PLAIN", "SCRAM-SHA-1") + limits)
        try dialogue.client("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
        try dialogue.server("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
        dialogue.expect(.startTLS)
        dialogue.happened(.tlsEstablished())
        dialogue.expect(.openStream(to: "example.test", from: try JID("alice@example.test")))
        let mechanisms = SASL.mechanisms("SCRAM-SHA-1-PLUS", "SCRAM-SHA-1")
        let twice = """
            \(mechanisms)<sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'>\
            <channel-binding type='tls-exporter'/></sasl-channel-binding>\(limits)\(limits)
            """
        try dialogue.serverOpens(twice)
        try dialogue.server("<features xmlns='http://etherx.jabber.org/streams'>\(twice)</features>")
        try dialogue.logsIn(.openfire, mechanism: "SCRAM-SHA-1")
        let after = "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/><sm xmlns='urn:xmpp:sm:3'/>\(limits)"
        try dialogue.serverOpens(after)
        try dialogue.server("<features xmlns='http://etherx.jabber.org/streams'>\(after)</features>")
        try dialogue.binds()
        let bound = try bound(&dialogue)
        #expect(bound?.features.maxBytes == 1_048_576)
        #expect(bound?.features.idleSeconds == 360)
    }

    @Test("jabberd2: PLAIN alone is used only where it is allowed, and there is no session to ask for")
    func jabberd2() throws {
        for allowed in [true, false] {
            var dialogue = Dialogue(try plan(.prosody, allowsPlain: allowed))
            dialogue.happened(.connected(encrypted: false))
            dialogue.expect(.openStream(to: "example.test", from: nil))
            try dialogue.serverOpens(
                """
                <address xmlns='http://affinix.com/jabber/address'>127.0.0.1</address>\
                \(SASL.mechanisms("PLAIN", "DIGEST-MD5"))<auth xmlns='http://jabber.org/features/iq-auth'/>\
                <starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'></starttls>
                """)
            try dialogue.client("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
            try dialogue.server("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
            dialogue.expect(.startTLS)
            dialogue.happened(.tlsEstablished())
            dialogue.expect(.openStream(to: "example.test", from: try JID("alice@example.test")))
            try dialogue.serverOpens(SASL.mechanisms("EXTERNAL", "PLAIN", "DIGEST-MD5"))
            guard allowed else {
                dialogue.expect(
                    .fail(
                        .login(
                            .noMechanism(
                                offered: ["EXTERNAL", "PLAIN", "DIGEST-MD5"],
                                supported: ["SCRAM-SHA-512", "SCRAM-SHA-256", "SCRAM-SHA-1"]))))
                continue
            }
            try dialogue.client(SASL.auth("PLAIN", "\0alice\0pw"))
            try dialogue.server("<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>")
            dialogue.expect(.openStream(to: "example.test", from: try JID("alice@example.test")))
            try dialogue.serverOpens(
                """
                <ack xmlns='http://www.xmpp.org/extensions/xep-0198.html#ns'/>\
                <bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><required/></bind>\
                <unbind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>
                """)
            try dialogue.binds()
            #expect(try bound(&dialogue)?.method == .sasl(.plain))
        }
    }

    @Test("an old server that insists on the session request gets it")
    func session() throws {
        var dialogue = Dialogue(try plan())
        try dialogue.secures()
        try dialogue.serverOpens(SASL.mechanisms("SCRAM-SHA-256"))
        try dialogue.logsIn(.prosody, mechanism: "SCRAM-SHA-256")
        try dialogue.serverOpens(
            """
            <bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/><session xmlns='urn:ietf:params:xml:ns:xmpp-session'/>
            """)
        try dialogue.binds("alice@own.test/bellhop")
        try dialogue.client(
            """
            <iq xmlns='jabber:client' type='set' id='q-session'>\
            <session xmlns='urn:ietf:params:xml:ns:xmpp-session'/></iq>
            """)
        dialogue.expectNothing()
        var refused = dialogue
        try dialogue.server("<iq xmlns='jabber:client' type='result' id='q-session' from='own.test'/>")
        #expect(try bound(&dialogue)?.jid == JID("alice@own.test/bellhop"))

        try refused.server(
            """
            <iq xmlns='jabber:client' type='error' id='q-session'><error type='wait'>\
            <internal-server-error xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>
            """)
        refused.expect(.fail(.sessionRefused(StanzaError(.internalServerError, kind: .wait))))
    }

    @Test("direct TLS: the first header says who we are, and STARTTLS is not asked for again")
    func directTLS() throws {
        var dialogue = Dialogue(try plan())
        dialogue.happened(.connected(encrypted: true))
        dialogue.expect(.openStream(to: "example.test", from: try JID("alice@example.test")))
        try dialogue.serverOpens(
            "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>" + SASL.mechanisms("SCRAM-SHA-256"))
        try dialogue.logsIn(.prosody, mechanism: "SCRAM-SHA-256")
    }

    @Test("pretty-printed features mean the same")
    func prettyPrinted() throws {
        var dialogue = Dialogue(try plan())
        try dialogue.secures()
        try dialogue.serverOpens(
            """

              <mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>
                <mechanism>
                  SCRAM-SHA-256
                </mechanism>
              </mechanisms>

            """)
        try dialogue.logsIn(.prosody, mechanism: "SCRAM-SHA-256")
    }

    @Test("in the clear where allowed: TLS only for a server that insists, or that offers no login without it")
    func plaintextAllowed() throws {
        let offers = [
            ("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>" + SASL.mechanisms("SCRAM-SHA-256"), false),
            ("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>", true),
            (
                "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>"
                    + SASL.mechanisms("SCRAM-SHA-256"), true
            ),
            ("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>", true),
        ]
        for (features, encrypts) in offers {
            var dialogue = Dialogue(try plan(encryption: .plaintextAllowed))
            dialogue.happened(.connected(encrypted: false))
            dialogue.expect(.openStream(to: "example.test", from: nil))
            try dialogue.serverOpens(features)
            try dialogue.client(
                encrypts
                    ? "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"
                    : SASL.auth("SCRAM-SHA-256", SCRAMVector.prosody.clientFirst))
        }
    }

    /// The session that was just granted.
    private func bound(_ dialogue: inout Dialogue) throws -> Bound? {
        guard case .online(let bound)? = dialogue.pending.first, dialogue.pending.count == 1 else {
            Issue.record("not online: \(dialogue.pending)")
            return nil
        }
        return bound
    }
}
