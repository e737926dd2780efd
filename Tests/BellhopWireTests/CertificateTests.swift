import BellhopClient
import BellhopCrypto
import BellhopDiagnostics
import CertificateWorkshop
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Certificates over the wire")
struct CertificateTests {
    /// What a bot trusts.
    enum Trust: Sendable {
        case authority
        case key(CertificateOrder)
        case authorityAndKey(CertificateOrder)
    }

    static func configuration(
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

    static func context(
        _ order: CertificateOrder, versions: ClosedRange<TLSVersion> = .tls12 ... .tls13
    ) throws -> TLSContext {
        try .server(try CertificateWorkshop.shared.get().make(order), versions: versions, securityLevel: 0)
    }

    /// The bot's first words, and the handshake with this certificate that it breaks off.
    static func refuse(_ connection: TestConnection, _ context: TLSContext) async throws {
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
                        try await bot.sink.expect("offline").message.hasPrefix(
                            "Not connected: the certificate is not for the address 127.0.0.2 but for 127.0.0.1; the "
                                + "server needs one that holds the address, since it stands in account.jid, or compare")
                    )
                }
            }
        }
    }

    @Test("a domain beyond ASCII is named as people write it, and as it stands in certificates")
    func internationalised() async throws {
        let context = try Self.context(CertificateOrder("mueller.example"))
        try await TestServer.running(TestServerOptions(domain: "müller.example", tls: context)) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try Self.configuration(server, .authority, folder: folder)
                configuration.account.jid = try .init("opsbot@müller.example")
                try await BotUnderTest.running(configuration) { bot in
                    let connection = try await server.connection()
                    _ = try await connection.expectStream()
                    connection.send(
                        "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' id='1' "
                            + "version='1.0'><stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"
                            + "</stream:features>")
                    await #expect(throws: TestServerFailure.self) { try await connection.secure() }
                    #expect(
                        try await bot.sink.expect("offline").message.hasPrefix(
                            "Not connected: the certificate is not for müller.example (xn--mller-kva.example) but for "
                                + "mueller.example; the server needs one for the JID's domain, or compare the key"))
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
}
