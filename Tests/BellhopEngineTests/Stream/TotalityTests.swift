import BellhopCrypto
import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

/// Everything that can happen, in every state that there is.
@Suite("Every input in every state")
struct TotalityTests {
    typealias Input = StreamNegotiation.Input
    typealias Action = StreamNegotiation.Action

    @Test("two inputs in any state never trap, and what comes of them is sane")
    func pairs() throws {
        let samples = try Self.samples()
        let states = try Self.everyState()
        #expect(Set(states.map(\.phase)).count == 12)
        for state in states {
            for first in samples {
                var machine = state
                Self.check(&machine, first)
                for second in samples {
                    var copy = machine
                    Self.check(&copy, second)
                }
            }
        }
    }

    @Test("a walk of a hundred random inputs never ends online without a proof under TLS", arguments: [UInt64](1...20))
    func walks(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let right = try Self.login().story.map(\.input)
        let samples = try Self.samples() + right
        var sessions = 0
        for _ in 0..<200 {
            var machine = StreamNegotiation(try plan(allowsPlain: true))
            var encrypted = false
            var proved = false
            for step in 0..<100 where !machine.isOver {
                // Mostly the right word at the right moment, so that the walk comes somewhere.
                let due = step < right.count && Int.random(in: 0..<5, using: &random) > 0
                guard let input = due ? right[step] : samples.randomElement(using: &random) else { continue }
                let before = machine.phase
                for action in Self.check(&machine, input) {
                    switch action {
                    case .openStream(_, let from): encrypted = from != nil
                    case .send(let element):
                        if element.name == "auth" || element.name == "response" || element.name == "iq" {
                            #expect(encrypted, "a secret went out in the clear, seed \(seed)")
                        }
                    case .remember: proved = true
                    case .online(let bound):
                        #expect(encrypted && (proved || bound.method == .sasl(.plain)))
                        #expect(before == .binding || before == .session)
                        sessions += 1
                    case .resumed: #expect(before == .resumption)
                    case .registered, .startTLS, .fail, .resumptionFailed, .token, .ask: break
                    }
                }
            }
        }
        #expect(sessions > 0, "no walk came to its end, so nothing was tried")
    }

