import BellhopClient
import BellhopCrypto
import BellhopDiagnostics
import CertificateWorkshop
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Certificates over the wire")
struct CertificateTests {
    private static let domain = "bots.example.test"
    private static let good = CertificateOrder(domain)
    private static let command =
        "openssl x509 -noout -pubkey -in CERTIFICATE | openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary "
        + "| openssl base64"

    /// What a bot trusts.
    enum Trust: Sendable {
        case authority
        case key(CertificateOrder)
        case authorityAndKey(CertificateOrder)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        var what: String
        var order: CertificateOrder
        var trust = Trust.authority
        var server: String?
        /// `PIN` stands for the pin of the certificate's key, `OTHER` for that of another.
        var sentence: String
        var isFinal = false
        var testDescription: String { what }

        static let all = [
            Bad(
                what: "expired", order: good.with { $0.end = "20200201000000Z" },
                sentence: "the certificate of bots.example.test has expired (on 2020-02-01); renew it on the server"),
            Bad(
                what: "not yet valid", order: good.with { $0.start = "20980101000000Z" },
                sentence:
                    "the certificate of bots.example.test is not valid yet (before 2098-01-01); check the clocks of "
                    + "both machines"),
            Bad(
                what: "wrong host", order: CertificateOrder("xmpp.host.test"),
                sentence:
                    "the certificate is not for bots.example.test but for xmpp.host.test; the server needs one for the "
                    + "JID's domain"),
            Bad(
                what: "only the host that it runs on", order: good.with { $0.names = "DNS:localhost" },
                server: "localhost",
                sentence:
                    "the certificate is for the host localhost and not for bots.example.test; where the server runs "
                    + "proves nothing, so it needs one for the JID's domain"),
            Bad(
                what: "many other names",
                order: good.with {
                    $0.names = (1...200).map { "DNS:n\($0).example" }.joined(separator: ", ")
                },
                sentence: "the certificate is not for bots.example.test but for n1.example, n2.example, n3.example, "
                    + "n4.example, n5.example and 195 more; the server needs one for the JID's domain"),
            Bad(
                what: "unknown authority", order: CertificateOrder(domain, signer: .stranger),
                sentence: "the certificate of bots.example.test is signed by an authority that is not trusted (“Test "
                    + "stranger”); name the authority's file in account.trust.ca, or compare the key on the server "
                    + "(\(command)) and, only if it is the same, add to \"account\" in place of what is there: \"trust\": "
                    + "{\"pins\": [\"PIN\"]}"),
            Bad(
                what: "self-signed", order: CertificateOrder(domain, signer: .itself),
                sentence:
                    "the certificate of bots.example.test is signed by itself, so it proves nothing; name its file in "
                    + "account.trust.ca, or compare the key on the server (\(command)) and, only if it is the same, add to "
                    + "\"account\" in place of what is there: \"trust\": {\"pins\": [\"PIN\"]}"),
            Bad(
                what: "no subjectAltName", order: good.with { $0.names = nil },
                sentence: "the certificate of bots.example.test names no host at all, and its common name "
                    + "“bots.example.test” does not count; the server needs one with bots.example.test as a subjectAltName"
            ),
            Bad(
                what: "no name of any kind",
                order: good.with {
                    $0.names = nil
                    $0.commonName = nil
                },
                sentence: "the certificate of bots.example.test names no host at all; the server needs one with "
                    + "bots.example.test as a subjectAltName"),
            Bad(
                what: "an authority that has expired", order: CertificateOrder(domain, signer: .expired),
                sentence:
                    "the certificate of bots.example.test is signed by an authority whose own certificate has expired; "
                    + "let the server send the chain that its authority hands out now"),
            Bad(
                what: "an authority that is not yet valid", order: CertificateOrder(domain, signer: .notYetValid),
                sentence:
                    "the certificate of bots.example.test is signed by an authority whose own certificate is not valid "
                    + "yet; check the clocks of both machines"),
            Bad(
                what: "for clients", order: good.with { $0.usage = "clientAuth" },
                sentence: "the certificate of bots.example.test is not made for a server (extendedKeyUsage)"),
            Bad(
                what: "weak", order: good.with { $0.key = .rsa1024 },
                sentence:
                    "the certificate of bots.example.test is too weak to prove anything (EE certificate key too weak); "
                    + "renew it on the server"),
            Bad(
                what: "another key than the pinned one", order: good,
                trust: .key(good.with { $0.key = .another }),
                sentence:
                    "the server of bots.example.test has the key PIN, and account.trust.pins allows only OTHER, so "
                    + "nothing was sent to it; if its key was changed on purpose, compare it on the server (\(command)) and "
                    + "mend the pin, else somebody sits between", isFinal: true),
            Bad(
                what: "the pinned key in a certificate of nobody's", order: CertificateOrder(domain, signer: .itself),
                trust: .authorityAndKey(CertificateOrder(domain, signer: .itself)),
                sentence:
                    "the certificate of bots.example.test is signed by itself, so it proves nothing; account.trust.ca "
                    + "demands another, whatever account.trust.pins says; leave ca out to go by the pins alone"),
        ]
    }

