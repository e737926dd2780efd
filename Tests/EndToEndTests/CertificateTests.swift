import Glibc
import Testing

@Suite("Certificates that prove nothing", .timeLimit(.minutes(3)))
struct CertificateTests {
    struct Bad: Sendable, CustomTestStringConvertible {
        var name: String
        var certificate: Certificate?
        /// Trusts an authority that signed nothing here.
        var trustsAnother = false
        var sentence: String

        var testDescription: String { name }
    }

    static let all = [
        Bad(
            name: "another name", certificate: Certificate(name: "other.example"),
            sentence: "the certificate is not for localhost but for other.example"),
        Bad(
            name: "expired", certificate: Certificate(name: "localhost", ends: "20250101000000Z"),
            sentence: "the certificate of localhost has expired (on 2025-01-01)"),
        Bad(
            name: "signed by itself", certificate: Certificate(name: "localhost", isSelfSigned: true),
            sentence: "the certificate of localhost is signed by itself, so it proves nothing"),
        Bad(
            name: "no name", certificate: Certificate(name: "localhost", hasAlternativeName: false),
            sentence:
                "the certificate of localhost names no host at all, and its common name “localhost” does not count"),
        Bad(
            name: "not yet valid", certificate: Certificate(name: "localhost", begins: "20980101000000Z"),
            sentence: "the certificate of localhost is not valid yet (before 2098-01-01)"),
        Bad(
            name: "unknown authority", trustsAnother: true,
            sentence: "the certificate of localhost is signed by an authority that is not trusted"),
    ]

    @Test(
        "nothing is sent under such a certificate; it is said once, and tried again",
        arguments: RealServer.Kind.allCases, all)
    func refused(kind: RealServer.Kind, bad: Bad) async throws {
        // With TLS 1.2 the types of the records can be read from outside.
        var options: [RealServer.Option] = [.onlyTLS12]
        if let certificate = bad.certificate { options.append(.certificate(certificate)) }
        try await RealServer.running(kind, options) { server in
            try await Relay.running(to: server) { relay in
                var settings = TestBot.Settings()
                settings.port = relay.port
                if bad.trustsAnother { settings.authority = try await TemporaryAuthority.path(in: server.directory) }
                try await TestBot.configured(at: server, settings) { bot in
                    try await bot.running(["-v"]) { child in
                        #expect(try await child.errors.line(containing: bad.sentence) != nil)
                        // The third attempt has begun, so the second has failed.
                        try await child.attempts(3)
                        // That the tests run as root is another matter.
                        let warnings = child.errors.lines.filter {
                            $0.contains(" warn ") && !$0.contains("runs as root")
                        }
                        #expect(warnings.count == 1, "\(warnings)")
                        child.signal(SIGTERM)
                        #expect(await child.end() == .exited(0))
                    }
                }
                // 21 is an alert, 22 a part of the handshake; 23 would be data, a password among it.
                for types in relay.recordTypes { #expect(types.allSatisfy { $0 == 21 || $0 == 22 }, "\(types)") }
                #expect(relay.recordTypes.filter { $0.contains(21) }.count >= 2)
            }
        }
    }

    @Test("what the bot prints of an unknown certificate lets it in when it is pasted, and another key ends it")
    func pasted() async throws {
        let certificate = Certificate(name: "elsewhere.example", ends: "20250101000000Z", isSelfSigned: true)
        try await RealServer.running(.prosody, [.certificate(certificate)]) { server in
            var settings = TestBot.Settings()
            settings.trust = "{}"
            try await TestBot.configured(at: server, settings) { bot in
                let refused = try await bot.program.run(["check", "--online", "--config", bot.configuration])
                #expect(refused.end == .exited(69))
                #expect(refused.errors.contains("only if it is the same, add to \"account\": "))
                let start = try #require(refused.errors.firstRange(of: "\"trust\": {"))
                let end = try #require(refused.errors[start.upperBound...].firstRange(of: "]}"))
                settings.trust = "{" + refused.errors[start.upperBound..<end.upperBound]
                try bot.write(settings)
                #expect(try await bot.register().end == .exited(0))
                try await bot.online { child in
                    let words = child.errors.lines.joined(separator: "\n")
                    #expect(
                        words.contains("The certificate of localhost has expired (on 2025-01-01), and is taken because")
                    )
                    #expect(words.contains("is not for localhost but for elsewhere.example, and is taken because"))
                }
                settings.trust = #"{"pins": ["sha256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="]}"#
                try bot.write(settings)
                let ended = try await bot.run()
                #expect(ended.end == .exited(76))
                #expect(ended.errors.contains("allows only sha256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="))
                let checked = try await bot.program.run(["check", "--online", "--config", bot.configuration])
                #expect(checked.end == .exited(76))
            }
        }
    }
}
