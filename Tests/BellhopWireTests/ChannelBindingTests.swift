import BellhopCrypto
import BellhopDiagnostics
import CertificateWorkshop
import Testing

@testable import Bellhop
@testable import BellhopTestServer

/// The bot and a server that plays SCRAM by itself, over real TLS sessions of both versions.
@Suite("Logins bound to their TLS session, over the wire")
struct ChannelBindingTests {
    typealias Policy = Configuration.ChannelBinding

    /// One row of the table.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var version = TLSVersion.tls13
        var extendedMasterSecret = true
        var key = CertificateOrder.Key.p256
        var mechanisms = ["SCRAM-SHA-256-PLUS", "SCRAM-SHA-256"]
        var listed: [String]? = ["tls-exporter", "tls-server-end-point"]
        var policy = Policy.auto
        /// The mechanism with its type as the log has it; nil where nothing may be sent.
        var login: String?

        init(_ name: String, _ login: String?, _ change: (inout Row) -> Void = { _ in }) {
            testDescription = name
            self.login = login
            change(&self)
        }
    }

    static let table: [Row] = [
        Row("TLS 1.3, both types listed", "SCRAM-SHA-256-PLUS (tls-exporter)"),
        Row("TLS 1.2, both types listed", "SCRAM-SHA-256-PLUS (tls-exporter)") { $0.version = .tls12 },
        Row("TLS 1.2 without the extended master secret", "SCRAM-SHA-256-PLUS (tls-server-end-point)") {
            $0.version = .tls12
            $0.extendedMasterSecret = false
        },
        Row("TLS 1.3, the end point listed", "SCRAM-SHA-256-PLUS (tls-server-end-point)") {
            $0.listed = ["tls-server-end-point"]
        },
        Row("TLS 1.2, the end point listed, RSA", "SCRAM-SHA-256-PLUS (tls-server-end-point)") {
            $0.version = .tls12
            $0.key = .rsa
            $0.listed = ["tls-server-end-point", "tls-unique"]
        },
        Row("TLS 1.2, others listed", "SCRAM-SHA-256") {
            $0.version = .tls12
            $0.listed = ["tls-unique"]
        },
        Row("TLS 1.3, -PLUS without a list", "SCRAM-SHA-256") { $0.listed = nil },
        Row("TLS 1.2, -PLUS without a list", "SCRAM-SHA-256") {
            $0.version = .tls12
            $0.listed = nil
        },
        Row("TLS 1.3, no -PLUS and no list", "SCRAM-SHA-256") {
            $0.mechanisms = ["SCRAM-SHA-256", "PLAIN"]
            $0.listed = nil
        },
        Row("TLS 1.3, off", "SCRAM-SHA-256") { $0.policy = .off },
        Row("TLS 1.3, required, without a list", "SCRAM-SHA-256-PLUS (tls-exporter)") {
            $0.policy = .required
            $0.listed = nil
        },
        Row(
            "TLS 1.2, required, without a list or the extended master secret",
            "SCRAM-SHA-256-PLUS (tls-server-end-point)"
        ) {
            $0.policy = .required
            $0.version = .tls12
            $0.extendedMasterSecret = false
            $0.listed = nil
        },
        Row("TLS 1.3, required, others listed", nil) {
            $0.policy = .required
            $0.listed = ["tls-unique"]
        },
        Row("TLS 1.2, required, no -PLUS", nil) {
            $0.policy = .required
            $0.version = .tls12
            $0.mechanisms = ["SCRAM-SHA-256", "PLAIN"]
            $0.listed = nil
        },
    ]

    /// A server like the row's, and a bot that connects to it.
    private func running(
        _ row: Row, tellsOffer: Bool = false,
        _ script: (BotUnderTest, TestConnection) async throws -> Void
    ) async throws {
        let workshop = try CertificateWorkshop.shared.get()
        let order = CertificateOrder("bots.example.test").with { $0.key = row.key }
        var options = TestServerOptions(
            tls: try .server(
                try workshop.make(order), versions: row.version...row.version,
                extendedMasterSecret: row.extendedMasterSecret),
            mechanisms: row.mechanisms)
        options.channelBindings = row.listed
        options.tellsOffer = tellsOffer
        try await TestServer.running(options) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                configuration.account.connection.authorities = workshop.authority
                configuration.account.connection.channelBinding = row.policy
                configuration.account.connection.allowsPlain = true
                try await BotUnderTest.running(configuration) { try await script($0, try await server.connection()) }
            }
        }
    }

    @Test("the channel-binding table", arguments: table)
    func binding(row: Row) async throws {
        try await running(row) { bot, connection in
            guard let login = row.login else {
                try await connection.open(features: Self.startTLS)
                try await connection.secure()
                try await connection.open(features: connection.options.saslFeatures)
                #expect(try await bot.ending() == .loginRefused)
                #expect(Self.isSilent(connection))
                return
            }
            _ = try await connection.login(as: BotConfiguration.account)
            let line = try await bot.sink.expect("login")
            #expect(line.fields.contains { $0.name == "mechanism" && $0.value == login })
            #expect(
                line.fields.contains { $0.name == "tls" && $0.value == (row.version == .tls12 ? "TLS 1.2" : "TLS 1.3") }
            )
        }
    }

    @Test(
        "somebody between with a certificate that is trusted: the server refuses the binding, and the bot ends",
        arguments: [TLSVersion.tls12, .tls13], ["tls-exporter", "tls-server-end-point"])
    func between(version: TLSVersion, type: String) async throws {
        let row = Row("", nil) {
            $0.version = version
            $0.listed = [type]
        }
        try await running(row) { bot, connection in
            try await connection.open(features: Self.startTLS)
            let line = try await connection.secure()
            try await connection.open(features: connection.options.saslFeatures)
            // What the server has of its own session with whoever sits between is something else.
            let other = Dictionary(
                uniqueKeysWithValues: line.channelBindings.map { ($0.key.rawValue, $0.value.map { $0 ^ 1 }) })
            await #expect(throws: TestServerFailure.self) {
                try await connection.authenticate(BotConfiguration.account, bindings: other)
            }
            #expect(try await bot.ending() == .loginRefused)
            let said = try #require(bot.sink.lines.last { $0.event == "stop" })
            #expect(said.message.contains("another TLS connection") && said.message.contains(type))
            // One attempt, and nothing weaker behind it.
            #expect(Self.isSilent(connection))
        }
    }

    @Test("-PLUS cut out of the offer: the flag tells the server, which refuses")
    func stripped() async throws {
        let row = Row("", nil) {
            $0.mechanisms = ["SCRAM-SHA-256"]
            $0.listed = nil
        }
        try await running(row) { bot, connection in
            try await connection.open(features: Self.startTLS)
            try await connection.secure()
            try await connection.open(features: connection.options.saslFeatures)
            let auth = try await connection.expect("auth", Self.sasl)
            let first = String(decoding: Base64.decode(auth.text) ?? [], as: UTF8.self)
            #expect(first.hasPrefix("y,,n=opsbot,r="))
            let nonce = first.drop { $0 != "=" }.split(separator: "r=").last ?? ""
            let greeting = "r=\(nonce)server,s=\(Base64.encode([1, 2, 3, 4])),i=4096"
            connection.send("<challenge xmlns='\(Self.sasl)'>\(Base64.encode(Array(greeting.utf8)))</challenge>")
            _ = try await connection.expect("response", Self.sasl)
            let word = Base64.encode(Array("e=server-does-support-channel-binding".utf8))
            connection.send("<challenge xmlns='\(Self.sasl)'>\(word)</challenge>")
            #expect(try await bot.ending() == .loginRefused)
            let said = try #require(bot.sink.lines.last { $0.event == "stop" })
            #expect(said.message.contains("somebody may sit between"))
        }
    }

    @Test("a server that says what it offered is taken, and one that offered something else gets no proof (XEP-0474)")
    func offer() async throws {
        let row = Row("", nil)
        try await running(row, tellsOffer: true) { bot, connection in
            _ = try await connection.login(as: BotConfiguration.account)
            try await bot.sink.expect("online")
        }
        try await running(row, tellsOffer: true) { bot, connection in
            try await connection.open(features: Self.startTLS)
            try await connection.secure()
            // The exporter is cut out on the way.
            var changed = connection.options
            changed.channelBindings = ["tls-server-end-point"]
            try await connection.open(features: changed.saslFeatures)
            await #expect(throws: TestServerFailure.self) {
                try await connection.authenticate(BotConfiguration.account)
            }
            #expect(try await bot.ending() == .loginRefused)
            let said = try #require(bot.sink.lines.last { $0.event == "stop" })
            #expect(said.message.contains("other ways to log in than those that arrived here"))
            #expect(!connection.unread.contains { $0.contains("<response") })
        }
    }

    private static let sasl = "urn:ietf:params:xml:ns:xmpp-sasl"
    private static let startTLS = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>"

    /// Whether nothing of a login is among what the bot sent and nobody read.
    private static func isSilent(_ connection: TestConnection) -> Bool {
        connection.unread.allSatisfy { !$0.contains("<auth") && !$0.contains("<response") && !$0.contains("<iq") }
    }
}
