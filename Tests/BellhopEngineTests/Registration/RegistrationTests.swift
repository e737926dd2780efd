import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("Registration")
struct RegistrationTests {
    static let plain = """
        <query xmlns='jabber:iq:register'><instructions>Choose</instructions><username/><password/><email/></query>
        """

    @Test("plain fields: the form is asked for first, then name and password go in")
    func plainFields() throws {
        var dialogue = try asked()
        try dialogue.server(
            "<iq xmlns='jabber:client' type='result' id='q-form' from='example.test'>\(Self.plain)</iq>")
        try dialogue.client(Self.submission)
        try dialogue.server("<iq xmlns='jabber:client' type='result' id='q-register' to='localhost/4116cwd1id'/>")
        dialogue.expect(.registered)
        #expect(dialogue.negotiation.isOver)
    }

    static let submission = """
        <iq xmlns='jabber:client' type='set' id='q-register' to='example.test'><query xmlns='jabber:iq:register'>\
        <username>alice</username><password>pw</password></query></iq>
        """

    @Test("a data form is preferred, hidden fields come back, and what is not required stays out")
    func dataForm() throws {
        var dialogue = try asked()
        try dialogue.server(
            """
            <iq xmlns='jabber:client' type='result' id='q-form'><query xmlns='jabber:iq:register'><username/><password/>\
            <email/><name/><x xmlns='jabber:x:data' type='form'><title>Registration</title>\
            <field var='FORM_TYPE' type='hidden'><value>jabber:iq:register</value></field>\
            <field var='username' type='text-single'><required/></field><field var='name' type='text-single'/>\
            <field var='email' type='text-single'/><field var='password' type='text-private'><required/></field>\
            <field var='sid' type='hidden'><value>7</value></field></x></query></iq>
            """)
        try dialogue.client(
            """
            <iq xmlns='jabber:client' type='set' id='q-register' to='example.test'><query xmlns='jabber:iq:register'>\
            <x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'><value>jabber:iq:register</value></field>\
            <field var='username'><value>alice</value></field>\
            <field var='password' type='text-private'><value>pw</value></field>\
            <field var='sid'><value>7</value></field></x></query></iq>
            """)
        dialogue.expectNothing()
    }

    @Test(
        "a form that we cannot fill in gets no password",
        arguments: [
            ("<registered/><username>x</username>", RegistrationFailure.alreadyRegistered),
            ("<registered/><username/><password/>", .alreadyRegistered),
            ("<username/>", .unusableForm),
            ("", .unusableForm),
            (
                "<instructions>Go there</instructions><x xmlns='jabber:x:oob'><url> http://example.test/join </url></x>",
                .web(url: "http://example.test/join", instructions: "Go there")
            ),
            (
                """
                <x xmlns='jabber:x:data' type='form'>\
                <field type='hidden' var='FORM_TYPE'><value>urn:example:survey</value></field>\
                <field var='username'/><field var='password'/></x>
                """, .unusableForm
            ),
            (
                "<x xmlns='jabber:x:data' type='result'><field var='username'/><field var='password'/></x>",
                .unusableForm
            ),
            (
                """
                <instructions>Old words</instructions><x xmlns='jabber:x:data' type='form'>\
                <instructions> Ask us </instructions><field var='username'/><field var='password'/>\
                <field var='invitation' type='text-single' label='Who sent you'><required/></field>\
                <field var='plan' type='list-single'><required/><option><value>a</value></option>\
                <option label='B'><value>b</value></option></field></x>
                """,
                .moreWanted(
                    RegistrationQuestion(
                        instructions: "Ask us",
                        fields: [
                            .init(name: "invitation", label: "Who sent you"), .init(name: "plan", options: ["a", "b"]),
                        ]))
            ),
            ("<x xmlns='jabber:x:data' type='form'><field var='nick'/></x>", .unusableForm),
        ])
    func unusable(form: String, failure: RegistrationFailure) throws {
        var dialogue = try asked()
        try dialogue.server(
            """
            <iq xmlns='jabber:client' type='result' id='q-form'><query xmlns='jabber:iq:register'>\(form)</query></iq>
            """)
        dialogue.expect(.fail(.registration(failure)))
        dialogue.expectNothing()
    }

