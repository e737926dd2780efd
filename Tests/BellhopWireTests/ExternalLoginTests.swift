import BellhopClient
import BellhopCrypto
import BellhopDiagnostics
import CertificateWorkshop
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("EXTERNAL with a client certificate, over the wire")
struct ExternalLoginTests {
    private static let sasl = "urn:ietf:params:xml:ns:xmpp-sasl"
    private static let startTLS = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>"

    /// A server that asks for a certificate and offers EXTERNAL, and a bot that shows this one and may have no password.
    private func running(
        _ order: CertificateOrder, version: TLSVersion = .tls13, password: String = "",
        _ script: (BotUnderTest, TestConnection) async throws -> Void
    ) async throws {
        let workshop = try CertificateWorkshop.shared.get()
        let options = TestServerOptions(
            tls: try .server(
                try workshop.make(CertificateOrder("bots.example.test")), clients: .file(workshop.authority),
                versions: version...version),
            mechanisms: ["EXTERNAL", "SCRAM-SHA-256"])
        try await TestServer.running(options) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                let identity = try workshop.make(order)
                configuration.account.password = Secret(password)
                configuration.account.connection.authorities = workshop.authority
                configuration.account.connection.certificate.file = identity.certificateFile
                configuration.account.connection.certificate.key = identity.keyFile
                try await BotUnderTest.running(configuration) { try await script($0, try await server.connection()) }
            }
        }
    }

    private static func certificate(_ names: String?) -> CertificateOrder {
        CertificateOrder("opsbot").with {
            $0.usage = "clientAuth"
            $0.names = names
        }
    }

    @Test(
        "the certificate stands for the password, and the account is named where the certificate does not name it alone",
        arguments: [
            ("otherName:1.3.6.1.5.5.7.8.5;UTF8:opsbot@bots.example.test", "="),
            ("DNS:opsbot.example", Base64.encode(Array(BotConfiguration.account.utf8))),
        ], [TLSVersion.tls12, .tls13])
    func login(certificate: (names: String, identity: String), version: TLSVersion) async throws {
        try await running(Self.certificate(certificate.names), version: version) { bot, connection in
            try await connection.open(features: Self.startTLS)
            let line = try await connection.secure()
            #expect(line.facts?.certificate?.commonName == "opsbot")
            try await connection.open(features: connection.options.saslFeatures)
            let auth = try await connection.expect("auth", Self.sasl)
            #expect(auth["mechanism"] == "EXTERNAL")
            #expect(auth.text == certificate.identity)
            connection.sendAndRestart("<success xmlns='\(Self.sasl)'/>")
            try await connection.open(features: "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>")
            _ = try await connection.bind(BotConfiguration.account)
            try await connection.answer("query", "jabber:iq:roster")
            let said = try await bot.sink.expect("login")
            #expect(said.fields.contains { $0.name == "mechanism" && $0.value == "EXTERNAL" })
        }
    }

    @Test("a certificate that the server does not take ends the run, and the password is not tried")
    func refused() async throws {
        try await running(Self.certificate(nil), password: "secret") { bot, connection in
            try await connection.open(features: Self.startTLS)
            try await connection.secure()
            try await connection.open(features: connection.options.saslFeatures)
            _ = try await connection.expect("auth", Self.sasl)
            connection.send("<failure xmlns='\(Self.sasl)'><not-authorized/></failure>")
            #expect(try await bot.ending() == .loginRefused)
            let said = try #require(bot.sink.lines.last { $0.event == "stop" })
            #expect(said.message.hasPrefix("the server did not take the certificate"))
            #expect(connection.unread.allSatisfy { !$0.contains("<auth") && !$0.contains("<response") })
        }
    }

    @Test(
        "a server without EXTERNAL gets the password by SCRAM, or nothing where there is none",
        arguments: ["secret", ""])
    func withoutExternal(password: String) async throws {
        try await running(Self.certificate(nil), password: password) { bot, connection in
            try await connection.open(features: Self.startTLS)
            try await connection.secure()
            try await connection.open(
                features: "<mechanisms xmlns='\(Self.sasl)'><mechanism>SCRAM-SHA-256</mechanism></mechanisms>")
            guard password.isEmpty else {
                #expect(try await connection.authenticate(BotConfiguration.account) == "SCRAM-SHA-256")
                return
            }
            #expect(try await bot.ending() == .loginRefused)
            let said = try #require(bot.sink.lines.last { $0.event == "stop" })
            #expect(said.message.contains("the server offers only SCRAM-SHA-256, the bot can use EXTERNAL"))
        }
    }
}
