import BellhopCrypto
import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("Logins with tokens (XEP-0484)")
struct TokenTests {
    /// What the client answers to these features: mechanism, and the token that it wants.
    private func opening(
        _ features: String, _ plan: LoginPlan, bindings: [ChannelBindingType: [UInt8]] = Tokens.bindings
    ) throws -> [String?] {
        var dialogue = Dialogue(plan)
        try dialogue.offers(features, bindings: bindings)
        guard dialogue.pending.count == 1, case .send(let element)? = dialogue.pending.first else { return [] }
        return [element["mechanism"], element.child("request-token", "urn:xmpp:fast:0")?["mechanism"]]
    }

    @Test("a proof as others compute it: bot, without a binding")
    func vector() throws {
        let plan = LoginPlan(
            account: try JID("bot@example.test"), credentials: try Credentials(user: "bot", password: "pw"),
            goal: .session(resource: "bellhop"), sasl2: Tokens.wish(Tokens.token(.unbound)), nonce: "n", idPrefix: "q")
        var dialogue = Dialogue(plan)
        try dialogue.offers(Tokens.features("HT-SHA-256-NONE"), bindings: [:])
        guard case .send(let element)? = dialogue.pending.popLast() else {
            Issue.record("no login")
            return
        }
        let response = element.child("initial-response", "urn:xmpp:sasl:2")?.text
        #expect(response == "Ym90AOpr7+8gKP3z+7McoZOF+Xw/Go03PYaDGNRJQTLvSYaE")
        try dialogue.server(Tokens.success(Tokens.proof(.unbound), as: "bot@example.test"))
        dialogue.expect(.token(.accepted(Tokens.token(.unbound))))
    }

    @Test("a token is asked for along with the password's login, and kept once that is proven, before anything else")
    func requested() throws {
        var dialogue = Dialogue(try plan(sasl2: Tokens.wish()))
        try dialogue.offers(Tokens.features("HT-SHA-256-NONE"), bindings: [:])
        try dialogue.provesAgain(SASL2.agent + Tokens.request("HT-SHA-256-NONE"))
        try dialogue.server(
            SASL2.success(SCRAMVector.prosody.serverFinal, as: "alice@example.test", Tokens.granted("fresh")))
        _ = dialogue.expectKeys()
        let expiry = Timestamp("2026-12-12T00:00:00Z")
        dialogue.expect(.token(.granted(LoginToken(.unbound, secret: "fresh", expiry: expiry))))
        dialogue.expectNothing()
        try dialogue.serverLists(SASL2.afterwards)
        try dialogue.binds()
        guard case .online(let bound)? = dialogue.pending.first else {
            Issue.record("no session")
            return
        }
        #expect(bound.method == .sasl(.scramSHA256))
    }

    @Test("a token logs in with one message, bound to the TLS session", arguments: TokenMechanism.allCases)
    func used(mechanism: TokenMechanism) throws {
        var dialogue = Dialogue(try plan(sasl2: Tokens.wish(Tokens.token(mechanism, count: 7))))
        try dialogue.offers(Tokens.features(mechanism.rawValue))
        try dialogue.client(Tokens.authenticate(mechanism, count: 7))
        #expect(dialogue.negotiation.isTokenOpen && dialogue.negotiation.phase == .login)
        #expect(dialogue.negotiation.login == mechanism.rawValue)
        try dialogue.server(Tokens.success(Tokens.proof(mechanism)))
        dialogue.expect(.token(.accepted(Tokens.token(mechanism, count: 7))))
        dialogue.expectNothing()
        #expect(!dialogue.negotiation.isTokenOpen)
        try dialogue.serverLists(SASL2.afterwards)
        try dialogue.binds()
        guard case .online(let bound)? = dialogue.pending.first else {
            Issue.record("no session")
            return
        }
        #expect(bound.method == .token(mechanism) && bound.method.name == mechanism.rawValue)
    }

