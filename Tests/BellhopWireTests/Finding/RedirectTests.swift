import BellhopDiagnostics
import BellhopTransport
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Servers that send the bot elsewhere (see-other-host)")
struct RedirectTests {
    private static let tls = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>"

    private static func elsewhere(_ place: String) -> String {
        "<stream:error><see-other-host xmlns='urn:ietf:params:xml:ns:xmpp-streams'>\(place)</see-other-host>"
            + "</stream:error></stream:stream>"
    }

    /// Only the first server stands in DNS.
    private static func zone(_ servers: [TestServer]) -> Zone {
        var zone = FindingStage.zone([servers[0]])
        zone.add("other.example.test", .address([127, 0, 0, 1]))
        return zone
    }

    /// Takes the server's next connection up to the features behind TLS, and sends it elsewhere.
    private func send(_ server: TestServer, to place: String) async throws {
        let connection = try await server.connection()
        if server.options.isDirectTLS {
            try await connection.secured()
        } else {
            try await connection.open(features: Self.tls)
            try await connection.secure()
        }
        _ = try await connection.expectStream()
        connection.send(
            "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' id='1' version='1.0'>"
                + Self.elsewhere(place))
    }

    @Test(
        "inside TLS it is followed at once, in the way in which the server was reached",
        arguments: ["127.0.0.1", "localhost", "other.example.test", "[::ffff:127.0.0.1]"],
        [
            ServerTarget.Security.startTLS, .directTLS,
        ])
    func followed(host: String, security: ServerTarget.Security) async throws {
        try await FindingStage.running(try FindingStage.options(security, security), zone: Self.zone) { stage in
            try await send(stage.servers[0], to: "\(host):\(stage.servers[1].port)")
            let login = try await stage.login(1)
            #expect(login.headers.allSatisfy { $0["to"] == FindingStage.domain })
            #expect(!stage.bot.sink.lines.contains { $0.event == "offline" && $0.level == .warning })
        }
    }

    @Test("whoever it leads to must prove the domain, and gets nothing otherwise; then the round goes on")
    func unproven() async throws {
        var options = try FindingStage.options(.startTLS, .startTLS, .startTLS)
        options[1].tls = try TestIdentity(domain: "other.example.test").server
        try await FindingStage.running(options) { servers in
            FindingStage.zone([servers[0], servers[2]])
        } script: { stage in
            try await send(stage.servers[0], to: "127.0.0.1:\(stage.servers[1].port)")
            let thief = try await stage.servers[1].connection()
            try await thief.open(features: Self.tls)
            await #expect(throws: TestServerFailure.self) { try await thief.secure() }
            try await stage.login(2)
            #expect(thief.unread.allSatisfy { !$0.contains("auth") && !$0.contains("opsbot") })
        }
    }

    @Test("two servers that send each other's clients to and fro are left after three times")
    func circle() async throws {
        try await FindingStage.running(try FindingStage.options(.startTLS, .startTLS), zone: Self.zone) { stage in
            for turn in 0..<4 {
                try await send(
                    stage.servers[turn % 2], to: "127.0.0.1:\(stage.servers[(turn + 1) % 2].port)")
            }
            let line = try await stage.bot.sink.expect("offline")
            #expect(
                line.message.contains(
                    "the server sends us on to 127.0.0.1:\(stage.servers[0].port) (see-other-host), which is followed only "
                        + "inside TLS and at most 3 times in a row"), "\(line.message)")
            try await stage.login(0)
        }
    }

    @Test("a session that is sent elsewhere goes on there, and a circle of sessions ends, too")
    func live() async throws {
        try await FindingStage.running(try FindingStage.options(.startTLS, .startTLS), zone: Self.zone) { stage in
            for turn in 0..<4 {
                let connection = try await stage.servers[turn % 2].connection()
                _ = try await connection.login(as: BotConfiguration.account)
                connection.send(Self.elsewhere("127.0.0.1:\(stage.servers[(turn + 1) % 2].port)"))
            }
            // The fourth was one too many: a new round begins where the domain says.
            try await stage.login(0)
            #expect(stage.servers.map(\.connectionCount) == [3, 2])
        }
    }
}
