import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("Forms of a registration")
struct RegistrationFormTests {
    typealias Answers = [String: [String]]

    /// A form that wants an e-mail address, too.
    static let wanting = """
        <query xmlns='jabber:iq:register'><x xmlns='jabber:x:data' type='form'>\
        <field var='FORM_TYPE' type='hidden'><value>jabber:iq:register</value></field>\
        <field var='username' type='text-single'><required/></field>\
        <field var='password' type='text-private'><required/></field>\
        <field var='email' type='text-single' label='Your address'><required/></field>\
        <field var='topics' type='list-multi'><option><value>a</value></option><option><value>b</value></option></field>\
        <field var='news' type='boolean'><value>1</value></field>\
        <field var='sid' type='hidden'><value>7</value></field></x></query>
        """

    /// As ejabberd sends it; the picture is "hello", and its name is right.
    static let riddle = """
        <query xmlns='jabber:iq:register'>\
        <instructions>You need a client that supports x:data and CAPTCHA to register</instructions>\
        <x xmlns='jabber:x:data' type='form'><instructions>Read the picture</instructions>\
        <field type='hidden' var='FORM_TYPE'><value>jabber:iq:register</value></field>\
        <field type='text-single' var='username'><required/></field>\
        <field type='text-private' var='password'><required/></field>\
        <field type='fixed' var='captcha-fallback-text'><value>If you don't see it</value></field>\
        <field type='text-single' var='captcha-fallback-url'><value>http://d.test:5280/captcha/77/image</value></field>\
        <field type='hidden' var='from'><value>example.test</value></field>\
        <field type='hidden' var='challenge'><value>77</value></field>\
        <field type='hidden' var='sid'><value>q-form</value></field>\
        <field var='ocr' label='Enter the text you see'><media xmlns='urn:xmpp:media-element'>\
        <uri type='image/png'>cid:sha1+aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d@bob.xmpp.org</uri></media><required/>\
        </field></x>\
        <data xmlns='urn:xmpp:bob' cid='sha1+aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d@bob.xmpp.org' type='image/png' \
        max-age='0'>aGVs\nbG8=</data></query>
        """

    @Test("what the operator said goes into the form, in the server's order; what is optional and unsaid stays out")
    func answers() throws {
        var dialogue = try asked(["email": ["a@b.test"], "topics": ["a", "b"]])
        try dialogue.server(Self.form(Self.wanting))
        try dialogue.client(
            Self.submitted(
                """
                <field var='email'><value>a@b.test</value></field>\
                <field var='topics'><value>a</value><value>b</value></field><field var='sid'><value>7</value></field>
                """))
        dialogue.expectNothing()
    }

    @Test(
        "an answer that the server does not ask for or cannot take is said before anything is sent",
        arguments: [
            (
                wanting, ["mail": ["a"], "email": ["b"]],
                RegistrationFailure.AnswerFault.unknownField("mail", known: ["email", "topics", "news"])
            ),
            (wanting, ["email": ["a", "b"]], .severalValues(field: "email")),
            (wanting, ["topics": ["c"]], .notAnOption(field: "topics", options: ["a", "b"])),
            (wanting, ["news": ["perhaps"]], .notAnOption(field: "news", options: ["true", "false"])),
            (wanting, ["sid": ["8"]], .unknownField("sid", known: ["email", "topics", "news"])),
            (riddle, ["captcha-fallback-url": ["x"]], .unknownField("captcha-fallback-url", known: ["ocr"])),
            (RegistrationTests.plain, ["nick": ["x"]], .unknownField("nick", known: ["email"])),
            (RegistrationTests.plain, ["email": ["x", "y"]], .severalValues(field: "email")),
        ] as [(String, Answers, RegistrationFailure.AnswerFault)])
    func badAnswers(form: String, answers: Answers, fault: RegistrationFailure.AnswerFault) throws {
        var dialogue = try asked(answers)
        try dialogue.server(Self.form(form))
        dialogue.expect(.fail(.registration(.badAnswer(fault))))
        dialogue.expectNothing()
    }

    @Test("plain fields: answers go in, a key comes back, and what is not said is named when the server refuses")
    func plainFields() throws {
        var dialogue = try asked(["email": ["a@b.test"]])
        try dialogue.server(
            Self.form(
                "<query xmlns='jabber:iq:register'><username/><password/><email/><nick/><key>k1</key></query>"))
        try dialogue.client(
            """
            <iq xmlns='jabber:client' type='set' id='q-register' to='example.test'><query xmlns='jabber:iq:register'>\
            <username>alice</username><password>pw</password><email>a@b.test</email><key>k1</key></query></iq>
            """)
        try dialogue.server(RegistrationTests.error("q-register", "modify", "not-acceptable"))
        dialogue.expect(.fail(.registration(.notAcceptable(text: "words", unanswered: ["nick"]))))
    }

