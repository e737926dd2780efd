import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("A login with a server that cheats or fails")
struct HostileServerTests {
    @Test("no STARTTLS in the offer: nothing is sent, and the failure says so")
    func stripped() throws {
        for features in [SASL.mechanisms("PLAIN"), SASL.mechanisms("SCRAM-SHA-256"), "", "<starttls/>"] {
            for (goal, allowsPlain) in [(LoginPlan.Goal.session(resource: "r"), true), (.registration, false)] {
                var dialogue = Dialogue(try plan(goal: goal, allowsPlain: allowsPlain))
                dialogue.happened(.connected(encrypted: false))
                dialogue.expect(.openStream(to: "example.test", from: nil))
                try dialogue.serverOpens(features)
                dialogue.expect(.fail(.encryptionNotOffered))
                dialogue.expectNothing()
            }
        }
    }

    @Test("anything between <proceed/> and the handshake is fatal")
    func injected() throws {
        let inputs: [StreamNegotiation.Input] = [
            .receivedBytesAfterProceed,
            .received(.element(try Element.parse("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"))),
            .received(.element(try Element.parse("<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>"))),
            .received(.opened(Dialogue.header())),
            .received(.closed),
            .received(.failed(.notWellFormed(line: 1, reason: "x"))),
        ]
        for input in inputs {
            var dialogue = Dialogue(try plan())
            dialogue.happened(.connected(encrypted: false))
            dialogue.expect(.openStream(to: "example.test", from: nil))
            try dialogue.serverOpens("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
            try dialogue.client("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
            try dialogue.server("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
            dialogue.expect(.startTLS)
            dialogue.happened(input)
            dialogue.expect(.fail(.injectedBeforeTLS))
        }
    }

    @Test("what was offered in the clear is forgotten under TLS")
    func forgotten() throws {
        var dialogue = Dialogue(try plan())
        dialogue.happened(.connected(encrypted: false))
        dialogue.expect(.openStream(to: "example.test", from: nil))
        try dialogue.serverOpens(
            "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>" + SASL.mechanisms("SCRAM-SHA-256"))
        try dialogue.client("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
        try dialogue.server("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
        dialogue.expect(.startTLS)
        dialogue.happened(.tlsEstablished())
        dialogue.expect(.openStream(to: "example.test", from: try JID("alice@example.test")))
        // The same list once more, as if it came through TLS: not before a header.
        try dialogue.server("<features xmlns='http://etherx.jabber.org/streams'>\(SASL.mechanisms("PLAIN"))</features>")
        dialogue.expect(.fail(.unexpected(element: "features", during: .opening)))
    }

    @Test("a refused STARTTLS and a failed handshake end the connection, and nothing secret was sent")
    func refusedTLS() throws {
        var dialogue = Dialogue(try plan(allowsPlain: true))
        dialogue.happened(.connected(encrypted: false))
        dialogue.expect(.openStream(to: "example.test", from: nil))
        try dialogue.serverOpens(
            "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>" + SASL.mechanisms("PLAIN"))
        try dialogue.client("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
        var handshake = dialogue
        try dialogue.server("<failure xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
        dialogue.expect(.fail(.encryptionRefused))
        try handshake.server("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
        handshake.expect(.startTLS)
        handshake.happened(.tlsFailed)
        handshake.expect(.fail(.tlsFailed))
        handshake.expectNothing()
    }

    @Test(
        "a success before the proof, or with a wrong one, is no login",
        arguments: [
            (["success"], SCRAMFault.noProof),
            (["success:v=fs8mRkTPQb0gSzmmFnKZSI4jNgzpErcWKuoYGa5P7fc="], .noProof),
            (["challenge", "success"], .noProof),
            (["challenge", "success:v=AAAARkTPQb0gSzmmFnKZSI4jNgzpErcWKuoYGa5P7fc="], .wrongProof),
            (["challenge", "challenge:v=AAAARkTPQb0gSzmmFnKZSI4jNgzpErcWKuoYGa5P7fc="], .wrongProof),
            (["challenge", "success:e=invalid-proof"], .serverError("invalid-proof")),
            (["challenge:r=wX8MzNcoDvrus5b4HNT58ml2,s=QSXCR+Q6sek8bf92,i=4096"], .nonce),
            (["challenge:r=wX8MzNcoDvrus5b4HNT58ml2x,s=QSXCR+Q6sek8bf92,i=1"], .tooFewIterations(1, least: 4096)),
            (
                ["challenge:r=wX8MzNcoDvrus5b4HNT58ml2x,s=QSXCR+Q6sek8bf92,i=1000000000"],
                .tooManyIterations(1_000_000_000, most: 1_000_000)
            ),
        ])
    func notGenuine(script: [String], fault: SCRAMFault) throws {
        // PLAIN is allowed and offered: a failed SCRAM must not fall back to it.
        var dialogue = Dialogue(try plan(allowsPlain: true))
        try dialogue.secures()
        try dialogue.serverOpens(SASL.mechanisms("PLAIN", "SCRAM-SHA-1", "SCRAM-SHA-256"))
        try dialogue.client(SASL.auth("SCRAM-SHA-256", SCRAMVector.prosody.clientFirst))
        for line in script {
            let parts = line.split(separator: ":", maxSplits: 1)
            if line == "challenge" {
                try dialogue.server(SASL.element("challenge", SCRAMVector.prosody.serverFirst))
                try dialogue.client(SASL.element("response", SCRAMVector.prosody.clientFinal))
            } else {
                try dialogue.server(SASL.element(String(parts[0]), parts.count > 1 ? String(parts[1]) : ""))
            }
        }
        let failure = NegotiationFailure.login(.serverNotGenuine(fault))
        dialogue.expect(.fail(failure))
        dialogue.expectNothing()
        #expect(
            RetryPolicy.verdict(of: failure, everOnline: true, redirects: 0) == .stop(.loginRefused))
    }

    @Test("a refused password is tried once, with no weaker mechanism after it")
    func refused() throws {
        var dialogue = Dialogue(try plan(allowsPlain: true))
        try dialogue.secures()
        try dialogue.serverOpens(SASL.mechanisms("PLAIN", "SCRAM-SHA-1", "SCRAM-SHA-256"))
        try dialogue.client(SASL.auth("SCRAM-SHA-256", SCRAMVector.prosody.clientFirst))
        try dialogue.server(
            """
            <failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/><text xml:lang='en'>no</text></failure>
            """)
        dialogue.expect(.fail(.login(.refused(.notAuthorized, text: "no"))))
        try dialogue.server("<features xmlns='http://etherx.jabber.org/streams'>\(SASL.mechanisms("PLAIN"))</features>")
        dialogue.expectNothing()
    }

    @Test("a second success finds the stream not yet opened again")
    func successTwice() throws {
        var dialogue = Dialogue(try plan())
        try dialogue.secures()
        try dialogue.serverOpens(SASL.mechanisms("SCRAM-SHA-256"))
        try dialogue.logsIn(.prosody, mechanism: "SCRAM-SHA-256")
        try dialogue.server(SASL.element("success", SCRAMVector.prosody.serverFinal))
        dialogue.expect(.fail(.unexpected(element: "success", during: .opening)))
    }

    @Test("features that never change lead nowhere instead of round in circles")
    func loop() throws {
        var tls = Dialogue(try plan())
        try tls.secures()
        try tls.serverOpens("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
        tls.expect(
            .fail(
                .login(.noMechanism(offered: [], supported: ["SCRAM-SHA-512", "SCRAM-SHA-256", "SCRAM-SHA-1"]))))

        var login = Dialogue(try plan())
        try login.secures()
        try login.serverOpens(SASL.mechanisms("SCRAM-SHA-256"))
        try login.logsIn(.prosody, mechanism: "SCRAM-SHA-256")
        try login.serverOpens(SASL.mechanisms("SCRAM-SHA-256"))
        login.expect(.fail(.bindNotOffered))
    }

    @Test("a list of a thousand mechanisms is cut, and a name without end too")
    func flood() throws {
        let many = (0..<1000).map { "<mechanism>X-\($0)</mechanism>" }.joined()
        let long = "<mechanism>\(String(repeating: "X", count: 9000))</mechanism>"
        var dialogue = Dialogue(try plan())
        try dialogue.secures()
        try dialogue.serverOpens("<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(long)\(many)</mechanisms>")
        guard case .fail(.login(.noMechanism(let offered, _)))? = dialogue.pending.first else {
            Issue.record("\(dialogue.pending)")
            return
        }
        #expect(offered.count == 64)
        #expect(offered.allSatisfy { $0.count <= 64 })
    }

    @Test("PLAIN needs TLS, though the operator allows both PLAIN and a stream in the clear")
    func plainInTheClear() throws {
        var dialogue = Dialogue(try plan(encryption: .plaintextAllowed, allowsPlain: true))
        dialogue.happened(.connected(encrypted: false))
        dialogue.expect(.openStream(to: "example.test", from: nil))
        try dialogue.serverOpens(SASL.mechanisms("PLAIN"))
        dialogue.expect(
            .fail(
                .login(
                    .noMechanism(offered: ["PLAIN"], supported: ["SCRAM-SHA-512", "SCRAM-SHA-256", "SCRAM-SHA-1"]))))
    }

    @Test("PLAIN is not taken from a server that took SCRAM before")
    func downgraded() throws {
        var dialogue = Dialogue(try plan(allowsPlain: true, proven: .scramSHA256))
        try dialogue.secures()
        try dialogue.serverOpens(SASL.mechanisms("PLAIN"))
        dialogue.expect(.fail(.login(.plainAfter(.scramSHA256))))
        dialogue.expectNothing()
    }

    @Test(
        "an answer to bind that is no full address of ours, or not the answer, is not taken",
        arguments: [
            ("type='result' id='q-bind'", "", NegotiationFailure.malformedBinding),
            ("type='result' id='q-bind'", "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>", .malformedBinding),
            ("type='result' id='q-bind'", bindResult("alice@example.test"), .malformedBinding),
            ("type='result' id='q-bind'", bindResult("example.test/bellhop"), .malformedBinding),
            ("type='result' id='q-bind'", bindResult("@/"), .malformedBinding),
            ("type='result' id='q-bind'", bindResult(""), .malformedBinding),
            ("type='result' id='q-bind'", "<bind xmlns='urn:x'><jid>a@b/c</jid></bind>", .malformedBinding),
            (
                "type='result' id='q-bind' from='eve@evil.test'", bindResult("alice@example.test/bellhop"),
                .unexpected(element: "iq", during: .binding)
            ),
            (
                "type='result' id='other'", bindResult("alice@example.test/bellhop"),
                .unexpected(element: "iq", during: .binding)
            ),
            (
                "type='set' id='q-bind'", bindResult("alice@example.test/bellhop"),
                .unexpected(element: "iq", during: .binding)
            ),
            ("id='q-bind'", bindResult("a@b/c"), .unexpected(element: "iq", during: .binding)),
            (
                "type='error' id='q-bind'",
                "<error type='cancel'><conflict xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>",
                .bindRefused(StanzaError(.conflict))
            ),
            (
                "type='error' id='q-bind'",
                "<error type='wait'><resource-constraint xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>",
                .bindRefused(StanzaError(.resourceConstraint))
            ),
            ("type='error' id='q-bind'", "", .bindRefused(StanzaError(.undefinedCondition))),
        ])
    func binding(attributes: String, content: String, failure: NegotiationFailure) throws {
        var dialogue = Dialogue(try plan())
        try dialogue.secures()
        try dialogue.serverOpens(SASL.mechanisms("SCRAM-SHA-256"))
        try dialogue.logsIn(.prosody, mechanism: "SCRAM-SHA-256")
        try dialogue.serverOpens("<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>")
        try dialogue.clientAsksForBind()
        try dialogue.server("<iq xmlns='jabber:client' \(attributes)>\(content)</iq>")
        dialogue.expect(.fail(failure))
        dialogue.expectNothing()
    }

    static func bindResult(_ jid: String) -> String {
        "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>\(jid)</jid></bind>"
    }

    @Test("a stanza before the login ends the stream")
    func earlyStanza() throws {
        for stanza in ["message", "presence", "iq"] {
            var dialogue = Dialogue(try plan())
            try dialogue.secures()
            dialogue.happened(.received(.opened(Dialogue.header())))
            try dialogue.server("<\(stanza) xmlns='jabber:client' from='eve@evil.test'/>")
            let failure = NegotiationFailure.unexpected(element: stanza, during: .features)
            dialogue.expect(.fail(failure))
            #expect(failure.parting == StreamError(.unsupportedStanzaType))

            var login = Dialogue(try plan())
            try login.secures()
            try login.serverOpens(SASL.mechanisms("SCRAM-SHA-256"))
            try login.client(SASL.auth("SCRAM-SHA-256", SCRAMVector.prosody.clientFirst))
            try login.server("<\(stanza) xmlns='jabber:client' from='eve@evil.test'/>")
            login.expect(.fail(.unexpected(element: stanza, during: .login)))
        }
    }

    @Test(
        "a stream before 1.0, or no stream at all, is refused",
        arguments: [
            (Dialogue.header(version: nil), NegotiationFailure.unsupportedVersion(nil)),
            (Dialogue.header(version: "0.9"), .unsupportedVersion("0.9")),
            (Dialogue.header(version: ""), .unsupportedVersion("")),
            (Dialogue.header(version: "one"), .unsupportedVersion("one")),
            (Dialogue.header(version: "99999999999999999999.0"), .unsupportedVersion("99999999999999999999")),
            (Element("stream", namespace: "urn:x").with("version", "1.0"), .notAStream(root: "stream")),
            (Element("html", namespace: ""), .notAStream(root: "html")),
        ])
    func header(header: Element, failure: NegotiationFailure) throws {
        var dialogue = Dialogue(try plan())
        dialogue.happened(.connected(encrypted: false))
        dialogue.expect(.openStream(to: "example.test", from: nil))
        dialogue.happened(.received(.opened(header)))
        dialogue.expect(.fail(failure))
        #expect(failure.parting != nil)
    }

    @Test("a later version is taken")
    func laterVersion() throws {
        for version in ["1.0", "1.1", "1", "2.0"] {
            var dialogue = Dialogue(try plan())
            dialogue.happened(.connected(encrypted: false))
            dialogue.expect(.openStream(to: "example.test", from: nil))
            dialogue.happened(.received(.opened(Dialogue.header(version: version))))
            #expect(dialogue.negotiation.phase == .features)
        }
    }

    @Test("a stream error is told with its phase, wherever it comes")
    func streamErrors() throws {
        var dialogue = Dialogue(try plan())
        try dialogue.secures()
        try dialogue.serverOpens(SASL.mechanisms("SCRAM-SHA-256"))
        try dialogue.logsIn(.prosody, mechanism: "SCRAM-SHA-256")
        try dialogue.serverOpens("<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>")
        let error = try Element.parse(
            """
            <error xmlns='http://etherx.jabber.org/streams'>\
            <host-unknown xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></error>
            """)
        var phases: [NegotiationPhase] = []
        for (machine, _) in dialogue.story where machine.phase != .connecting && machine.phase != .handshake {
            var machine = machine
            let phase = machine.phase
            phases.append(phase)
            let actions = machine.handle(.received(.element(error)))
            let encrypted = phases.filter { $0 == .opening }.count > 1
            #expect(
                actions == [.fail(.streamError(StreamError(.hostUnknown), during: phase, encrypted: encrypted))])
        }
        #expect(
            phases == [.opening, .features, .startTLS, .opening, .features, .login, .login, .opening, .features])
    }

    @Test("the end of the connection and of the time are told with the phase")
    func ends() throws {
        var dialogue = Dialogue(try plan())
        try dialogue.secures()
        for (input, failure) in [
            (StreamNegotiation.Input.disconnected, NegotiationFailure.closed(during: .opening)),
            (.received(.closed), .closed(during: .opening)),
            (.timeLimitReached, .timeLimitReached(during: .opening)),
            (
                .received(.failed(.restrictedXML("comment"))),
                .unreadable(.restrictedXML("comment"), during: .opening)
            ),
        ] {
            var copy = dialogue
            copy.happened(input)
            copy.expect(.fail(failure))
            copy.expectNothing()
        }
    }
}
