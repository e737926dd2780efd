import BellhopCrypto
import BellhopDiagnostics
import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopClient
@testable import BellhopTestServer

@Suite("Secrets that a server says back")
struct SpokenSecretsTests {
    static let password = "s3cretPassw0rd-XYZ"

    /// Every way in which a server is tried to say it, from the first message of PLAIN and from the password alone.
    static let encodings: [(name: String, word: String)] =
        [("the password", password), ("the password in lower case", password.lowercased())]
        + (0..<3).flatMap { count in
            ["", "x", "xy"].map { behind in
                let bytes = Array((String(repeating: "k", count: count) + password + behind).utf8)
                return ("base64 behind \(count) bytes and before \(behind.count)", Base64.encode(bytes))
            }
        }
        + ["opsbot", "bot", "bots1"].map { user in
            ("PLAIN of \(user)", Base64.encode(Array("\0\(user)\0\(password)".utf8)))
        }

    /// Parts of base64 that stand in no text that does not tell the password.
    private static let telling: [String] = (0..<3).map { count in
        let all = Base64.encode([UInt8](repeating: 0, count: count) + Array(password.utf8))
        return String(all.dropFirst(4).dropLast(4))
    }

    private static func tells(_ line: String) -> Bool {
        line.lowercased().contains(password.lowercased()) || telling.contains { line.contains($0) }
    }