    @Test("what goes along with other logins goes along with a token's, too, and a new token comes with its success")
    func rotated() throws {
        var wish = Tokens.wish(Tokens.token(.exporter))
        wish.binds = true
        var dialogue = Dialogue(try plan(resumes: true, sasl2: wish))
        let fast = "<fast xmlns='urn:xmpp:fast:0'><mechanism>HT-SHA-256-EXPR</mechanism></fast>"
        try dialogue.offers(SASL2.features("SCRAM-SHA-256", inline: SASL2.all + fast))
        try dialogue.client(
            Tokens.authenticate(.exporter, SASL2.agent + SASL2.resume + SASL2.bind))
        try dialogue.server(
            Tokens.success(
                Tokens.proof(.exporter), as: "alice@example.test/bellhop",
                "<resumed xmlns='urn:xmpp:sm:3' h='3' previd='broken'/>" + Tokens.granted("fresh", expiry: nil)))
        dialogue.expect(.token(.accepted(Tokens.token(.exporter))))
        dialogue.expect(.token(.granted(LoginToken(.exporter, secret: "fresh"))))
        guard case .resumed(let bound, handled: 3)? = dialogue.pending.first else {
            Issue.record("not resumed")
            return
        }
        #expect(bound.method == .token(.exporter) && dialogue.negotiation.isOver)
    }

    // MARK: Which mechanism

    private static let all = Tokens.features("HT-SHA-256-NONE", "HT-SHA-256-ENDP", "HT-SHA-256-UNIQ", "HT-SHA-256-EXPR")

    @Test("the best mechanism that both sides have is asked for, and none without a binding where that is wanted")
    func preference() throws {
        let endPoint: [ChannelBindingType: [UInt8]] = [.serverEndPoint: [4, 5]]
        let rows: [(String, [ChannelBindingType: [UInt8]], ChannelBindingPolicy, String?)] = [
            (Self.all, Tokens.bindings, .auto, "HT-SHA-256-EXPR"),
            (Self.all, endPoint, .auto, "HT-SHA-256-ENDP"),
            (Self.all, [:], .auto, "HT-SHA-256-NONE"),
            (Self.all, Tokens.bindings, .off, "HT-SHA-256-NONE"),
            (Tokens.features("HT-SHA-256-NONE"), Tokens.bindings, .auto, "HT-SHA-256-NONE"),
            (Tokens.features("HT-SHA-256-UNIQ"), Tokens.bindings, .auto, nil),
            (Tokens.features("HT-SHA-512-EXPR", "X"), Tokens.bindings, .auto, nil),
            (SASL2.features("SCRAM-SHA-256"), Tokens.bindings, .auto, nil),
        ]
        for (features, bindings, policy, wanted) in rows {
            let plan = try plan(channelBinding: policy, sasl2: Tokens.wish())
            #expect(try opening(features, plan, bindings: bindings) == ["SCRAM-SHA-256", wanted])
        }
    }

    @Test("where a login must be bound, so must be the token's")
    func required() throws {
        let types =
            "<sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'><channel-binding type='tls-exporter'/></sasl-channel-binding>"
        func features(_ mechanism: String) -> String {
            SASL2.features(
                "SCRAM-SHA-256-PLUS",
                inline: "<fast xmlns='urn:xmpp:fast:0'><mechanism>\(mechanism)</mechanism></fast>") + types
        }
        let unbound = try plan(channelBinding: .required, sasl2: Tokens.wish(Tokens.token(.unbound)))
        #expect(try opening(features("HT-SHA-256-NONE"), unbound) == ["SCRAM-SHA-256-PLUS", nil])
        let bound = try plan(channelBinding: .required, sasl2: Tokens.wish(Tokens.token(.exporter)))
        #expect(try opening(features("HT-SHA-256-EXPR"), bound) == ["HT-SHA-256-EXPR", nil])
    }

