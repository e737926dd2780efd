import BellhopCrypto
import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("Servers that do not keep to SASL2 (XEP-0388, XEP-0386, XEP-0198)")
struct SASL2HostileTests {
    @Test("refusals mean what they mean without SASL2, with the server's words")
    func refused() throws {
        var dialogue = Dialogue(try plan(sasl2: SASL2.wish))
        try dialogue.proves()
        try dialogue.server(
            """
            <failure xmlns='urn:xmpp:sasl:2'><not-authorized xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>\
            <text>Try harder</text></failure>
            """)
        dialogue.expect(.fail(.login(.refused(.notAuthorized, text: "Try harder"))))
    }

    @Test("tasks are given up by name")
    func tasks() throws {
        var dialogue = Dialogue(try plan(sasl2: SASL2.wish))
        try dialogue.proves()
        try dialogue.server(
            """
            <continue xmlns='urn:xmpp:sasl:2'><additional-data>\(SASL.encoded(SCRAMVector.prosody.serverFinal))\
            </additional-data><tasks><task>HOTP-EXAMPLE</task><task>TOTP-EXAMPLE</task></tasks></continue>
            """)
        try dialogue.client("<abort xmlns='urn:xmpp:sasl:2'/>")
        dialogue.expect(.fail(.login(.tasksWanted(["HOTP-EXAMPLE", "TOTP-EXAMPLE"]))))
        dialogue.expectNothing()
    }

    private static let gone = "<failed xmlns='urn:xmpp:sm:3' h='5'><item-not-found/></failed>"
    private static let resumed = "<resumed xmlns='urn:xmpp:sm:3' h='3' previd='broken'/>"
    private static let huge = String(repeating: "x", count: 40_000)

    /// Answers to our proof that end the login, whether the keys may be kept, and what it is.
    static let attacks: [(answer: String, keeps: Bool, failure: NegotiationFailure)] = [
        (SASL2.success("v=AAAA", SASL2.bound), false, .login(.serverNotGenuine(.wrongProof))),
        (SASL2.success(nil, SASL2.bound), false, .login(.serverNotGenuine(.noProof))),
        (SASL2.success("", SASL2.bound), false, .login(.serverNotGenuine(.noProof))),
        (
            "<success xmlns='urn:xmpp:sasl:2'><additional-data>*</additional-data></success>", false,
            .login(.serverNotGenuine(.malformed))
        ),
        // The other login's success, which carries the proof in its text.
        (
            SASL.element("success", SCRAMVector.prosody.serverFinal), false,
            .unexpected(element: "success", during: .login)
        ),
        (SASL2.element("success", SCRAMVector.prosody.serverFinal), false, .login(.serverNotGenuine(.noProof))),
        (proven(as: "alice@example.test", SASL2.bound), true, .malformedBinding),
        (proven(as: "example.test/x", SASL2.bound), true, .malformedBinding),
        (
            proven("<resumed xmlns='urn:xmpp:sm:3' h='3' previd='broken'/>"), true,
            .unexpected(element: "resumed", during: .login)
        ),
        (proven(SASL2.bound + SASL2.bound), true, .unexpected(element: "bound", during: .login)),
        (proven(SASL2.bound + resumed), true, .unexpected(element: "resumed", during: .login)),
        (
            proven(SASL2.bound + "<authorization-identifier>mallory@example.test</authorization-identifier>"), true,
            .unexpected(element: "authorization-identifier", during: .login)
        ),
        (proven(as: huge + "@example.test/x", SASL2.bound), true, .malformedBinding),
        (proven(as: "alice@example.test/" + huge, SASL2.bound), true, .malformedBinding),
        (proven(as: "", SASL2.bound), true, .malformedBinding),
        (SASL2.success(huge, SASL2.bound), false, .login(.serverNotGenuine(.malformed))),
        (SASL2.element("challenge", "r=" + huge), false, .login(.serverNotGenuine(.noProof))),
        ("<\(huge.prefix(1_000)) xmlns='urn:xmpp:sasl:2'/>", false, .login(.unexpected(String(huge.prefix(100))))),
        ("<message xmlns='jabber:client'/>", false, .unexpected(element: "message", during: .login)),
        ("<parameters xmlns='urn:xmpp:sasl:2'/>", false, .login(.unexpected("parameters"))),
    ]

    private static func proven(as jid: String = "alice@example.test/x", _ more: String) -> String {
        SASL2.success(SCRAMVector.prosody.serverFinal, as: jid, more)
    }

    @Test("a server that does not keep to the exchange gets no session", arguments: attacks)
    func hostile(answer: String, keeps: Bool, failure: NegotiationFailure) throws {
        var dialogue = Dialogue(try plan(sasl2: SASL2.wish))
        try dialogue.proves()
        try dialogue.server(answer)
        if keeps { _ = dialogue.expectKeys() }
        dialogue.expect(.fail(failure))
        dialogue.expectNothing()
    }

    @Test("a success before any challenge proves nothing")
    func early() throws {
        var dialogue = Dialogue(try plan(sasl2: SASL2.wish))
        dialogue.happened(.connected(encrypted: true))
        try dialogue.serverOpens(SASL2.features("SCRAM-SHA-256"))
        try dialogue.server(SASL2.success(SCRAMVector.prosody.serverFinal, SASL2.bound))
        #expect(dialogue.pending.last == .fail(.login(.serverNotGenuine(.noProof))))
    }

