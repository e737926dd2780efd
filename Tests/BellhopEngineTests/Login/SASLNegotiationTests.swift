import BellhopCrypto
import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("SASL")
struct SASLNegotiationTests {
    private let credentials: Credentials

    init() throws { credentials = try Credentials(user: "user", password: "pencil") }

    @Test("PLAIN sends name and password, and a success ends it")
    func plain() throws {
        var login = SASLNegotiation(.plain, credentials: credentials, nonce: "n")
        #expect(
            try login.firstElement
                == Element.parse(
                    "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>AHVzZXIAcGVuY2ls</auth>"))
        #expect(try login.received(Self.sasl("success")) == .succeed(nil))
        #expect(try login.received(Self.sasl("success")) == .fail(.unexpected("success")))
    }

    @Test("PLAIN answers no challenge")
    func plainChallenge() throws {
        var login = SASLNegotiation(.plain, credentials: credentials, nonce: "n")
        #expect(try login.received(Self.sasl("challenge")) == .fail(.unexpected("challenge")))
    }

    @Test(
        "EXTERNAL says whom the certificate is for only where it does not say so itself",
        arguments: [("", "="), ("user@example.test", "dXNlckBleGFtcGxlLnRlc3Q=")])
    func external(identity: String, sent: String) throws {
        var login = SASLNegotiation(.external, credentials: credentials, nonce: "n", identity: identity)
        #expect(
            try login.firstElement
                == Element.parse(
                    "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='EXTERNAL'>\(sent)</auth>"))
        var refused = login
        #expect(try login.received(Self.sasl("success")) == .succeed(nil))
        let failure = try Element.parse(
            "<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/><text>no</text></failure>")
        #expect(refused.received(failure) == .fail(.certificateRefused(.notAuthorized, text: "no")))
    }

    @Test(
        "a certificate that names the account alone needs no further name",
        arguments: [
            (["user@example.test"], ""), ([], "user@example.test"), (["other@example.test"], "user@example.test"),
            (["user@example.test", "other@example.test"], "user@example.test"),
        ])
    func identity(addresses: [String], identity: String) throws {
        let certificate = LoginCertificate(addresses: try addresses.map { try JID($0) })
        var plan = try plan()
        plan.account = try JID("user@example.test")
        plan.certificate = certificate
        var dialogue = Dialogue(plan)
        dialogue.happened(.connected(encrypted: true))
        dialogue.expect(.openStream(to: "example.test", from: plan.account))
        try dialogue.serverOpens(SASL.mechanisms("SCRAM-SHA-256", "EXTERNAL"))
        let text = identity.isEmpty ? "=" : Base64.encode(Array(identity.utf8))
        try dialogue.client(
            "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='EXTERNAL'>\(text)</auth>")
    }

    @Test(
        "a refusal of a bound login is another than that of a plain one",
        arguments: [
            ("not-authorized", SASLFailure.bindingRefused(.exporter, .notAuthorized, text: nil)),
            ("malformed-request", .bindingRefused(.exporter, .malformedRequest, text: nil)),
            ("temporary-auth-failure", .refused(.temporaryAuthFailure, text: nil)),
            ("account-disabled", .refused(.accountDisabled, text: nil)),
        ])
    func boundRefusal(condition: String, failure: SASLFailure) throws {
        var login = SASLNegotiation(
            .scramSHA1Plus, credentials: credentials, nonce: "n", binding: .bound(.exporter, data: [1]))
        let element = try Element.parse("<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><\(condition)/></failure>")
        #expect(login.received(element) == .fail(failure))
    }

    @Test(
        "SCRAM's own words for a binding that does not fit mean the same, each with its flag",
        arguments: [
            (
                "channel-bindings-dont-match", ChannelBinding.bound(.serverEndPoint, data: [1]),
                Optional(SASLFailure.bindingRefused(.serverEndPoint, .other("channel-bindings-dont-match"), text: nil))
            ),
            (
                "unsupported-channel-binding-type", .bound(.exporter, data: [1]),
                .bindingRefused(.exporter, .other("unsupported-channel-binding-type"), text: nil)
            ),
            (
                "channel-binding-not-supported", .bound(.exporter, data: [1]),
                .bindingRefused(.exporter, .other("channel-binding-not-supported"), text: nil)
            ),
            ("server-does-support-channel-binding", .notOffered, .bindingHidden),
            ("server-does-support-channel-binding", .unsupported, nil),
            ("channel-bindings-dont-match", .unsupported, nil),
            ("invalid-proof", .bound(.exporter, data: [1]), nil),
        ])
    func words(word: String, binding: ChannelBinding, failure: SASLFailure?) throws {
        let mechanism: SASLMechanism = binding.type == nil ? .scramSHA1 : .scramSHA1Plus
        var login = SASLNegotiation(
            mechanism, credentials: credentials, nonce: SCRAMVector.sha1.nonce, binding: binding)
        _ = try login.received(Self.sasl("challenge", Base64.encode(Array(SCRAMVector.sha1.serverFirst.utf8))))
        let step = try login.received(Self.sasl("success", Base64.encode(Array("e=\(word)".utf8))))
        #expect(step == .fail(failure ?? .serverNotGenuine(.serverError(word))))
    }

    @Test("white space around base64 does not matter, anything else in it does")
    func base64() throws {
        let greeting = Base64.encode(Array(SCRAMVector.sha1.serverFirst.utf8))
        let pretty = "\n  \(greeting.prefix(20))\n  \(greeting.dropFirst(20))\n"
        for (text, fine) in [(greeting, true), (pretty, true), (greeting + "!", false), ("====", false)] {
            var login = scram()
            let step = try login.received(Self.sasl("challenge", text))
            if fine {
                guard case .send(let answer) = step else {
                    Issue.record("\(text) was refused")
                    continue
                }
                #expect(Base64.decode(answer.text) == Array(SCRAMVector.sha1.clientFinal.utf8))
            } else {
                #expect(step == .fail(.serverNotGenuine(.malformed)))
            }
        }
    }

    @Test("the proof in a challenge is answered with an empty response, then the success may be empty")
    func proofInChallenge() throws {
        var login = scram()
        let greeting = Base64.encode(Array(SCRAMVector.sha1.serverFirst.utf8))
        let proof = Base64.encode(Array(SCRAMVector.sha1.serverFinal.utf8))
        _ = try login.received(Self.sasl("challenge", greeting))
        #expect(
            try login.received(Self.sasl("challenge", proof))
                == .send(Element("response", namespace: "urn:ietf:params:xml:ns:xmpp-sasl")))
        var other = login
        guard case .succeed(.some) = try login.received(Self.sasl("success")),
            case .succeed(.some) = try other.received(Self.sasl("success", "="))
        else {
            Issue.record("an empty success was not taken")
            return
        }
    }

    @Test("an empty challenge and an empty success are no proof")
    func empty() throws {
        var challenge = scram()
        #expect(try challenge.received(Self.sasl("challenge")) == .fail(.serverNotGenuine(.malformed)))
        for text in ["", "="] {
            var success = scram()
            #expect(try success.received(Self.sasl("success", text)) == .fail(.serverNotGenuine(.noProof)))
        }
    }

    @Test(
        "a failure tells its condition and the server's words",
        arguments: [
            ("<not-authorized/>", SASLCondition.notAuthorized, nil),
            (
                "<not-authorized/><text>Invalid username or password</text>", .notAuthorized,
                "Invalid username or password"
            ),
            ("<text>wait</text><temporary-auth-failure/>", .temporaryAuthFailure, "wait"),
            ("<account-disabled/><x xmlns='urn:x'/>", .accountDisabled, nil),
            ("<cosmic-rays/>", .other("cosmic-rays"), nil),
            ("", .other("undefined"), nil),
        ] as [(String, SASLCondition, String?)])
    func failure(content: String, condition: SASLCondition, text: String?) throws {
        var login = scram()
        let element = try Element.parse("<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(content)</failure>")
        #expect(login.received(element) == .fail(.refused(condition, text: text)))
        #expect(login.received(element) == .fail(.unexpected("failure")))
    }

    @Test("every condition keeps its name")
    func names() {
        let names = [
            "aborted", "account-disabled", "credentials-expired", "encryption-required", "incorrect-encoding",
            "invalid-authzid", "invalid-mechanism", "malformed-request", "mechanism-too-weak", "not-authorized",
            "temporary-auth-failure",
        ]
        for name in names {
            #expect(SASLCondition(name).name == name)
            #expect(SASLCondition(name) != .other(name))
        }
    }

    @Test("an element of another namespace or name has no place in a login")
    func unexpected() throws {
        for xml in [
            "<success/>", "<message xmlns='jabber:client'/>", "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>",
        ] {
            var login = scram()
            let element = try Element.parse(xml)
            #expect(login.received(element) == .fail(.unexpected(element.name)))
        }
    }

    private func scram() -> SASLNegotiation {
        SASLNegotiation(.scramSHA1, credentials: credentials, nonce: SCRAMVector.sha1.nonce)
    }

    private static func sasl(_ name: String, _ text: String = "") throws -> Element {
        try Element.parse("<\(name) xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(text)</\(name)>")
    }
}