    @Test("a token is used with its own mechanism only, and makes room where there is a better one now")
    func changed() throws {
        let rows: [(LoginToken, String, [String?])] = [
            (Tokens.token(.unbound), Tokens.features("HT-SHA-256-NONE"), ["HT-SHA-256-NONE", nil]),
            (Tokens.token(.unbound), Self.all, ["SCRAM-SHA-256", "HT-SHA-256-EXPR"]),
            (Tokens.token(.endPoint), Self.all, ["SCRAM-SHA-256", "HT-SHA-256-EXPR"]),
            (
                Tokens.token(.exporter), Tokens.features("HT-SHA-256-ENDP", "HT-SHA-256-NONE"),
                ["SCRAM-SHA-256", "HT-SHA-256-ENDP"]
            ),
            // Whoever hides the bound ones gets no other.
            (Tokens.token(.exporter), Tokens.features("HT-SHA-256-NONE"), ["SCRAM-SHA-256", nil]),
            (Tokens.token(.endPoint), Tokens.features("HT-SHA-256-NONE"), ["SCRAM-SHA-256", nil]),
            (Tokens.token(.exporter), SASL2.features("SCRAM-SHA-256"), ["SCRAM-SHA-256", nil]),
        ]
        for (token, features, wanted) in rows {
            #expect(try opening(features, plan(sasl2: Tokens.wish(token))) == wanted)
        }
        let both = Tokens.wish(Tokens.token(.unbound), Tokens.token(.exporter))
        #expect(try opening(Tokens.features("HT-SHA-256-NONE"), plan(sasl2: both)) == ["SCRAM-SHA-256", nil])
    }

