import BellhopClient
import BellhopCrypto
import BellhopDiagnostics
import CertificateWorkshop
import Foundation
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("The bot's own certificate over the wire")
struct OwnCertificateTests {
    @Test(
        "a server that does not take the bot's own certificate is named with it", arguments: [TLSVersion.tls12, .tls13])
    func ownCertificateRefused(version: TLSVersion) async throws {
        let workshop = try CertificateWorkshop.shared.get()
        let context = try TLSContext.server(
            try workshop.make(CertificateTests.good), clients: .file(workshop.authority), versions: version...version)
        let own = try workshop.make(
            CertificateOrder("bot.example.test", signer: .stranger).with { $0.usage = "clientAuth" })
        try await TestServer.running(TestServerOptions(tls: context)) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try CertificateTests.configuration(server, .authority, folder: folder)
                configuration.account.connection.certificate.file = own.certificateFile
                configuration.account.connection.certificate.key = own.keyFile
                try await BotUnderTest.running(configuration) { bot in
                    try await CertificateTests.refuse(try await server.connection(), context)
                    let line = try await bot.sink.expect("offline").message
                    #expect(line.contains("unknown ca; perhaps the server does not take the bot's own certificate, "))
                    #expect(line.hasSuffix(own.certificateFile))
                }
            }
        }
    }

    @Test("the bot's own certificate is read anew for each login, so that it can be renewed under a running bot")
    func ownCertificateRenewed() async throws {
        let workshop = try CertificateWorkshop.shared.get()
        let context = try TLSContext.server(
            try workshop.make(CertificateTests.good), clients: .file(workshop.authority))
        try await TestServer.running(TestServerOptions(tls: context)) { server in
            try await BotConfiguration.inFolder { folder in
                func install(_ name: String) throws {
                    let made = try workshop.make(CertificateOrder(name).with { $0.usage = "clientAuth" })
                    let texts = try [made.certificateFile, made.keyFile].map {
                        try String(contentsOfFile: $0, encoding: .utf8)
                    }
                    try texts.joined().write(toFile: folder + "/own.pem", atomically: true, encoding: .utf8)
                }
                try install("old.example.test")
                var configuration = try CertificateTests.configuration(server, .authority, folder: folder)
                configuration.account.connection.certificate.file = folder + "/own.pem"
                try await BotUnderTest.running(configuration) { bot in
                    for name in ["old.example.test", "new.example.test"] {
                        let connection = try await server.connection()
                        try await connection.open(
                            features: "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
                        #expect(try await connection.secure().facts?.certificate?.names == [name])
                        try install("new.example.test")
                        connection.drop()
                    }
                }
            }
        }
    }

    @Test("a key of another type than the certificate's is found before any login")
    func anothersKey() async throws {
        let workshop = try CertificateWorkshop.shared.get()
        let own = try workshop.make(CertificateTests.good)
        let other = try workshop.make(CertificateTests.good.with { $0.key = .rsa })
        try await BotConfiguration.inFolder { folder in
            func complaints(_ key: String) throws -> [String] {
                let file = folder + "/bot.json"
                try #"""
                {"account": {"jid": "bot@example.org", "password": "p", "certificate": {
                "file": "\#(own.certificateFile)",
                "key": "\#(key)"}}, "journal": {"path": "j.db"}}
                """#
                .write(toFile: file, atomically: true, encoding: .utf8)
                // It holds a password.
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
                switch ConfigurationLoader(bot: "bot", surroundings: SystemSurroundings()).load(file: file) {
                case .success: return []
                case .failure(let report): return report.lines.map { $0.replacing(folder + "/", with: "") }
                }
            }
            let right = try complaints(own.keyFile)
            #expect(right == [])
            let wrong = try complaints(other.keyFile)
            #expect(wrong.count == 1)
            #expect(wrong.first?.hasPrefix("bot.json:3:8: account.certificate.key: The key in ") == true, "\(wrong)")
            #expect(wrong.first?.contains(" is not that of the certificate in ") == true, "\(wrong)")
        }
    }

    @Test("a server that asks sees the bot's own certificate", arguments: [TLSVersion.tls12, .tls13])
    func ownCertificate(version: TLSVersion) async throws {
        let workshop = try CertificateWorkshop.shared.get()
        let context = try TLSContext.server(
            try workshop.make(CertificateTests.good), clients: .file(workshop.authority), versions: version...version)
        let own = try workshop.make(CertificateOrder("bot.example.test").with { $0.usage = "clientAuth" })
        try await TestServer.running(TestServerOptions(tls: context)) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try CertificateTests.configuration(server, .authority, folder: folder)
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