    @Test(
        "each refusal of the account has its reason",
        arguments: [
            ("cancel", "conflict", RegistrationFailure.taken),
            ("auth", "forbidden", .notAllowed(text: "words")),
            ("cancel", "not-allowed", .notAllowed(text: "words")),
            ("cancel", "service-unavailable", .notAllowed(text: "words")),
            ("wait", "resource-constraint", .tryLater(text: "words")),
            ("wait", "policy-violation", .tryLater(text: "words")),
            ("wait", "not-acceptable", .tryLater(text: "words")),
            ("modify", "not-acceptable", .notAcceptable(text: "words", unanswered: ["email"])),
            ("modify", "jid-malformed", .notAcceptable(text: "words", unanswered: ["email"])),
            ("cancel", "gone", .other(StanzaError(.gone, text: "words"))),
        ])
    func refusals(kind: String, condition: String, failure: RegistrationFailure) throws {
        var dialogue = try asked()
        try dialogue.server("<iq xmlns='jabber:client' type='result' id='q-form'>\(Self.plain)</iq>")
        try dialogue.client(Self.submission)
        try dialogue.server(Self.error("q-register", kind, condition))
        dialogue.expect(.fail(.registration(failure)))
        dialogue.expectNothing()
    }

    @Test(
        "a server that does not register says so to the first question, before any password",
        arguments: [
            ("cancel", "service-unavailable", RegistrationFailure.notOffered),
            ("cancel", "feature-not-implemented", .notOffered),
            ("auth", "forbidden", .notAllowed(text: "words")),
            ("wait", "resource-constraint", .tryLater(text: "words")),
        ])
    func notOffered(kind: String, condition: String, failure: RegistrationFailure) throws {
        var dialogue = try asked()
        try dialogue.server(Self.error("q-form", kind, condition))
        dialogue.expect(.fail(.registration(failure)))
    }

    static func error(_ id: String, _ kind: String, _ condition: String) -> String {
        """
        <iq xmlns='jabber:client' type='error' id='\(id)'><error code='400' type='\(kind)'>\
        <\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>\
        <text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>words</text></error></iq>
        """
    }

    @Test("an answer from somebody else or to another question is not taken")
    func strangers() throws {
        for attributes in [
            "type='result' id='q-form' from='eve@evil.test'", "type='result' id='other'", "type='get' id='q-form'",
        ] {
            var dialogue = try asked()
            try dialogue.server("<iq xmlns='jabber:client' \(attributes)>\(Self.plain)</iq>")
            dialogue.expect(.fail(.unexpected(element: "iq", during: .registration)))
        }
    }

    @Test("the form is asked for though the server does not list it, and never before TLS")
    func notListed() throws {
        var dialogue = Dialogue(try plan(goal: .registration))
        try dialogue.secures()
        try dialogue.serverOpens("")
        try dialogue.client(
            """
            <iq xmlns='jabber:client' type='get' id='q-form' to='example.test'><query xmlns='jabber:iq:register'/></iq>
            """)
    }

    @Test("in the clear only where that is allowed")
    func plaintext() throws {
        var dialogue = Dialogue(try plan(goal: .registration, encryption: .plaintextAllowed))
        dialogue.happened(.connected(encrypted: false))
        dialogue.expect(.openStream(to: "example.test", from: nil))
        try dialogue.serverOpens(SASL.mechanisms("SCRAM-SHA-1"))
        try dialogue.client(
            """
            <iq xmlns='jabber:client' type='get' id='q-form' to='example.test'><query xmlns='jabber:iq:register'/></iq>
            """)
    }

    /// A conversation in which the form was just asked for.
    private func asked() throws -> Dialogue {
        var dialogue = Dialogue(try plan(goal: .registration))
        try dialogue.secures()
        try dialogue.serverOpens(
            "<register xmlns='http://jabber.org/features/iq-register'/>" + SASL.mechanisms("SCRAM-SHA-256"))
        try dialogue.client(
            """
            <iq xmlns='jabber:client' type='get' id='q-form' to='example.test'><query xmlns='jabber:iq:register'/></iq>
            """)
        return dialogue
    }
}