    /// Hands one input in and looks at what any state must keep to.
    @discardableResult
    private static func check(_ machine: inout StreamNegotiation, _ input: Input) -> [Action] {
        let wasOver = machine.isOver
        let actions = machine.handle(input)
        if wasOver { #expect(actions.isEmpty && machine.isOver) }
        for (index, action) in actions.enumerated() {
            switch action {
            case .fail, .online, .resumed: #expect(index == actions.count - 1 && machine.isOver)
            case .registered where machine.plan.goal == .registration:
                #expect(index == actions.count - 1 && machine.isOver)
            case .registered: #expect(index == 0 && actions.count == 2)
            case .send(let element) where element.name == "abort": #expect(machine.isOver && actions.count == 2)
            // With SASL2 the end may come with the proof.
            case .remember: #expect(index == 0)
            case .openStream, .send, .startTLS, .ask: #expect(!machine.isOver)
            case .resumptionFailed(_): #expect(actions[..<index].allSatisfy(Self.keeps))
            case .token: #expect(actions[..<index].allSatisfy(Self.keeps))
            }
        }
        if machine.isOver { #expect(machine.phase == .finished) }
        return actions
    }

    /// Whether it is about what is kept for the next login.
    private static func keeps(_ action: Action) -> Bool {
        switch action {
        case .remember, .token: true
        case .openStream, .send, .startTLS, .online, .resumed, .resumptionFailed, .registered, .ask, .fail: false
        }
    }

    /// The whole conversation of a login with a legacy session.
    static func login() throws -> Dialogue {
        var dialogue = Dialogue(try plan(allowsPlain: true))
        try dialogue.secures()
        try dialogue.serverOpens(SASL.mechanisms("SCRAM-SHA-256"))
        try dialogue.logsIn(.prosody, mechanism: "SCRAM-SHA-256")
        try dialogue.serverOpens(
            """
            <bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/><session xmlns='urn:ietf:params:xml:ns:xmpp-session'/>
            """)
        try dialogue.binds()
        try dialogue.server("<iq xmlns='jabber:client' type='result' id='q-session'/>")
        return dialogue
    }

    /// A machine in each state that a login, a registration, a PLAIN login and a failure come through.
    static func everyState() throws -> [StreamNegotiation] {
        let login = try login()
        var states = login.story.map(\.before) + [login.negotiation]

        var proved = try Dialogue(plan())
        try proved.secures()
        try proved.serverOpens(SASL.mechanisms("SCRAM-SHA-256"))
        try proved.server(SASL.element("challenge", SCRAMVector.prosody.serverFirst))
        try proved.server(SASL.element("challenge", SCRAMVector.prosody.serverFinal))
        states.append(proved.negotiation)

        var plain = try Dialogue(plan(allowsPlain: true))
        plain.happened(.connected(encrypted: true))
        try plain.serverOpens(SASL.mechanisms("PLAIN"))
        states.append(plain.negotiation)

        var registration = try Dialogue(plan(goal: .registration))
        registration.happened(.connected(encrypted: true))
        try registration.serverOpens("")
        states.append(registration.negotiation)
        try registration.server(
            "<iq xmlns='jabber:client' type='result' id='q-form'>\(RegistrationTests.plain)</iq>")
        states.append(registration.negotiation)

        let wish = RegistrationWish(canAsk: true)
        var asking = try Dialogue(plan(goal: .accountAndSession(resource: "bellhop"), registration: wish))
        asking.happened(.connected(encrypted: true))
        try asking.serverOpens(SASL.mechanisms("SCRAM-SHA-256"))
        try asking.server(
            "<iq xmlns='jabber:client' type='result' id='q-form'>\(RegistrationFormTests.wanting)</iq>")
        states.append(asking.negotiation)
        asking.happened(.answered(["email": ["a@b"]]))
        states.append(asking.negotiation)

        var resuming = try Dialogue(plan(allowsPlain: true, resumes: true))
        resuming.happened(.connected(encrypted: true))
        try resuming.serverOpens(SASL.mechanisms("PLAIN"))
        try resuming.server(SASL.element("success"))
        try resuming.serverOpens("<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/><sm xmlns='urn:xmpp:sm:3'/>")
        states.append(resuming.negotiation)

        for inline in try SASL2Tests.everyState() + TokenTests.everyState() { states.append(inline) }

        var bound = try Dialogue(plan())
        bound.happened(.connected(encrypted: true, bindings: [.exporter: [7]]))
        try bound.serverOpens(
            SASL.mechanisms("SCRAM-SHA-256-PLUS")
                + "<sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'><channel-binding type='tls-exporter'/></sasl-channel-binding>"
        )
        states.append(bound.negotiation)

        var legacy = try LegacyLoginTests.asked()
        states.append(legacy.negotiation)
        try legacy.server(LegacyLoginTests.fields("<username/><digest/><password/><resource/>"))
        states.append(legacy.negotiation)

        var failed = try Dialogue(plan())
        failed.happened(.timeLimitReached)
        states.append(failed.negotiation)
        return states
    }

    /// Inputs of every kind, and elements that mean something in some state or in none.
    static func samples() throws -> [Input] {
        let known = [
            "<features xmlns='http://etherx.jabber.org/streams'/>",
            "<features xmlns='http://etherx.jabber.org/streams'>\(SASL.mechanisms("PLAIN", "SCRAM-SHA-1"))</features>",
            """
            <features xmlns='http://etherx.jabber.org/streams'><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>\
            <bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></features>
            """,
            "<error xmlns='http://etherx.jabber.org/streams'/>",
            """
            <error xmlns='http://etherx.jabber.org/streams'>\
            <conflict xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></error>
            """,
            "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>",
            "<failure xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>",
            SASL.element("challenge"),
            SASL.element("challenge", SCRAMVector.prosody.serverFirst),
            SASL.element("challenge", SCRAMVector.prosody.serverFinal),
            SASL.element("challenge", "\0"),
            SASL.element("success"),
            SASL.element("success", SCRAMVector.prosody.serverFinal),
            SASL.element("success", SCRAMVector.ejabberd.serverFinal),
            SASL.element("failure"),
            SASL.element("abort"),
            "<iq xmlns='jabber:client'/>",
            "<iq xmlns='jabber:client' type='result' id='q-bind'/>",
            "<iq xmlns='jabber:client' type='result' id='q-bind'>\(HostileServerTests.bindResult("a@b/c"))</iq>",
            "<iq xmlns='jabber:client' type='error' id='q-bind'/>",
            "<iq xmlns='jabber:client' type='result' id='q-session'/>",
            "<iq xmlns='jabber:client' type='error' id='q-session'/>",
            "<iq xmlns='jabber:client' type='result' id='q-form'>\(RegistrationTests.plain)</iq>",
            "<iq xmlns='jabber:client' type='result' id='q-register'/>",
            LegacyLoginTests.fields("<username/><digest/><password/><resource/>"), LegacyLoginTests.fields(""),
            "<iq xmlns='jabber:client' type='result' id='q-auth'/>",
            "<iq xmlns='jabber:client' type='error' id='q-auth'/>",
            "<iq xmlns='jabber:client' type='error' id='q-register'/>",
            "<iq xmlns='jabber:client' type='get' id='q-bind'><ping xmlns='urn:xmpp:ping'/></iq>",
            "<message xmlns='jabber:client'><body>hello</body></message>",
            "<presence xmlns='jabber:client'/>",
            "<r xmlns='urn:xmpp:sm:3'/>",
            "<resumed xmlns='urn:xmpp:sm:3' h='3' previd='broken'/>",
            "<resumed xmlns='urn:xmpp:sm:3' h='3' previd='another'/>",
            "<resumed xmlns='urn:xmpp:sm:3' h='-1' previd='broken'/>",
            "<failed xmlns='urn:xmpp:sm:3' h='3'/>",
            "<failed xmlns='urn:xmpp:sm:3'/>",
            "<x/>",
        ]
        let elements = try (known + SASL2Tests.samples + TokenTests.samples).map {
            Input.received(.element(try Element.parse($0)))
        }
        return elements + [
            .connected(encrypted: false), .connected(encrypted: true), .receivedBytesAfterProceed, .tlsEstablished(),
            .tlsFailed, .disconnected, .timeLimitReached, .answered(nil), .answered([:]), .answered(["email": ["x"]]),
            .received(.opened(Dialogue.header())),
            .received(.opened(Dialogue.header(version: nil))), .received(.opened(Element("x", namespace: ""))),
            .received(.closed), .received(.failed(.unsupportedEncoding)),
            .received(.failed(.policyViolation("too big"))),
        ]
    }
}