    @Test("a picture is shown with the form's words and its checked bytes, and the answer goes back on the same stream")
    func picture() throws {
        var dialogue = try asked([:], canAsk: true)
        try dialogue.server(Self.form(Self.riddle))
        dialogue.expect(.ask(Self.question(picture: .init(type: "image/png", bytes: Array("hello".utf8)))))
        dialogue.expectNothing()
        #expect(dialogue.negotiation.phase == .registration)
        dialogue.happened(.answered(["ocr": ["7nHL3"]]))
        #expect(dialogue.negotiation.phase == .creation)
        try dialogue.client(
            Self.submitted(
                """
                <field var='from'><value>example.test</value></field><field var='challenge'><value>77</value></field>\
                <field var='sid'><value>q-form</value></field><field var='ocr'><value>7nHL3</value></field>
                """))
        try dialogue.server(RegistrationTests.error("q-register", "cancel", "not-allowed"))
        dialogue.expect(.fail(.registration(.riddleFailed(text: "words"))))
    }

    @Test(
        "a picture whose bytes are not what its name says is not shown",
        arguments: [
            ("aGVs\nbG8=", "aGVsbG9v"), ("aGVs\nbG8=", "!"), ("aGVs\nbG8=", ""),
            ("cid='sha1+aaf4c6", "cid='sha1+bbf4c6"), ("sha1+", "md5+"), ("@bob.xmpp.org", ""),
            ("urn:xmpp:bob", "urn:xmpp:other"),
        ])
    func forgedPicture(from: String, to: String) throws {
        var dialogue = try asked([:], canAsk: true)
        try dialogue.server(Self.form(replacing(from, by: to, in: Self.riddle)))
        dialogue.expect(.ask(Self.question(picture: nil)))
    }

    @Test("without a person a riddle is not answered, and with one who gives up or is late nothing is sent")
    func nobody() throws {
        var alone = try asked([:])
        try alone.server(Self.form(Self.riddle))
        alone.expect(
            .fail(
                .registration(
                    .moreWanted(Self.question(picture: .init(type: "image/png", bytes: Array("hello".utf8)))))))
        for input in [StreamNegotiation.Input.answered(nil), .timeLimitReached] {
            var dialogue = try asked([:], canAsk: true)
            try dialogue.server(Self.form(Self.riddle))
            dialogue.happened(input)
            #expect(dialogue.pending.last == .fail(.registration(.unanswered)))
            #expect(dialogue.pending.count == 2)
        }
    }

    @Test("an answer that leaves something out, or comes twice, is no reason to ask again or to send twice")
    func secondAnswer() throws {
        var dialogue = try asked([:], canAsk: true)
        try dialogue.server(Self.form(Self.riddle))
        var incomplete = dialogue
        incomplete.happened(.answered([:]))
        #expect(incomplete.negotiation.isOver)
        dialogue.happened(.answered(["ocr": ["x"]]))
        let count = dialogue.pending.count
        dialogue.happened(.answered(["ocr": ["y"]]))
        #expect(dialogue.pending.count == count)
    }

    @Test("while a person is asked, a word of the server is none that was waited for")
    func wordsMeanwhile() throws {
        var dialogue = try asked([:], canAsk: true)
        try dialogue.server(Self.form(Self.riddle))
        try dialogue.server("<iq xmlns='jabber:client' type='result' id='q-register'/>")
        #expect(dialogue.pending.last == .fail(.unexpected(element: "iq", during: .registration)))
    }

    @Test(
        "of several riddles one is asked, the one that is marked as required or else the first",
        arguments: [("", "", ["ocr"]), ("", "<required/>", ["sound"]), ("<required/>", "", ["ocr"])])
    func severalRiddles(first: String, second: String, asked names: [String]) throws {
        var dialogue = try asked([:], canAsk: true)
        let media = "<media xmlns='urn:xmpp:media-element'><uri type='image/png'>https://d.test/1.png</uri></media>"
        try dialogue.server(
            Self.form(
                """
                <query xmlns='jabber:iq:register'><x xmlns='jabber:x:data' type='form'>\
                <field var='FORM_TYPE' type='hidden'><value>urn:xmpp:captcha</value></field>\
                <field var='username'/><field var='password'/><field var='ocr'>\(media)\(first)</field>\
                <field var='sound'>\(media)\(second)</field></x></query>
                """))
        guard case .ask(let question)? = dialogue.pending.first else {
            Issue.record("nobody was asked: \(dialogue.pending)")
            return
        }
        #expect(question.fields.map(\.name) == names)
        #expect(question.url == "https://d.test/1.png" && question.isRiddle)
    }