    @Test("no token where the password's login would not be one of SASL2, or could not be made at all")
    func noWayAround() throws {
        let wish = Tokens.wish(Tokens.token(.exporter))
        let fast = "<fast xmlns='urn:xmpp:fast:0'><mechanism>HT-SHA-256-EXPR</mechanism></fast>"
        // PLAIN alone, where SCRAM was seen before.
        let plain = try plan(allowsPlain: true, proven: .scramSHA256, sasl2: wish)
        var dialogue = Dialogue(plain)
        try dialogue.offers(SASL2.features("PLAIN", inline: fast))
        dialogue.expect(.fail(.login(.plainAfter(.scramSHA256))))
        // The other login is the stronger one.
        let weaker = SASL2.features("SCRAM-SHA-1", inline: fast) + SASL.mechanisms("SCRAM-SHA-256")
        #expect(try opening(weaker, plan(sasl2: wish)) == ["SCRAM-SHA-256", nil])
        // Without a name that lasts, without tokens, and where none is to be shown.
        #expect(
            try opening(Self.all, plan(sasl2: SASL2Wish(tokens: LoginTokens([Tokens.token(.exporter)])))) == [
                "SCRAM-SHA-256", nil,
            ])
        #expect(try opening(Self.all, plan(sasl2: SASL2.wish)) == ["SCRAM-SHA-256", nil])
        let kept = Tokens.wish(Tokens.token(.exporter), presents: false)
        #expect(try opening(Self.all, plan(sasl2: kept)) == ["SCRAM-SHA-256", "HT-SHA-256-EXPR"])
        // A certificate needs no token.
        var certified = try plan(sasl2: wish)
        certified.certificate = LoginCertificate(addresses: [certified.account])
        #expect(try opening(SASL2.features("EXTERNAL", inline: fast), certified) == ["EXTERNAL", nil])
    }

    @Test("nothing of a token is said in the clear")
    func inTheClear() throws {
        var dialogue = Dialogue(
            try plan(encryption: .plaintextAllowed, sasl2: Tokens.wish(Tokens.token(.unbound))))
        dialogue.happened(.connected(encrypted: false))
        dialogue.expect(.openStream(to: "example.test", from: nil))
        try dialogue.serverOpens(Tokens.features("HT-SHA-256-NONE") + SASL.mechanisms("SCRAM-SHA-256"))
        try dialogue.client(SASL.auth("SCRAM-SHA-256", SCRAMVector.prosody.clientFirst))
    }

    // MARK: Refusals, and servers that prove nothing

    @Test(
        "a token that is refused is dropped, and the password logs in on the same stream, whatever the refusal says",
        arguments: ["not-authorized", "credentials-expired", "temporary-auth-failure", "account-disabled", "x"])
    func refused(condition: String) throws {
        var dialogue = Dialogue(try plan(sasl2: Tokens.wish(Tokens.token(.unbound))))
        try dialogue.offers(Tokens.features("HT-SHA-256-NONE"), bindings: [:])
        try dialogue.client(Tokens.authenticate(.unbound))
        try dialogue.server(Tokens.failure(condition))
        dialogue.expect(.token(.refused(Tokens.token(.unbound))))
        #expect(!dialogue.negotiation.isTokenOpen)
        try dialogue.provesAgain(SASL2.agent + Tokens.request("HT-SHA-256-NONE"))
        try dialogue.server(
            SASL2.success(
                SCRAMVector.prosody.serverFinal, as: "alice@example.test", Tokens.granted("fresh", expiry: nil)))
        _ = dialogue.expectKeys()
        dialogue.expect(.token(.granted(LoginToken(.unbound, secret: "fresh"))))
    }

    @Test(
        "a stream is shown one token: the password is next, and its refusal counts; the token before stays for the next stream"
    )
    func former() throws {
        let new = Tokens.token(.unbound, secret: "new")
        var dialogue = Dialogue(try plan(sasl2: Tokens.wish(new, Tokens.token(.unbound))))
        try dialogue.offers(Tokens.features("HT-SHA-256-NONE"), bindings: [:])
        dialogue.pending = []
        try dialogue.server(Tokens.failure("not-authorized"))
        dialogue.expect(.token(.refused(new)))
        try dialogue.client(
            SASL2.authenticate(
                "SCRAM-SHA-256", SCRAMVector.prosody.clientFirst, SASL2.agent + Tokens.request("HT-SHA-256-NONE")))
        try dialogue.server(Tokens.failure("not-authorized"))
        dialogue.expect(.fail(.login(.refused(.notAuthorized, text: nil))))
    }

    @Test("behind a refused token the server may close the stream instead of taking the password")
    func closed() throws {
        var dialogue = Dialogue(try plan(sasl2: Tokens.wish(Tokens.token(.unbound))))
        try dialogue.offers(Tokens.features("HT-SHA-256-NONE"), bindings: [:])
        dialogue.pending = []
        try dialogue.server(Tokens.failure("not-authorized"))
        dialogue.expect(.token(.refused(Tokens.token(.unbound))))
        _ = dialogue.pending.popLast()
        dialogue.happened(.received(.closed))
        dialogue.expect(.fail(.closed(during: .login)))
    }

    /// What ends a token's login without its being refused.
    static let attacks: [(answer: String, failure: NegotiationFailure)] = [
        (Tokens.success(nil), .login(.tokenNotProven)),
        (Tokens.success(""), .login(.tokenNotProven)),
        (Tokens.success("*"), .login(.tokenNotProven)),
        (Tokens.success("QUFB"), .login(.tokenNotProven)),
        // Of another type of binding, of the client's own words, and of the password's login.
        (Tokens.success(Tokens.proof(.unbound)), .login(.tokenNotProven)),
        (Tokens.success(String(Tokens.initial(.exporter).dropFirst(8))), .login(.tokenNotProven)),
        (SASL2.success(SCRAMVector.prosody.serverFinal), .login(.tokenNotProven)),
        (Tokens.success("QUFB", Tokens.granted("theirs")), .login(.tokenNotProven)),
        (SASL2.element("success", "v=AAAA"), .login(.tokenNotProven)),
        (SASL2.element("challenge", "r=x"), .login(.unexpected("challenge"))),
        (SASL.element("success", "x"), .unexpected(element: "success", during: .login)),
        (SASL.element("failure"), .unexpected(element: "failure", during: .login)),
        ("<message xmlns='jabber:client'/>", .unexpected(element: "message", during: .login)),
        (
            Tokens.success(Tokens.proof(.exporter), as: "carol@example.test", Tokens.granted("theirs")),
            .login(.anotherAccount("carol@example.test"))
        ),
    ]

    @Test(
        "a server that does not prove that it knows the token gets nothing more, and gives nothing", arguments: attacks)
    func notGenuine(answer: String, failure: NegotiationFailure) throws {
        var dialogue = Dialogue(try plan(sasl2: Tokens.wish(Tokens.token(.exporter))))
        try dialogue.offers(Tokens.features("HT-SHA-256-EXPR"))
        try dialogue.client(Tokens.authenticate(.exporter))
        try dialogue.server(answer)
        dialogue.expect(.fail(failure))
        dialogue.expectNothing()
    }

    @Test("tasks are given up, as with a password")
    func tasks() throws {
        var dialogue = Dialogue(try plan(sasl2: Tokens.wish(Tokens.token(.exporter))))
        try dialogue.offers(Tokens.features("HT-SHA-256-EXPR"))
        dialogue.pending = []
        try dialogue.server("<continue xmlns='urn:xmpp:sasl:2'><tasks><task>TOTP</task></tasks></continue>")
        try dialogue.client("<abort xmlns='urn:xmpp:sasl:2'/>")
        dialogue.expect(.fail(.login(.tasksWanted(["TOTP"]))))
    }

    @Test(
        "a token that was not asked for, is empty or too large is none",
        arguments: [
            (true, Tokens.granted("")), (true, "<token xmlns='urn:xmpp:fast:0'/>"),
            (true, Tokens.granted(String(repeating: "x", count: 4_097))), (true, "<token xmlns='x' token='y'/>"),
            (false, Tokens.granted("fresh")),
        ])
    func noToken(isAskedFor: Bool, granted: String) throws {
        var dialogue = Dialogue(
            try plan(sasl2: isAskedFor ? Tokens.wish() : SASL2Wish(userAgent: SASL2.wish.userAgent)))
        try dialogue.offers(Tokens.features("HT-SHA-256-NONE"), bindings: [:])
        try dialogue.provesAgain(SASL2.agent + (isAskedFor ? Tokens.request("HT-SHA-256-NONE") : ""))
        try dialogue.server(SASL2.success(SCRAMVector.prosody.serverFinal, as: "alice@example.test", granted))
        _ = dialogue.expectKeys()
        dialogue.expectNothing()
        #expect(!dialogue.negotiation.isOver)
    }

    @Test("an expiry that cannot be read is none")
    func unreadableExpiry() throws {
        var dialogue = Dialogue(try plan(sasl2: Tokens.wish()))
        try dialogue.offers(Tokens.features("HT-SHA-256-NONE"), bindings: [:])
        try dialogue.provesAgain(SASL2.agent + Tokens.request("HT-SHA-256-NONE"))
        try dialogue.server(
            SASL2.success(
                SCRAMVector.prosody.serverFinal, as: "alice@example.test", Tokens.granted("fresh", expiry: "tomorrow")))
        _ = dialogue.expectKeys()
        dialogue.expect(.token(.granted(LoginToken(.unbound, secret: "fresh"))))
    }

    /// A machine that waits for what the server says of a token.
    static func everyState() throws -> [StreamNegotiation] {
        var shown = try Dialogue(plan(sasl2: Tokens.wish(Tokens.token(.unbound))))
        try shown.offers(Tokens.features("HT-SHA-256-NONE"))
        let open = shown.negotiation
        try shown.server(Tokens.failure("not-authorized"))
        return [open, shown.negotiation]
    }

    /// What means something in those states.
    static let samples = [
        Tokens.success(Tokens.proof(.unbound)), Tokens.success(Tokens.proof(.unbound), Tokens.granted("fresh")),
        Tokens.success(nil), Tokens.failure("not-authorized"),
    ]
}
