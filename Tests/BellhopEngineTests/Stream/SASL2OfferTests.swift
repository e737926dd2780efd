import BellhopCrypto
import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("Which of a server's two logins is used (XEP-0388, XEP-0440)")
struct SASL2OfferTests {
    private static let legacy = "<auth xmlns='http://jabber.org/features/iq-auth'/>"

    /// What the client answers to these features, under TLS.
    private func answer(
        _ features: String, _ plan: LoginPlan, bindings: [ChannelBindingType: [UInt8]] = [:]
    ) throws -> StreamNegotiation.Action? {
        var dialogue = Dialogue(plan)
        dialogue.happened(.connected(encrypted: true, bindings: bindings))
        dialogue.expect(.openStream(to: "example.test", from: try JID("alice@example.test")))
        try dialogue.serverOpens(features)
        #expect(dialogue.pending.count == 1)
        return dialogue.pending.first
    }

    /// The element that opens the login, and its mechanism.
    private func login(_ action: StreamNegotiation.Action?) -> [String?] {
        guard case .send(let element)? = action else { return [] }
        return [element.name, element["mechanism"]]
    }

    @Test("SASL2 is not used where it is switched off, in the clear, or without a mechanism that may be used")
    func usesTheOther() throws {
        let both = SASL2.features("SCRAM-SHA-256") + SASL.mechanisms("SCRAM-SHA-256")
        let useless = SASL2.features("PLAIN", "X-OTHER") + SASL.mechanisms("SCRAM-SHA-256")
        for (plan, encrypted, features) in [
            (try plan(), true, both), (try plan(encryption: .plaintextAllowed, sasl2: SASL2.wish), false, both),
            (try plan(sasl2: SASL2.wish), true, useless),
        ] {
            var dialogue = Dialogue(plan)
            dialogue.happened(.connected(encrypted: encrypted))
            dialogue.expect(.openStream(to: "example.test", from: encrypted ? try JID("alice@example.test") : nil))
            try dialogue.serverOpens(features)
            try dialogue.client(SASL.auth("SCRAM-SHA-256", SCRAMVector.prosody.clientFirst))
        }
    }

    @Test("the stronger mechanism decides, whichever of the two offers has it")
    func stronger() throws {
        let wish = try plan(allowsPlain: true, sasl2: SASL2.wish)
        let rows: [(sasl2: [String], sasl: [String], answer: [String])] = [
            (["PLAIN"], ["SCRAM-SHA-1"], ["auth", "SCRAM-SHA-1"]),
            (["SCRAM-SHA-1"], ["PLAIN", "SCRAM-SHA-256"], ["auth", "SCRAM-SHA-256"]),
            (["SCRAM-SHA-256"], ["PLAIN", "SCRAM-SHA-1"], ["authenticate", "SCRAM-SHA-256"]),
            (["SCRAM-SHA-1"], ["SCRAM-SHA-1"], ["authenticate", "SCRAM-SHA-1"]),
            (["PLAIN"], ["PLAIN"], ["authenticate", "PLAIN"]),
            (["PLAIN"], [], ["authenticate", "PLAIN"]),
            ([], ["PLAIN"], ["auth", "PLAIN"]),
        ]
        for row in rows {
            let mechanisms = row.sasl2.map { "<mechanism>\($0)</mechanism>" }.joined()
            let others = row.sasl.map { "<mechanism>\($0)</mechanism>" }.joined()
            let features =
                "<authentication xmlns='urn:xmpp:sasl:2'>\(mechanisms)</authentication>"
                + "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(others)</mechanisms>"
            #expect(login(try answer(features, wish)) == row.answer)
        }
    }

    /// XEP-0440: with SASL2 -PLUS and its types come together.
    static let contradictions: [(mechanisms: [String], types: String, isContradiction: Bool)] = [
        (["SCRAM-SHA-256", "SCRAM-SHA-256-PLUS"], "", true),
        (["SCRAM-SHA-256", "SCRAM-SHA-256-PLUS"], "<sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'/>", true),
        (["SCRAM-SHA-256"], types("tls-exporter"), true),
        (["SCRAM-SHA-256", "SCRAM-SHA-256-PLUS"], types("tls-exporter"), false),
        (["SCRAM-SHA-256"], "", false),
    ]

