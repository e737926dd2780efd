import BellhopClient
import BellhopDiagnostics
import BellhopTransport
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Finding the server")
struct FindingTests {
    private static let tls = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>"

    @Test("records of _xmpps-client lead to direct TLS: no stream in the clear, and nothing is asked of STARTTLS")
    func directTLS() async throws {
        try await FindingStage.running(try FindingStage.options(.directTLS)) { stage in
            let login = try await stage.login(0)
            #expect(login.headers.map { $0["from"] } == [BotConfiguration.account, BotConfiguration.account])
            #expect(login.headers.map { $0["to"] } == [FindingStage.domain, FindingStage.domain])
            let line = try #require(stage.bot.sink.lines.first { $0.event == "login" })
            #expect(line.fields.contains { $0.name == "tls" && $0.value == "TLS 1.3" })
            #expect(stage.names.questions.contains("SRV _xmpps-client._tcp.bots.example.test"))
        }
    }

    @Test("the records of both services are one list: the better priority comes first", arguments: [true, false])
    func mixed(isDirectFirst: Bool) async throws {
        let securities: [ServerTarget.Security] = isDirectFirst ? [.directTLS, .startTLS] : [.startTLS, .directTLS]
        try await FindingStage.running(try FindingStage.options(securities[0], securities[1])) { stage in
            try await stage.login(0)
            #expect(stage.servers[1].connectionCount == 0)
            #expect(stage.leftTargets == [])
            #expect(stage.warnedOf == nil)
        }
    }

    @Test("a server that the operator names with xmpps:// gets direct TLS, and nobody is asked for its domain")
    func named() async throws {
        var port: UInt16 = 0
        try await FindingStage.running(try FindingStage.options(.directTLS)) { servers in
            port = servers[0].port
            return Zone()
        } configure: { configuration in
            configuration.account.server = .init(host: "127.0.0.1", port: port, directTLS: true)
        } script: { stage in
            try await stage.login(0)
            #expect(stage.names.questions == [])
        }
    }

    @Test("a host that the operator names is looked up at the name server that he names")
    func namedHost() async throws {
        var port: UInt16 = 0
        try await FindingStage.running(try FindingStage.options(.startTLS)) { servers in
            port = servers[0].port
            var zone = Zone()
            zone.add("xmpp.host.test", .alias("real.host.test"))
            zone.add("real.host.test", .address([127, 0, 0, 1]))
            return zone
        } configure: { configuration in
            configuration.account.server = .init(host: "xmpp.host.test", port: port)
        } script: { stage in
            try await stage.login(0)
            #expect(Set(stage.names.questions) == ["A xmpp.host.test", "AAAA xmpp.host.test"])
        }
    }

    @Test("an address that nobody answers at costs no more than a moment: the next one is tried beside it")
    func deadAddress() async throws {
        try await FindingStage.running(try FindingStage.options(.startTLS)) { servers in
            var zone = FindingStage.zone(servers)
            // No route leads to either of them, or packets are lost there.
            zone.add("host0.example.test", .address([0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 12)))
            zone.add("host0.example.test", .address([127, 0, 0, 2]))
            return zone
        } script: { stage in
            try await stage.login(0)
            #expect(stage.leftTargets == [])
        }
    }