    @Test("the test sees what it looks for", arguments: encodings)
    func seen(name: String, word: String) { #expect(Self.tells("so \(word).")) }

    @Test("each encoding is cut out of a server's words, and nothing else is", arguments: encodings)
    func cut(name: String, word: String) {
        let secrets = SpokenSecrets([Secret("another one"), Secret(Self.password)])
        #expect(secrets.cut(from: "you said \(word), \(word)!") == "you said •••, •••!")
        #expect(secrets.cut(from: word) == "•••")
        #expect(secrets.cut(from: "<a x='\(word)'>\(word)</a>") == "<a x='•••'>•••</a>")
        #expect(secrets.cut(from: "nothing of it") == "nothing of it")
        #expect(secrets.cut(fromQuotationsIn: "a \u{201C}\(word)\u{201D} b") == "a \u{201C}•••\u{201D} b")
    }

    @Test("the beginning of one is cut out, too, where a long text was cut short in it")
    func cutShort() {
        let secrets = SpokenSecrets([Secret(Self.password)])
        let beginnings =
            [Self.password]
            + (0..<3).map { count in
                Base64.encode(Array((String(repeating: "k", count: count) + Self.password).utf8))
            }
        let before = String(repeating: "-", count: 100) + " "
        for word in beginnings {
            for count in 10..<word.count { #expect(secrets.cut(from: before + word.prefix(count)) == before + "•••") }
        }
        #expect(secrets.cut(from: before + "s3") == before + "s3")
        #expect(secrets.cut(from: "s3cretPass") == "s3cretPass")
    }

    @Test("a password is cut out as XML escapes it, too, and as it is prepared for the login")
    func forms() {
        let secrets = SpokenSecrets([Secret("a<b>&'c\"d")])
        #expect(secrets.cut(from: "<x>a&lt;b&gt;&amp;'c\"d</x>") == "<x>•••</x>")
        #expect(secrets.cut(from: "<x y='a&lt;b&gt;&amp;&apos;c\"d'/>") == "<x y='•••'/>")
        #expect(SpokenSecrets([Secret("wide\u{A0}room")]).cut(from: "wide room") == "•••")
    }

    @Test("of a sentence of ours only what is quoted loses the password, however the quotation is nested")
    func quotation() {
        let secrets = SpokenSecrets([Secret("wrong")])
        let sentence = "the password is wrong: \u{201C}wrong\u{201D} is wrong\u{201D}; mend what is wrong"
        #expect(
            secrets.cut(fromQuotationsIn: sentence)
                == "the password is wrong: \u{201C}•••\u{201D} is •••\u{201D}; mend what is wrong")
        #expect(secrets.cut(fromQuotationsIn: "it is wrong") == "it is wrong")
        #expect(secrets.cut(fromQuotationsIn: "\u{201D}wrong\u{201C}") == "\u{201D}wrong\u{201C}")
    }

    @Test("one that is as short as a syllable stays, and so does a text where there is none")
    func short() {
        #expect(SpokenSecrets([Secret("pw")]).cut(from: "pw is pw, cHc=") == "pw is pw, cHc=")
        #expect(SpokenSecrets([Secret("")]).cut(from: "nothing") == "nothing")
        #expect(SpokenSecrets([]).cut(from: "nothing") == "nothing")
        #expect(SpokenSecrets([Secret("long-one")]).cut(from: "") == "")
    }

    // MARK: Sentences

    /// Every failure that holds a server's words.
    private static func causes(_ word: String) -> [BreakCause] {
        let error = StanzaError(.gone, text: word)
        let logins: [SASLFailure] = [
            .noMechanism(offered: [word], supported: ["PLAIN"]), .cannotBind(.notOffered, offered: [word]),
            .cannotBind(.noCommonType(listed: [word], ours: []), offered: []),
            .bindingRefused(.exporter, .other(word), text: word), .tasksWanted(["a", word]), .anotherAccount(word),
            .certificateRefused(.other(word), text: word), .refused(.notAuthorized, text: word),
            .refused(.other(word), text: nil), .serverNotGenuine(.serverError(word)), .unexpected(word),
        ]
        let question = RegistrationQuestion(
            instructions: word, url: word, fields: [RegistrationQuestion.Field(name: word, label: word)])
        let registrations: [RegistrationFailure] = [
            .notAllowed(text: word), .web(url: word, instructions: word), .moreWanted(question),
            .badAnswer(.unknownField(word, known: [word])), .badAnswer(.notAnOption(field: word, options: [word])),
            .badAnswer(.severalValues(field: word)), .tryLater(text: word),
            .notAcceptable(text: word, unanswered: [word]),
            .riddleFailed(text: word), .other(error),
        ]
        let others: [NegotiationFailure] = [
            .bindRefused(error), .sessionRefused(error), .unsupportedVersion(word), .notAStream(root: word),
            .unexpected(element: word, during: .login),
            .unreadable(.notWellFormed(line: 1, reason: word), during: .login),
            .streamError(StreamError(.undefinedCondition, text: word), during: .login, encrypted: true),
        ]
        return logins.map { .negotiation(.login($0)) } + registrations.map { .negotiation(.registration($0)) }
            + others.map { .negotiation($0) } + [
                .streamError(StreamError(.conflict, text: word), encrypted: true),
                .unreadable(.restrictedXML(word)), .unreadable(.policyViolation(word)),
            ]
    }

    @Test("no sentence about a failure holds it, wherever the server put it", arguments: encodings)
    func sentences(name: String, word: String) throws {
        var settings = AccountSettings(jid: try JID("bot@example.org"), password: Secret("new-password"))
        settings.formerPasswords = [Secret(Self.password)]
        // In front of a long text's end, at which it is cut short, half of it would tell as much.
        for words in [word, String(repeating: "-", count: 190) + " " + word] {
            for cause in Self.causes(words) {
                let sentence = LoginPhrases.sentence(cause, settings: settings)
                #expect(!Self.tells(sentence) && !sentence.contains(word.prefix(9)), "\(sentence)")
            }
        }
    }

    // MARK: On the wire

    /// What a server sends in answer to PLAIN, with the word in it.
    static let places: [(name: String, xml: @Sendable (String) -> String)] = [
        ("a failure's text", { "<failure xmlns='\(sasl)'><not-authorized/><text>you said \($0)</text></failure>" }),
        ("an attribute", { "<bogus xmlns='\(sasl)' what='\($0)'/>" }),
        ("an unknown element's text", { "<bogus xmlns='\(sasl)'><a>\($0)</a></bogus>" }),
        ("a stanza", { "<message from='bots.example.test' id='\($0)'><body>\($0)</body></message>" }),
        (
            "a stream error's text",
            {
                "<stream:error><not-authorized xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>"
                    + "<text xmlns='urn:ietf:params:xml:ns:xmpp-streams'>\($0)</text></stream:error>"
            }
        ),
        ("what is no XML", { "<x>\($0)</y\($0)>" }),
    ]
    private static let sasl = "urn:ietf:params:xml:ns:xmpp-sasl"

    private func plain(_ script: (TestConnection, Element, BotUnderTest) async throws -> Void) async throws {
        var options = TestServerOptions(tls: try TestIdentity.shared.get().server, mechanisms: ["PLAIN"])
        options.accounts = ["opsbot": Self.password]
        try await TestServer.running(options) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                configuration.account.password = Secret(Self.password)
                configuration.account.connection.allowsPlain = true
                try await BotUnderTest.running(configuration, level: .trace) { bot in
                    let connection = try await server.connection()
                    try await connection.open(
                        features: "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
                    try await connection.secure()
                    try await connection.open(
                        features: "<mechanisms xmlns='\(Self.sasl)'><mechanism>PLAIN</mechanism></mechanisms>")
                    let auth = try await connection.expect("auth", Self.sasl)
                    try await script(connection, auth, bot)
                    for line in bot.sink.text { #expect(!Self.tells(line), "\(line)") }
                }
            }
        }
    }

    @Test("a server that was told the password by PLAIN gets it into no line of the log", arguments: places.indices)
    func echoes(place: Int) async throws {
        try await plain { connection, auth, bot in
            #expect(Self.tells(auth.text))
            let words = Self.encodings.map(\.word).joined(separator: " ") + " " + auth.text
            connection.send(Self.places[place].xml(words))
            try await bot.sink.expect("offline")
        }
    }

    @Test("nor does one that makes an element's name of it")
    func elementName() async throws {
        try await plain { connection, _, bot in
            connection.send("<\(Self.password) xmlns='\(Self.sasl)'/>")
            try await bot.sink.expect("offline")
        }
        try await plain { connection, _, bot in
            connection.send("<failure xmlns='\(Self.sasl)'><\(Self.password)/></failure>")
            try await bot.sink.expect("offline")
        }
    }
}
