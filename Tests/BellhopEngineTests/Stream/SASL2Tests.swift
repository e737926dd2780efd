import BellhopCrypto
import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("Logins by SASL2, with what goes along (XEP-0388, XEP-0386)")
struct SASL2Tests {
    private static let enabled = "<enabled xmlns='urn:xmpp:sm:3' id='s1' resume='true'/>"

    /// The session that came of it.
    private func session(_ dialogue: Dialogue) throws -> Bound {
        guard case .online(let bound)? = dialogue.pending.first, dialogue.pending.count == 1 else {
            throw Missing(pending: dialogue.pending)
        }
        return bound
    }

    struct Missing: Error {
        var pending: [StreamNegotiation.Action]
    }

    @Test(
        "login, binding and stream management in one flight: no new stream, and no second binding though it is listed")
    func inOneFlight() throws {
        var dialogue = Dialogue(try plan(sasl2: SASL2.wish))
        try dialogue.proves()
        try dialogue.succeeds(
            """
            <bound xmlns='urn:xmpp:bind:0'><metadata xmlns='urn:xmpp:mam:2'><start id='a'/><end id='b'/></metadata>\
            \(Self.enabled)</bound>
            """)
        dialogue.expectNothing()
        #expect(dialogue.negotiation.phase == .binding)
        try dialogue.serverLists(SASL2.afterwards)
        let session = try session(dialogue)
        #expect(try session.jid == JID("alice@example.test/bellhop~x1"))
        #expect(session.method == .sasl(.scramSHA256))
        #expect(session.encrypted && session.features.streamManagement && session.features.rosterVersioning)
        #expect(session.enabled?["id"] == "s1")
    }

    @Test(
        "what the server binds without stream management leaves that to be turned on",
        arguments: [SASL2.bound, "<bound xmlns='urn:xmpp:bind:0'><failed xmlns='urn:xmpp:sm:3'/></bound>"])
    func withoutManagement(bound: String) throws {
        var dialogue = Dialogue(try plan(sasl2: SASL2.wish))
        try dialogue.proves()
        try dialogue.succeeds(bound)
        try dialogue.serverLists(SASL2.afterwards)
        let session = try session(dialogue)
        #expect(session.enabled == nil && session.features.streamManagement)
    }

    @Test("stream management that was not asked for with the binding is not taken from there")
    func unasked() throws {
        var dialogue = Dialogue(
            try plan(sasl2: SASL2Wish(userAgent: SASL2.wish.userAgent, binds: true, managesStream: false)))
        let bind = "<bind xmlns='urn:xmpp:bind:0'><tag>bellhop</tag></bind>"
        try dialogue.proves(requests: SASL2.agent + bind)
        try dialogue.succeeds("<bound xmlns='urn:xmpp:bind:0'>\(Self.enabled)</bound>")
        try dialogue.serverLists(SASL2.afterwards)
        #expect(try session(dialogue).enabled == nil)
    }

    /// What is not asked for inline: what the client may not want, and what the server does not have.
    static let withoutBinding: [(SASL2Wish, String, String)] = [
        (SASL2Wish(userAgent: SASL2.wish.userAgent), SASL2.all, SASL2.agent),
        (SASL2Wish(binds: true), SASL2.all, "<user-agent><software>Bellhop</software></user-agent>"),
        (SASL2.wish, "<sm xmlns='urn:xmpp:sm:3'/>", SASL2.agent),
        (SASL2.wish, "", SASL2.agent),
    ]

    @Test(
        "where nothing may be bound along with the login, binding follows on the same stream", arguments: withoutBinding
    )
    func bindsAfterwards(wish: SASL2Wish, inline: String, requests: String) throws {
        var dialogue = Dialogue(try plan(sasl2: wish))
        try dialogue.proves(SASL2.features("SCRAM-SHA-256", inline: inline), requests: requests)
        try dialogue.succeeds(as: "alice@example.test", "")
        dialogue.expectNothing()
        try dialogue.serverLists(SASL2.afterwards)
        try dialogue.binds()
        #expect(try session(dialogue).jid == JID("alice@example.test/bellhop"))
    }

    @Test("a server that binds nothing though it was asked is asked in the old way")
    func ignored() throws {
        var dialogue = Dialogue(try plan(sasl2: SASL2.wish))
        try dialogue.proves()
        try dialogue.succeeds(as: "alice@example.test", "")
        try dialogue.serverLists(SASL2.afterwards)
        try dialogue.binds()
        #expect(try session(dialogue).enabled == nil)
    }

    // MARK: Resumption

    @Test("a broken stream goes on within the login, and the binding that was asked for as well is forgotten")
    func resumes() throws {
        var dialogue = Dialogue(try plan(resumes: true, sasl2: SASL2.wish))
        try dialogue.proves(requests: SASL2.agent + SASL2.resume + SASL2.bind)
        try dialogue.succeeds("<resumed xmlns='urn:xmpp:sm:3' h='3' previd='broken'/>")
        guard case .resumed(let bound, handled: 3)? = dialogue.pending.first, dialogue.pending.count == 1 else {
            throw Missing(pending: dialogue.pending)
        }
        #expect(try bound.jid == JID("alice@example.test/bellhop"))
        #expect(dialogue.negotiation.isOver)
    }