    /// What a domain's records say, which endpoints are tried for it, and how the attempt ends.
    private static let empty: [(direct: String?, start: String?, tried: [String], sentence: String)] = [
        (
            nil, nil, ["bots.example.test:5222"],
            "cannot reach the XMPP server of bots.example.test: bots.example.test:5222: not today; asked for "
                + "_xmpps-client._tcp.bots.example.test (no record) and _xmpp-client._tcp.bots.example.test (no record)"
        ),
        (
            ".", nil, ["bots.example.test:5222"],
            "cannot reach the XMPP server of bots.example.test: bots.example.test:5222: not today; asked for "
                + "_xmpps-client._tcp.bots.example.test (the target \".\", which means not offered) and "
                + "_xmpp-client._tcp.bots.example.test (no record)"
        ),
        (
            ".", ".", [],
            "bots.example.test says in DNS that it offers no XMPP service to clients (asked for "
                + "_xmpps-client._tcp.bots.example.test (the target \".\", which means not offered) and "
                + "_xmpp-client._tcp.bots.example.test (the target \".\", which means not offered)); account.jid needs "
                + "another domain, or account.server says where the server is"
        ),
        (
            nil, ".", [],
            "bots.example.test says in DNS that it offers no XMPP service to clients (asked for "
                + "_xmpps-client._tcp.bots.example.test (no record) and _xmpp-client._tcp.bots.example.test (the target "
                + "\".\", which means not offered)); account.jid needs another domain, or account.server says where the "
                + "server is"
        ),
        (
            ".", "h.test", ["h.test:5222"],
            "cannot reach the XMPP server of bots.example.test: h.test:5222: not today; asked for "
                + "_xmpps-client._tcp.bots.example.test (the target \".\", which means not offered) and "
                + "_xmpp-client._tcp.bots.example.test (1 target)"
        ),
        (
            "d.test", "h.test", ["d.test:5223", "h.test:5222"],
            "cannot reach the XMPP server of bots.example.test: d.test:5223 (direct TLS): not today; h.test:5222: not "
                + "today; asked for _xmpps-client._tcp.bots.example.test (1 target) and "
                + "_xmpp-client._tcp.bots.example.test (1 target)"
        ),
        (
            "failing", ".", [],
            "nobody could say where bots.example.test serves XMPP clients: asked for "
                + "_xmpps-client._tcp.bots.example.test (the name server failed (SERVFAIL)) and "
                + "_xmpp-client._tcp.bots.example.test (the target \".\", which means not offered)"
        ),
        (
            "failing", "failing", ["bots.example.test:5222"],
            "cannot reach the XMPP server of bots.example.test: bots.example.test:5222: not today; asked for "
                + "_xmpps-client._tcp.bots.example.test (the name server failed (SERVFAIL)) and "
                + "_xmpp-client._tcp.bots.example.test (the name server failed (SERVFAIL))"
        ),
    ]

    @Test("what records say decides what is tried, and the sentence tells both (C004)", arguments: empty)
    func records(direct: String?, start: String?, tried: [String], sentence: String) async throws {
        let dialled = Mailbox<String> { $0 }
        try await FindingStage.running([]) { _ in
            var zone = Zone()
            for (service, target, port) in [("xmpps-client", direct, 5223), ("xmpp-client", start, 5222)] {
                guard let target else { continue }
                if target == "failing" {
                    zone.answer("_\(service)._tcp.\(FindingStage.domain)", .refusing(2))
                } else {
                    zone.service(
                        service, of: FindingStage.domain, priority: UInt16(clamping: 5223 - port),
                        port: UInt16(clamping: port), target: target)
                }
            }
            return zone
        } change: { run in
            run.world.dial = { _, endpoint, _, answer in
                dialled.post("\(endpoint)")
                let attempt = TransportError.Attempt(
                    address: endpoint.host, port: endpoint.port, reason: "not today")
                answer(.failure(.unreachable([attempt])))
            }
        } script: { stage in
            let line = try await stage.bot.sink.expect("offline")
            #expect(line.message.contains(sentence), "\(line.message)")
            #expect(Array(dialled.left.prefix(tried.count)) == tried)
            #expect(tried.isEmpty == dialled.left.isEmpty)
        }
    }