    private static func types(_ type: String) -> String {
        "<sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'><channel-binding type='\(type)'/></sasl-channel-binding>"
    }

    @Test(
        "an offer that contradicts itself gets no answer where it is the only one, unless nothing is to be bound",
        arguments: contradictions)
    func contradiction(mechanisms: [String], types: String, isContradiction: Bool) throws {
        let list = mechanisms.map { "<mechanism>\($0)</mechanism>" }.joined()
        let features = "<authentication xmlns='urn:xmpp:sasl:2'>\(list)</authentication>" + types
        let bindings: [ChannelBindingType: [UInt8]] = [.exporter: [7]]
        for policy in [ChannelBindingPolicy.auto, .off] {
            let plan = try plan(allowsLegacyLogin: true, channelBinding: policy, sasl2: SASL2.wish)
            let alone = try answer(features + Self.legacy, plan, bindings: bindings)
            let beside = try answer(features + SASL.mechanisms("SCRAM-SHA-256"), plan, bindings: bindings)
            if isContradiction, policy != .off {
                #expect(alone == .fail(.login(.contradictoryOffer)))
                #expect(login(beside) == ["auth", "SCRAM-SHA-256"])
            } else {
                let isBound = mechanisms.count == 2 && policy == .auto
                let expected = ["authenticate", isBound ? "SCRAM-SHA-256-PLUS" : "SCRAM-SHA-256"]
                #expect(login(alone) == expected && login(beside) == expected)
            }
        }
    }