    @Test("words of a server are bounded, however many, and a form of thousands of fields is none")
    func bounds() throws {
        let long = String(repeating: "x", count: 20_000)
        var dialogue = try asked([:], canAsk: true)
        try dialogue.server(
            Self.form(
                replacing(
                    "Read the picture", by: long, in: replacing("Enter the text you see", by: long, in: Self.riddle))))
        guard case .ask(let question)? = dialogue.pending.first else {
            Issue.record("nobody was asked")
            return
        }
        #expect(question.instructions?.count == 500 && question.fields.first?.label?.count == 200)
        var other = try asked([:])
        let many = (0..<200).map { "<field var='f\($0)'/>" }.joined()
        try other.server(Self.form(replacing("<field var='news'", by: many + "<field var='news'", in: Self.wanting)))
        other.expect(.fail(.registration(.unusableForm)))
    }

    @Test("with a session to follow, the login goes on where the account was made")
    func sameStream() throws {
        let wish = RegistrationWish()
        var dialogue = Dialogue(try plan(goal: .accountAndSession(resource: "bellhop"), registration: wish))
        try dialogue.secures()
        try dialogue.serverOpens(
            "<register xmlns='http://jabber.org/features/iq-register'/>" + SASL.mechanisms("SCRAM-SHA-256"))
        try dialogue.client(Self.question)
        try dialogue.server(Self.form(RegistrationTests.plain))
        dialogue.skipSubmission()
        try dialogue.server("<iq xmlns='jabber:client' type='result' id='q-register'/>")
        dialogue.expect(.registered)
        try dialogue.logsIn(.prosody, mechanism: "SCRAM-SHA-256")
        try dialogue.serverOpens("<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>")
        try dialogue.binds()
        guard case .online? = dialogue.pending.last else {
            Issue.record("not online: \(dialogue.pending)")
            return
        }
    }

    @Test("a stream that offers no login behind the registration fails, and the account is there")
    func noLogin() throws {
        var dialogue = Dialogue(try plan(goal: .accountAndSession(resource: "bellhop")))
        try dialogue.secures()
        try dialogue.serverOpens("<register xmlns='http://jabber.org/features/iq-register'/>")
        try dialogue.client(Self.question)
        try dialogue.server(Self.form(RegistrationTests.plain))
        dialogue.skipSubmission()
        try dialogue.server("<iq xmlns='jabber:client' type='result' id='q-register'/>")
        dialogue.expect(.registered)
        guard case .fail(.login(.noMechanism))? = dialogue.pending.first else {
            Issue.record("no failure: \(dialogue.pending)")
            return
        }
    }

    // MARK: Words

    private static let question = """
        <iq xmlns='jabber:client' type='get' id='q-form' to='example.test'><query xmlns='jabber:iq:register'/></iq>
        """

    private static func form(_ query: String) -> String {
        "<iq xmlns='jabber:client' type='result' id='q-form' from='example.test'>\(query)</iq>"
    }

    private static func submitted(_ fields: String) -> String {
        """
        <iq xmlns='jabber:client' type='set' id='q-register' to='example.test'><query xmlns='jabber:iq:register'>\
        <x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'><value>jabber:iq:register</value></field>\
        <field var='username'><value>alice</value></field>\
        <field var='password' type='text-private'><value>pw</value></field>\(fields)</x></query></iq>
        """
    }

    private static func question(picture: RegistrationQuestion.Picture?) -> RegistrationQuestion {
        RegistrationQuestion(
            instructions: "Read the picture", url: "http://d.test:5280/captcha/77/image", picture: picture,
            fields: [.init(name: "ocr", label: "Enter the text you see", isInPicture: true)])
    }

    /// A conversation in which the form was just asked for.
    private func asked(_ answers: Answers, canAsk: Bool = false) throws -> Dialogue {
        let wish = RegistrationWish(answers: answers, canAsk: canAsk)
        var dialogue = Dialogue(try plan(goal: .registration, registration: wish))
        try dialogue.secures()
        try dialogue.serverOpens("<register xmlns='http://jabber.org/features/iq-register'/>")
        try dialogue.client(Self.question)
        return dialogue
    }

    private func replacing(_ part: String, by other: String, in text: String) -> String {
        text.split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}

extension Dialogue {
    /// What was sent is looked at elsewhere.
    fileprivate mutating func skipSubmission(sourceLocation: SourceLocation = #_sourceLocation) {
        guard case .send(let element)? = pending.first else {
            Issue.record("nothing was sent", sourceLocation: sourceLocation)
            return
        }
        expect(.send(element), sourceLocation: sourceLocation)
    }
}