    @Test("name servers that never answer cost no more than the time of one login; then the domain itself is tried")
    func silentNames() async throws {
        let dialled = Mailbox<String> { $0 }
        var zone = Zone()
        for service in ["xmpps-client", "xmpp-client"] {
            zone.answer("_\(service)._tcp.\(FindingStage.domain)", .silent)
        }
        try await FindingStage.running([]) { _ in
            zone
        } configure: { configuration in
            configuration.account.connection.timeout = .seconds(1)
        } change: { run in
            run.world.dial = { _, endpoint, _, answer in
                dialled.post("\(endpoint)")
                answer(.failure(.noAddress(host: endpoint.host, reason: "Name or service not known")))
            }
        } script: { stage in
            let line = try await stage.bot.sink.expect("offline")
            #expect(dialled.left.first == "bots.example.test:5222")
            #expect(
                line.message.contains(
                    "cannot reach the XMPP server of bots.example.test: bots.example.test:5222: no address (Name or service "
                        + "not known); asked for _xmpps-client._tcp.bots.example.test (the name server did not answer) and "
                        + "_xmpp-client._tcp.bots.example.test (the name server did not answer)"), "\(line.message)")
        }
    }

    @Test("a certificate for the host that the record names is not one for the domain (C006)")
    func certificateOfTarget() async throws {
        let identity = try TestIdentity(domain: "host0.example.test")
        var options = try FindingStage.options(.startTLS)
        options[0].tls = identity.server
        try await FindingStage.running(
            options, configure: { $0.account.connection.authorities = identity.authorityFile }
        ) { stage in
            let connection = try await stage.servers[0].connection()
            try await connection.open(features: Self.tls)
            await #expect(throws: TestServerFailure.self) { try await connection.secure() }
            let line = try await stage.bot.sink.expect("offline")
            #expect(line.message.contains("bots.example.test") && line.message.contains("host0.example.test"))
            #expect(connection.unread.allSatisfy { !$0.contains("auth") && !$0.contains("opsbot") })
        }
    }

    private func hangUp(_ server: TestServer) async throws {
        let connection = try await server.connection()
        _ = try await connection.expectStream()
        connection.drop()
    }

    @Test("every target of a round is tried, and only then the bot waits and begins anew")
    func round() async throws {
        try await FindingStage.running(try FindingStage.options(.startTLS, .startTLS)) { stage in
            for attempt in 0..<2 {
                try await hangUp(stage.servers[0])
                if attempt == 1 { break }
                try await hangUp(stage.servers[1])
                let line = try await stage.bot.sink.expect("offline")
                let places = stage.servers.enumerated().map { "host\($0).example.test:\($1.port): " }
                #expect(
                    line.message.contains(
                        "no session with the XMPP server of bots.example.test: "
                            + places.map { $0 + "the server closed the connection before it said anything" }
                            .joined(separator: "; ")), "\(line.message)")
            }
            try await stage.login(1)
        }
    }

    @Test("a refused password is final: no other target hears of it")
    func refused() async throws {
        try await FindingStage.running(try FindingStage.options(.directTLS, .directTLS)) { stage in
            let connection = try await stage.servers[0].connection()
            try await connection.secured()
            try await connection.open(
                features:
                    "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>SCRAM-SHA-1</mechanism></mechanisms>"
            )
            _ = try await connection.expect("auth", "urn:ietf:params:xml:ns:xmpp-sasl")
            connection.send("<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/></failure>")
            #expect(try await stage.bot.ending() == .loginRefused)
            #expect(stage.servers[1].connectionCount == 0)
        }
    }

    @Test("a round in which each target says that no encryption is to be had ends the run, as one target does")
    func everyTargetIsPlain() async throws {
        try await FindingStage.running(try FindingStage.options(.startTLS, .startTLS)) { stage in
            for server in stage.servers { try await server.connection().open(features: "") }
            #expect(try await stage.bot.ending() == .conflict)
        }
    }

    @Test("an internationalised domain is asked for and proven in ASCII, and told to people as they write it")
    func internationalised() async throws {
        let ascii = "xn--mller-kva.test"
        let identity = try TestIdentity(domain: ascii)
        var options = TestServerOptions(domain: "m\u{FC}ller.test", tls: identity.server)
        options.isDirectTLS = true
        try await FindingStage.running([options, options]) { servers in
            var zone = Zone()
            zone.service("xmpps-client", of: ascii, port: servers[0].port, target: ascii)
            zone.service("xmpps-client", of: ascii, priority: 1, port: servers[1].port, target: ascii)
            zone.add(ascii, .address([127, 0, 0, 1]))
            return zone
        } configure: { configuration in
            configuration.account.jid = try JID("opsbot@m\u{FC}ller.test")
            configuration.account.connection.authorities = identity.authorityFile
        } script: { stage in
            try await stage.servers[0].connection().drop()
            let login = try await stage.login(1, as: "opsbot@m\u{FC}ller.test")
            #expect(login.headers.first?["to"] == "m\u{FC}ller.test")
            #expect(stage.names.questions.contains("SRV _xmpp-client._tcp.\(ascii)"))
            #expect(stage.leftTargets == ["m\u{FC}ller.test:\(stage.servers[0].port) (direct TLS)"])
        }
    }

    @Test("an address as domain is dialled as it is, and the certificate must hold it")
    func literal() async throws {
        let identity = try TestIdentity(domain: "unused.test", subject: "IP:127.0.0.1")
        let options = TestServerOptions(domain: "127.0.0.1", tls: identity.server)
        let dialled = Mailbox<Endpoint> { "\($0)" }
        var port: UInt16 = 0
        try await FindingStage.running([options]) { servers in
            port = servers[0].port
            return Zone()
        } configure: { configuration in
            configuration.account.jid = try JID("opsbot@127.0.0.1")
            configuration.account.connection.authorities = identity.authorityFile
        } change: { run in
            let dial = run.world.dial
            let port = port
            run.world.dial = { resolver, endpoint, deadline, answer throws(TransportError) in
                dialled.post(endpoint)
                try dial(resolver, Endpoint(host: endpoint.host, port: port), deadline, answer)
            }
        } script: { stage in
            let login = try await stage.login(0, as: "opsbot@127.0.0.1")
            #expect(login.headers.first?["to"] == "127.0.0.1")
            #expect(dialled.left == ["127.0.0.1:5222"])
            #expect(stage.names.questions == [])
        }
    }
}