    private static func configuration(
        _ server: TestServer, _ trust: Trust, folder: String
    ) throws -> Configuration {
        let workshop = try CertificateWorkshop.shared.get()
        var configuration = try BotConfiguration.standard(server, folder: folder)
        configuration.account.connection.authorities = nil
        func pin(_ order: CertificateOrder) throws -> [CertificatePin] {
            [try #require(CertificatePin(try workshop.pin(of: order)))]
        }
        switch trust {
        case .authority: configuration.account.connection.authorities = workshop.authority
        case .key(let order): configuration.account.connection.pins = try pin(order)
        case .authorityAndKey(let order):
            configuration.account.connection.authorities = workshop.authority
            configuration.account.connection.pins = try pin(order)
        }
        return configuration
    }

    private static func context(
        _ order: CertificateOrder, versions: ClosedRange<TLSVersion> = .tls12 ... .tls13
    ) throws -> TLSContext {
        try .server(try CertificateWorkshop.shared.get().make(order), versions: versions, securityLevel: 0)
    }

    /// The bot's first words, and the handshake with this certificate that it breaks off.
    private static func refuse(_ connection: TestConnection, _ context: TLSContext) async throws {
        try await connection.open(
            features: "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
        await #expect(throws: TestServerFailure.self) { try await connection.secure(with: context) }
        // Nobody is named, and nothing was said inside TLS.
        for words in connection.unread {
            #expect(words.hasPrefix("(") && !words.contains("opsbot"), "\(words)")
        }
    }

    @Test("a bad certificate has its own sentence, and gets nothing before or after it is seen", arguments: Bad.all)
    func refused(bad: Bad) async throws {
        let workshop = try CertificateWorkshop.shared.get()
        for version in [TLSVersion.tls12, .tls13] {
            let context = try Self.context(bad.order, versions: version...version)
            try await TestServer.running(TestServerOptions(tls: context)) { server in
                try await BotConfiguration.inFolder { folder in
                    var configuration = try Self.configuration(server, bad.trust, folder: folder)
                    if let host = bad.server {
                        configuration.account.server = .init(host: host, port: server.port)
                    }
                    try await BotUnderTest.running(configuration) { bot in
                        try await Self.refuse(try await server.connection(), context)
                        let line = try await bot.sink.expect("offline")
                        let sentence = bad.sentence
                            .replacing("PIN", with: try workshop.pin(of: bad.order))
                            .replacing("OTHER", with: try workshop.pin(of: bad.order.with { $0.key = .another }))
                        #expect(line.message == "Not connected: " + sentence)
                        #expect(line.fields.contains { $0.name == "next" && ($0.value == "never") == bad.isFinal })
                        if bad.isFinal {
                            #expect(try await bot.ending() == .conflict)
                        } else {
                            // It comes back, and is as careful as before.
                            try await Self.refuse(try await server.connection(), context)
                        }
                    }
                }
            }
        }
    }

    @Test("an address as domain wants a certificate for the address")
    func wrongAddress() async throws {
        let order = CertificateOrder(Self.domain).with { $0.names = "IP:127.0.0.1" }
        try await TestServer.running(TestServerOptions(domain: "127.0.0.2", tls: try Self.context(order))) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try Self.configuration(server, .authority, folder: folder)
                configuration.account.jid = try .init("opsbot@127.0.0.2")
                try await BotUnderTest.running(configuration) { bot in
                    try await Self.refuse(try await server.connection(), try Self.context(order))
                    #expect(
                        try await bot.sink.expect("offline").message
                            == "Not connected: the certificate is not for the address 127.0.0.2 but for 127.0.0.1; the "
                            + "server needs one that holds the address, since it stands in account.jid")
                }
            }
        }
    }

    @Test("text of a hostile certificate moves no cursor")
    func hostileText() async throws {
        let order = CertificateOrder(Self.domain, signer: .authority).with {
            $0.names = nil
            $0.commonName = "a\u{1B}[2J\u{202E}b"
        }
        let context = try Self.context(order)
        try await TestServer.running(TestServerOptions(tls: context)) { server in
            try await BotConfiguration.inFolder { folder in
                try await BotUnderTest.running(try Self.configuration(server, .authority, folder: folder)) { bot in
                    try await Self.refuse(try await server.connection(), context)
                    let line = try await bot.sink.expect("offline")
                    #expect(line.message.contains("its common name “a\u{FFFD}[2J\u{FFFD}b” does not count"))
                }
            }
        }
    }

    struct Pinned: Sendable, CustomTestStringConvertible {
        var what: String
        var order: CertificateOrder
        var warnings: [String] = []
        var testDescription: String { what }
    }

    @Test(
        "a pinned key is enough, and what else is wrong with the certificate is said once",
        arguments: [
            Pinned(what: "self-signed", order: CertificateOrder(domain, signer: .itself)),
            Pinned(
                what: "expired and of another",
                order: CertificateOrder("other.example", signer: .itself).with { $0.end = "20200201000000Z" },
                warnings: [
                    "The certificate of bots.example.test has expired (on 2020-02-01), and is taken because "
                        + "account.trust.pins names its key",
                    "The certificate of bots.example.test is not for bots.example.test but for other.example, and is "
                        + "taken because account.trust.pins names its key",
                ]),
            Pinned(
                what: "not yet valid and nameless",
                order: CertificateOrder(domain, signer: .itself).with {
                    $0.start = "20980101000000Z"
                    $0.names = nil
                },
                warnings: [
                    "The certificate of bots.example.test is not valid yet (before 2098-01-01), and is taken because "
                        + "account.trust.pins names its key",
                    "The certificate of bots.example.test names no host at all, and is taken because "
                        + "account.trust.pins names its key",
                ]),
        ])
    func pinned(row: Pinned) async throws {
        try await TestServer.running(TestServerOptions(tls: try Self.context(row.order))) { server in
            try await BotConfiguration.inFolder { folder in
                let configuration = try Self.configuration(server, .key(row.order), folder: folder)
                try await BotUnderTest.running(configuration) { bot in
                    let first = try await server.connection()
                    _ = try await first.login(as: BotConfiguration.account)
                    try await bot.sink.expect("online")
                    first.drop()
                    let second = try await server.connection()
                    _ = try await second.login(as: BotConfiguration.account)
                    try await bot.sink.expect("online")
                    let said = bot.sink.lines.filter { $0.event == "certificate" }.map(\.message)
                    #expect(said == row.warnings)
                }
            }
        }
    }

    @Test("a certificate that changes between attempts is verified afresh each time")
    func changes() async throws {
        let first = try Self.context(Self.good)
        let renewed = try Self.context(Self.good.with { $0.key = .rsa })
        let forged = try Self.context(CertificateOrder(Self.domain, signer: .stranger))
        try await TestServer.running(TestServerOptions(tls: first)) { server in
            try await BotConfiguration.inFolder { folder in
                try await BotUnderTest.running(try Self.configuration(server, .authority, folder: folder)) { bot in
                    let connection = try await server.connection()
                    _ = try await connection.login(as: BotConfiguration.account)
                    try await bot.sink.expect("online")
                    connection.drop()
                    // Somebody between, who has no better certificate than his own.
                    try await Self.refuse(try await server.connection(), forged)
                    // The server's own, renewed with another key.
                    let again = try await server.connection()
                    _ = try await again.login(as: BotConfiguration.account, tls: renewed)
                    try await bot.sink.expect("online")
                }
            }
        }
    }

    @Test("a bot with pins ends when the key changes under it, and does not come back")
    func changedKey() async throws {
        let first = try Self.context(Self.good)
        let other = try Self.context(Self.good.with { $0.key = .another })
        try await TestServer.running(TestServerOptions(tls: first)) { server in
            try await BotConfiguration.inFolder { folder in
                try await BotUnderTest.running(try Self.configuration(server, .key(Self.good), folder: folder)) { bot in
                    let connection = try await server.connection()
                    _ = try await connection.login(as: BotConfiguration.account)
                    try await bot.sink.expect("online")
                    connection.drop()
                    try await Self.refuse(try await server.connection(), other)
                    #expect(try await bot.ending() == .conflict)
                }
            }
        }
    }

    @Test("a server that asks sees the bot's own certificate", arguments: [TLSVersion.tls12, .tls13])
    func ownCertificate(version: TLSVersion) async throws {
        let workshop = try CertificateWorkshop.shared.get()
        let context = try TLSContext.server(
            try workshop.make(Self.good), clients: .file(workshop.authority), versions: version...version)
        let own = try workshop.make(CertificateOrder("bot.example.test").with { $0.usage = "clientAuth" })
        try await TestServer.running(TestServerOptions(tls: context)) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try Self.configuration(server, .authority, folder: folder)
                configuration.account.connection.certificate.file = own.certificateFile
                configuration.account.connection.certificate.key = own.keyFile
                try await BotUnderTest.running(configuration) { _ in
                    let connection = try await server.connection()
                    try await connection.open(
                        features: "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
                    let line = try await connection.secure()
                    #expect(line.facts?.certificate?.names == ["bot.example.test"])
                    #expect(line.channelBindings[.exporter]?.count == 32)
                }
            }
        }
    }
}