    @Test("what was offered to nobody yet is no offer to the session that goes on")
    func offersBefore() throws {
        let limits = "<limits xmlns='urn:xmpp:stream-limits:0'><max-bytes>10000</max-bytes></limits>"
        var dialogue = Dialogue(try plan(resumes: true, sasl2: SASL2.wish))
        try dialogue.proves(
            SASL2.features("SCRAM-SHA-256") + limits, requests: SASL2.agent + SASL2.resume + SASL2.bind)
        try dialogue.succeeds("<resumed xmlns='urn:xmpp:sm:3' h='3' previd='broken'/>")
        guard case .resumed(let bound, handled: 3)? = dialogue.pending.first else {
            throw Missing(pending: dialogue.pending)
        }
        #expect(bound.features == ServerFeatures())
    }

    @Test(
        "a stream that is gone is said to be, with the server's count, and the session is a new one",
        arguments: [true, false])
    func resumptionFailed(binds: Bool) throws {
        var dialogue = Dialogue(
            try plan(resumes: true, sasl2: SASL2Wish(userAgent: SASL2.wish.userAgent, binds: binds)))
        try dialogue.proves(requests: SASL2.agent + SASL2.resume + (binds ? SASL2.bind : ""))
        try dialogue.succeeds(
            "<failed xmlns='urn:xmpp:sm:3' h='5'><item-not-found/></failed>" + (binds ? SASL2.bound : ""))
        dialogue.expect(.resumptionFailed(handled: 5))
        dialogue.expectNothing()
        try dialogue.serverLists(SASL2.afterwards)
        // Not asked for a second time.
        if !binds { try dialogue.binds() }
        _ = try session(dialogue)
    }

    @Test("a new session without a word about the old stream means that it is gone")
    func boundInstead() throws {
        var dialogue = Dialogue(try plan(resumes: true, sasl2: SASL2.wish))
        try dialogue.proves(requests: SASL2.agent + SASL2.resume + SASL2.bind)
        try dialogue.succeeds(SASL2.bound)
        dialogue.expect(.resumptionFailed(handled: nil))
        dialogue.expectNothing()
    }

    @Test(
        "a server that cannot resume within the login, or says nothing of it, is asked afterwards",
        arguments: [true, false])
    func resumesAfterwards(isOffered: Bool) throws {
        var dialogue = Dialogue(try plan(resumes: true, sasl2: SASL2Wish(userAgent: SASL2.wish.userAgent)))
        try dialogue.proves(
            SASL2.features("SCRAM-SHA-256", inline: isOffered ? SASL2.all : ""),
            requests: SASL2.agent + (isOffered ? SASL2.resume : ""))
        try dialogue.succeeds(as: "alice@example.test", "")
        try dialogue.serverLists(SASL2.afterwards)
        try dialogue.client(SASL2.resume)
    }

    @Test("a certificate's login says nothing more than that it is one")
    func external() throws {
        var plan = try plan(sasl2: SASL2Wish())
        plan.certificate = LoginCertificate(addresses: [plan.account])
        var dialogue = Dialogue(plan)
        dialogue.happened(.connected(encrypted: true))
        dialogue.expect(.openStream(to: "example.test", from: plan.account))
        try dialogue.serverOpens(SASL2.features("EXTERNAL", inline: ""))
        try dialogue.client(
            """
            <authenticate xmlns='urn:xmpp:sasl:2' mechanism='EXTERNAL'><initial-response/>\
            <user-agent><software>Bellhop</software></user-agent></authenticate>
            """)
        try dialogue.server(SASL2.success(nil, as: "alice@example.test"))
        dialogue.expectNothing()
        try dialogue.serverLists(SASL2.afterwards)
        try dialogue.binds()
    }

    /// A machine in each state that only such a login comes through.
    static func everyState() throws -> [StreamNegotiation] {
        var resuming = try Dialogue(plan(resumes: true, sasl2: SASL2.wish))
        try resuming.proves(requests: SASL2.agent + SASL2.resume + SASL2.bind)
        var binding = try Dialogue(plan(sasl2: SASL2.wish))
        try binding.proves()
        let asked = binding.negotiation
        try binding.succeeds(SASL2.bound)
        return [resuming.negotiation, asked, binding.negotiation]
    }

    /// What means something in those states.
    static let samples = [
        SASL2.success(SCRAMVector.prosody.serverFinal, SASL2.bound), SASL2.success(nil),
        SASL2.element("challenge", "x"),
        SASL2.success(SCRAMVector.prosody.serverFinal, "<resumed xmlns='urn:xmpp:sm:3' h='3' previd='broken'/>"),
        SASL2.success(SCRAMVector.prosody.serverFinal, "<failed xmlns='urn:xmpp:sm:3'/>" + SASL2.bound),
        "<continue xmlns='urn:xmpp:sasl:2'/>", "<failure xmlns='urn:xmpp:sasl:2'/>",
        "<features xmlns='http://etherx.jabber.org/streams'>\(SASL2.features("SCRAM-SHA-256"))</features>",
    ]
}