    @Test("a binding that was not asked for is refused")
    func boundUnasked() throws {
        var dialogue = Dialogue(try plan(sasl2: SASL2Wish(userAgent: SASL2.wish.userAgent)))
        try dialogue.proves(requests: SASL2.agent)
        try dialogue.succeeds(SASL2.bound)
        dialogue.expect(.fail(.unexpected(element: "bound", during: .login)))
    }

    @Test(
        "another stream than the broken one is not gone on with",
        arguments: ["h='3' previd='another'", "previd='broken'", "h='-1' previd='broken'"])
    func resumedAnother(attributes: String) throws {
        var dialogue = Dialogue(try plan(resumes: true, sasl2: SASL2.wish))
        try dialogue.proves(requests: SASL2.agent + SASL2.resume + SASL2.bind)
        try dialogue.succeeds("<resumed xmlns='urn:xmpp:sm:3' \(attributes)/>")
        dialogue.expect(.resumptionFailed(handled: nil))
        dialogue.expect(.fail(.unexpected(element: "resumed", during: .login)))
    }

    @Test("between the binding and the features nothing else may come")
    func beforeFeatures() throws {
        var dialogue = Dialogue(try plan(sasl2: SASL2.wish))
        try dialogue.proves()
        try dialogue.succeeds(SASL2.bound)
        try dialogue.server("<message xmlns='jabber:client'/>")
        dialogue.expect(.fail(.unexpected(element: "message", during: .binding)))
    }

    // MARK: Other accounts, and answers that never come

    @Test(
        "whoever is taken for somebody else has no session, whatever else the server grants",
        arguments: ["carol@example.test/x", "carol@example.test", "alice@other.test/x", "alice@sub.example.test"],
        ["", SASL2.bound, "<resumed xmlns='urn:xmpp:sm:3' h='3' previd='broken'/>"])
    func anotherAccount(jid: String, granted: String) throws {
        var dialogue = Dialogue(try plan(resumes: true, sasl2: SASL2.wish))
        try dialogue.proves(requests: SASL2.agent + SASL2.resume + SASL2.bind)
        try dialogue.succeeds(as: jid, granted)
        dialogue.expect(.fail(.login(.anotherAccount(try JID(jid).bareText))))
        dialogue.expectNothing()
    }

    @Test("the account's name is the same in other letters")
    func sameAccount() throws {
        var dialogue = Dialogue(try plan(sasl2: SASL2.wish))
        try dialogue.proves()
        try dialogue.succeeds(as: "Alice@EXAMPLE.test/Bellhop~x1", SASL2.bound)
        dialogue.expectNothing()
        try dialogue.serverLists(SASL2.afterwards)
        guard case .online(let bound)? = dialogue.pending.first else {
            Issue.record("no session")
            return
        }
        #expect(try bound.jid == JID("alice@example.test/Bellhop~x1"))
    }

    @Test("features that never come are waited for as long as a login may take", arguments: [SASL2.bound, ""])
    func silence(granted: String) throws {
        var dialogue = Dialogue(try plan(sasl2: SASL2.wish))
        try dialogue.proves()
        try dialogue.succeeds(granted)
        dialogue.expectNothing()
        #expect(!dialogue.negotiation.isOver)
        dialogue.happened(.timeLimitReached)
        dialogue.expect(.fail(.timeLimitReached(during: granted.isEmpty ? .features : .binding)))
    }

    @Test("tasks are given up whenever they come, and what is said of them is short")
    func endlessTasks() throws {
        let task = "<task>\(Self.huge)</task>"
        let tasks = "<tasks>\(String(repeating: task, count: 20))</tasks>"
        for isProven in [true, false] {
            var dialogue = Dialogue(try plan(sasl2: SASL2.wish))
            if isProven {
                try dialogue.proves()
            } else {
                dialogue.happened(.connected(encrypted: true))
                try dialogue.serverOpens(SASL2.features("SCRAM-SHA-256"))
                dialogue.pending = []
            }
            try dialogue.server("<continue xmlns='urn:xmpp:sasl:2'>\(tasks)</continue>")
            try dialogue.client("<abort xmlns='urn:xmpp:sasl:2'/>")
            let cut = String(repeating: "x", count: 100)
            dialogue.expect(.fail(.login(.tasksWanted(Array(repeating: cut, count: 8)))))
            dialogue.expectNothing()
        }
    }

    @Test("a server's words about a refusal are cut")
    func longRefusal() throws {
        var dialogue = Dialogue(try plan(sasl2: SASL2.wish))
        try dialogue.proves()
        try dialogue.server(
            "<failure xmlns='urn:xmpp:sasl:2'><account-disabled xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>"
                + "<text>\(Self.huge)</text></failure>")
        dialogue.expect(
            .fail(.login(.refused(.accountDisabled, text: String(repeating: "x", count: 300)))))
    }

    @Test("that a stream is gone is told once, however often the server says it", arguments: [true, false])
    func goneTwice(isTwice: Bool) throws {
        var dialogue = Dialogue(try plan(resumes: true, sasl2: SASL2.wish))
        try dialogue.proves(requests: SASL2.agent + SASL2.resume + SASL2.bind)
        try dialogue.succeeds(Self.gone + (isTwice ? Self.gone : "") + SASL2.bound)
        dialogue.expect(.resumptionFailed(handled: 5))
        dialogue.expectNothing()
        try dialogue.serverLists(SASL2.afterwards)
        #expect(dialogue.pending.count == 1 && dialogue.negotiation.isOver)
    }
}