    @Test("where nothing can be used nothing is sent, and the old login never stands in for SASL2")
    func noMechanism() throws {
        let supported = ["SCRAM-SHA-512", "SCRAM-SHA-256", "SCRAM-SHA-1"]
        for (features, offered) in [
            (SASL2.features("PLAIN"), ["PLAIN"]),
            (SASL2.features("PLAIN") + SASL.mechanisms("DIGEST-MD5", "PLAIN"), ["PLAIN", "DIGEST-MD5"]),
            (SASL2.features() + SASL.mechanisms("DIGEST-MD5"), ["DIGEST-MD5"]),
            (SASL2.features(), []),
        ] {
            for plan in [try plan(sasl2: SASL2.wish), try plan(allowsLegacyLogin: true, sasl2: SASL2.wish)] {
                #expect(
                    try answer(features + Self.legacy, plan)
                        == .fail(.login(.noMechanism(offered: offered, supported: supported))))
            }
        }
        // A client that does not speak SASL2 sees what it is.
        #expect(
            try answer(SASL2.features("SCRAM-SHA-256") + Self.legacy, try plan(allowsLegacyLogin: true))
                == .fail(.login(.noMechanism(offered: ["urn:xmpp:sasl:2"], supported: supported))))
    }

    @Test("what one of the two logins has proven counts for the other: after SCRAM there is no PLAIN in either")
    func pinned() throws {
        var first = Dialogue(try plan(sasl2: SASL2.wish))
        try first.proves()
        try first.server(SASL2.success(SCRAMVector.prosody.serverFinal, SASL2.bound))
        let known = first.expectKeys()
        let keys = try #require(known)
        let pinned = try plan(allowsPlain: true, allowsLegacyLogin: true, proven: keys.mechanism, sasl2: SASL2.wish)
        for features in [
            SASL.mechanisms("PLAIN"), SASL2.features("PLAIN"), SASL2.features("PLAIN") + SASL.mechanisms("PLAIN"),
            SASL2.features("PLAIN") + SASL.mechanisms("DIGEST-MD5") + Self.legacy,
        ] {
            #expect(try answer(features, pinned) == .fail(.login(.plainAfter(.scramSHA256))))
        }
        let asked = try answer(SASL2.features("PLAIN") + SASL.mechanisms("SCRAM-SHA-1"), pinned)
        #expect(login(asked) == ["auth", "SCRAM-SHA-1"])
    }

    @Test("a login that has to be bound is bound in either, or there is none")
    func required() throws {
        let plan = try plan(channelBinding: .required, sasl2: SASL2.wish)
        let bindings: [ChannelBindingType: [UInt8]] = [.exporter: [7]]
        let bound = SASL2.features("SCRAM-SHA-1-PLUS", "SCRAM-SHA-256") + Self.types("tls-exporter")
        #expect(
            login(try answer(bound + SASL.mechanisms("SCRAM-SHA-512"), plan, bindings: bindings))
                == ["authenticate", "SCRAM-SHA-1-PLUS"])
        #expect(
            login(
                try answer(
                    SASL2.features("SCRAM-SHA-256") + SASL.mechanisms("SCRAM-SHA-1-PLUS"), plan, bindings: bindings))
                == ["auth", "SCRAM-SHA-1-PLUS"])
        #expect(
            try answer(
                SASL2.features("SCRAM-SHA-256") + SASL.mechanisms("SCRAM-SHA-256"), plan, bindings: bindings)
                == .fail(.login(.cannotBind(.notOffered, offered: ["SCRAM-SHA-256"]))))
    }

    @Test("a certificate logs in only where the server has asked for it, and not in place of a bound login")
    func certificate() throws {
        let offer = SASL2.features("EXTERNAL", "SCRAM-SHA-256", "SCRAM-SHA-256-PLUS") + Self.types("tls-exporter")
        let rows: [(policy: ChannelBindingPolicy, isAsked: Bool, mechanism: String)] = [
            (.auto, true, "EXTERNAL"), (.auto, false, "SCRAM-SHA-256-PLUS"), (.required, true, "SCRAM-SHA-256-PLUS"),
        ]
        for row in rows {
            var plan = try plan(channelBinding: row.policy, sasl2: SASL2.wish)
            plan.certificate = LoginCertificate(addresses: [plan.account])
            var dialogue = Dialogue(plan)
            dialogue.happened(
                .connected(encrypted: true, bindings: [.exporter: [7]], showsCertificate: row.isAsked))
            dialogue.expect(.openStream(to: "example.test", from: plan.account))
            try dialogue.serverOpens(offer + SASL.mechanisms("EXTERNAL", "SCRAM-SHA-256"))
            #expect(login(dialogue.pending.first) == ["authenticate", row.mechanism])
        }
    }

    @Test("the offer that the login answers is the one that is compared (XEP-0474)", arguments: [true, false])
    func compared(isAsSent: Bool) throws {
        // What the server says of itself is what its SASL2 offer was, or what its other offer was.
        let said = SASLOffer(mechanisms: isAsSent ? ["SCRAM-SHA-256", "X-A"] : ["SCRAM-SHA-256"])
        let hash = Hash.sha256.digest(said.mechanisms.sorted().joined(separator: "\u{1E}").utf8.map(\.self))
        var dialogue = Dialogue(try plan(sasl2: SASL2.wish))
        dialogue.happened(.connected(encrypted: true))
        try dialogue.serverOpens(SASL2.features("SCRAM-SHA-256", "X-A") + SASL.mechanisms("SCRAM-SHA-256"))
        try dialogue.server(
            SASL2.element("challenge", SCRAMVector.prosody.serverFirst + ",h=\(Base64.encode(hash))"))
        if isAsSent {
            guard case .send(let response)? = dialogue.pending.last else {
                Issue.record("the right hash was refused")
                return
            }
            #expect(response.is("response", SASL2.namespace))
        } else {
            #expect(dialogue.pending.last == .fail(.login(.serverNotGenuine(.offerChanged))))
        }
    }

    @Test("what a server lists without end is cut, and what it lists twice is there once")
    func bounded() throws {
        let many = String(repeating: "<mechanism>\(String(repeating: "M", count: 500))</mechanism>", count: 200)
        let xml =
            "<features xmlns='http://etherx.jabber.org/streams'><authentication xmlns='urn:xmpp:sasl:2'>\(many)<inline>"
            + "<fast xmlns='urn:xmpp:fast:0'>\(many)</fast></inline></authentication></features>"
        let sasl2 = try #require(ServerFeatures(try Element.parse(xml)).sasl2)
        for list in [sasl2.mechanisms, sasl2.tokens] {
            #expect(list.count == 64 && list.allSatisfy { $0.utf8.count == 64 })
        }
        #expect(!sasl2.resumes && !sasl2.binds && !sasl2.managesStream)
    }
}
