import BellhopDiagnostics
import BellhopTransport
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Looking at a place without a login")
struct ProbeTests {
    private static let features = "<stream:features xmlns:stream='http://etherx.jabber.org/streams'>"
    private static let header =
        "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
        + "from='bots.example.test' id='1' version='1.0'>"

    /// What a server says at once, and what is found then.
    struct Strange: Sendable, CustomTestStringConvertible {
        var what: String
        var said: String
        var check: DoctorCheck
        var verdict: Finding.Verdict
        var words: String
        /// As `run` ends, or would if it did not try again.
        var code: ExitCode = .unavailable
        var testDescription: String { what }

        static let all = [
            Strange(
                what: "no encryption is offered", said: header + features + "</stream:features>", check: .tls,
                verdict: .failed, words: "offers no encryption (STARTTLS)", code: .conflict),
            Strange(
                what: "encryption is stripped, and PLAIN is offered",
                said: header + features
                    + "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism></mechanisms>"
                    + "</stream:features>", check: .tls, verdict: .failed, words: "offers no encryption (STARTTLS)",
                code: .conflict),
            Strange(
                what: "bytes stand behind proceed",
                said: header + features + "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>"
                    + "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/><message/>",
                check: .tls, verdict: .failed, words: "before encryption was up"),
            Strange(
                what: "a web server answers", said: "HTTP/1.1 400 Bad Request\r\n\r\n", check: .port,
                verdict: .failed, words: "what is no XMPP"),
            Strange(
                what: "another domain is served",
                said: header
                    + "<stream:error><host-unknown xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>",
                check: .port, verdict: .failed, words: "does not serve the domain bots.example.test",
                code: .conflict),
            Strange(
                what: "the server ends the stream", said: header + "</stream:stream>", check: .port, verdict: .failed,
                words: "closed the connection"),
        ]
    }

    @Test(
        "a strange server is told of for what it is, and is told neither a name nor a password", arguments: Strange.all)
    func strange(_ strange: Strange) async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                let configuration = try BotConfiguration.standard(server, folder: folder)
                let facts = try await DoctorStage.facts(configuration) {
                    let connection = try await server.connection()
                    let opened = try await connection.expectStream()
                    #expect(opened["from"] == nil)
                    connection.send(strange.said)
                    try await left(connection)
                }
                let findings = facts.map(DoctorPhrases.finding)
                let finding = try #require(findings.first { $0.verdict == .failed })
                #expect(finding.check == strange.check && finding.verdict == strange.verdict)
                #expect(finding.what.contains(strange.words), "\(finding.what)")
                #expect(facts.contains(.loginSkipped(.noPlace)))
                #expect(facts.lazy.compactMap(\.exitCode).first == strange.code)
            }
        }
    }

    /// Reads to the end; nothing but a wish for TLS, or a reason to go, may come.
    private func left(_ connection: TestConnection) async throws {
        while true {
            switch try await connection.facts.take("the doctor's departure", patience: .seconds(30), { $0 }) {
            case .left: return
            case .stanza(let stanza): #expect(stanza.name == "starttls" || stanza.name == "error")
            case .opened, .closedStream, .secured, .handedOver, .broke: continue
            }
        }
    }

    @Test("direct TLS is told as such, with what the records say")
    func directTLS() async throws {
        var options = TestServerOptions(tls: try TestIdentity.shared.get().server)
        options.isDirectTLS = true
        try await TestServer.running(options) { server in
            var zone = Zone()
            zone.service("xmpps-client", of: "bots.example.test", port: server.port, target: "live.example.test")
            zone.add("live.example.test", .address([127, 0, 0, 1]))
            try await TestNameServer.running(zone) { names in
                try await BotConfiguration.inFolder { folder in
                    var configuration = try BotConfiguration.standard(server, folder: folder)
                    configuration.account.server = nil
                    configuration.account.nameServer = .init(address: "127.0.0.1", port: names.port)
                    let facts = try await DoctorStage.facts(configuration, canLogIn: false) {
                        let connection = try await server.connection()
                        try await connection.secured()
                        try await connection.open(features: connection.options.saslFeatures)
                        try await connection.expectStreamEnd()
                        connection.close()
                    }
                    let said = facts.map(DoctorPhrases.finding).map(\.what)
                    let place = "live.example.test:\(server.port)"
                    #expect(
                        said.contains(
                            "_xmpps-client._tcp.bots.example.test leads to \(place) (priority 0, weight 0); "
                                + "_xmpp-client._tcp.bots.example.test is not there."))
                    #expect(said.contains("live.example.test is 127.0.0.1."))
                    #expect(said.contains { $0.hasPrefix("\(place) (direct TLS) speaks TLS 1.3 (") })
                }
            }
        }
    }

    @Test(
        "a server with SASL2 alone is told of with what goes along with it, and nobody shows who it is",
        arguments: [true, false])
    func sasl2(isUsed: Bool) async throws {
        let offer =
            "<authentication xmlns='urn:xmpp:sasl:2'><mechanism>SCRAM-SHA-256</mechanism><inline><sm xmlns='urn:xmpp:sm:3'/>"
            + "<bind xmlns='urn:xmpp:bind:0'/></inline></authentication>"
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                if !isUsed { configuration.account.connection.sasl2 = .off }
                let facts = try await DoctorStage.facts(configuration, canLogIn: false) {
                    let connection = try await server.connection()
                    try await connection.open(
                        features: "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
                    try await connection.secure()
                    try await connection.open(features: offer)
                    try await connection.expectStreamEnd()
                    #expect(!connection.unread.contains { $0.contains("<auth") })
                    connection.close()
                }
                let finding = try #require(facts.map(DoctorPhrases.finding).first { $0.check == .mechanisms })
                #expect(finding.verdict == (isUsed ? .ok : .failed))
                let words =
                    isUsed
                    ? "offers SCRAM-SHA-256 by SASL2 with resumption, binding along with it; the bot takes SCRAM-SHA-256."
                    : "offers only urn:xmpp:sasl:2"
                #expect(finding.what.contains(words), "\(finding.what)")
            }
        }
    }

    @Test("a stream in the clear, which the operator wants, is degraded")
    func clear() async throws {
        try await TestServer.running(TestServerOptions()) { server in
            try await BotConfiguration.inFolder { folder in
                let configuration = try BotConfiguration.standard(server, folder: folder)
                let facts = try await DoctorStage.facts(configuration, canLogIn: false) {
                    let connection = try await server.connection()
                    try await connection.open(features: connection.options.saslFeatures)
                    try await connection.expectStreamEnd()
                    connection.close()
                }
                let place = ServerTarget(Endpoint(host: "127.0.0.1", port: server.port))
                #expect(facts.contains(.inTheClear(place)))
            }
        }
    }
}
