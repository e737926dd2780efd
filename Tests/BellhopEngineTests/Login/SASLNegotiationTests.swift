import BellhopCrypto
import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("SASL")
struct SASLNegotiationTests {
    private let credentials: Credentials

    init() throws { credentials = try Credentials(user: "user", password: "pencil") }

    @Test(
        "the strongest usable mechanism is chosen, whatever the order of the offer",
        arguments: [
            (["PLAIN", "SCRAM-SHA-1", "SCRAM-SHA-512", "SCRAM-SHA-256"], false, SASLMechanism.scramSHA512),
            (["PLAIN", "SCRAM-SHA-256-PLUS", "SCRAM-SHA-256"], false, .scramSHA256),
            (["SCRAM-SHA-1", "PLAIN"], true, .scramSHA1),
            (["X-OAUTH2", "PLAIN"], true, .plain),
            (["X-OAUTH2", "PLAIN"], false, nil),
            (["EXTERNAL", "scram-sha-1"], true, nil),
            ([], true, nil),
        ] as [([String], Bool, SASLMechanism?)])
    func choice(offered: [String], allowsPlain: Bool, chosen: SASLMechanism?) {
        let usable = SASLMechanism.usable(allowsPlain: allowsPlain, proven: nil)
        #expect(SASLNegotiation.choose(offered: offered, usable: usable) == chosen)
    }

    @Test("once SCRAM worked, PLAIN is never used, though it is allowed")
    func pinned() {
        let usable = SASLMechanism.usable(allowsPlain: true, proven: .scramSHA1)
        #expect(SASLNegotiation.choose(offered: ["PLAIN"], usable: usable) == nil)
        #expect(SASLMechanism.usable(allowsPlain: true, proven: .plain).contains(.plain))
    }

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
