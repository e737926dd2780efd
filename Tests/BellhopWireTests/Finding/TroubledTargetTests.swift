import BellhopDiagnostics
import BellhopTransport
import Testing

@testable import Bellhop
@testable import BellhopTestServer

/// The first target of two is out of order in every way; the second gets the bot in the same round.
@Suite("Targets out of order")
struct TroubledTargetTests {
    enum Trouble: CaseIterable {
        case hangsUp, hangsUpInHeader, hangsUpInFeatures, hangsUpBehindProceed, hangsUpInLogin
        case garbage, webServer, oldServer, refusesTLS, offersNothing, injects, otherDomain, noMechanism
        case sendsElsewhereInClear, systemShutdown, wrongCertificate

        private static let header =
            "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' id='1' version='1.0'>"

        func play(_ connection: TestConnection) async throws {
            let tls = "urn:ietf:params:xml:ns:xmpp-tls"
            let offer = "<starttls xmlns='\(tls)'><required/></starttls>"
            func error(_ condition: String) -> String {
                "<stream:error><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>"
            }
            switch self {
            case .hangsUp: connection.drop()
            case .hangsUpInHeader:
                _ = try await connection.expectStream()
                connection.send("<?xml version='1.0'?><stream:str")
                connection.drop()
            case .hangsUpInFeatures:
                _ = try await connection.expectStream()
                connection.send(Self.header + "<stream:features><starttls")
                connection.drop()
            case .hangsUpBehindProceed:
                try await connection.open(features: offer)
                _ = try await connection.expect("starttls", tls)
                connection.send("<proceed xmlns='\(tls)'/>")
                connection.drop()
            case .hangsUpInLogin:
                try await connection.open(features: offer)
                try await connection.secure()
                try await connection.open(
                    features:
                        "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>SCRAM-SHA-1</mechanism></mechanisms>"
                )
                _ = try await connection.expect("auth", "urn:ietf:params:xml:ns:xmpp-sasl")
                connection.drop()
            case .garbage: connection.send("\u{1}\u{2}\u{3}")
            case .webServer: connection.send("HTTP/1.1 400 Bad Request\r\n\r\n<html></html>")
            case .oldServer:
                connection.send(
                    "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' id='1'>")
            case .refusesTLS:
                try await connection.open(features: offer)
                _ = try await connection.expect("starttls", tls)
                connection.send("<failure xmlns='\(tls)'/></stream:stream>")
            case .offersNothing:
                try await connection.open(
                    features:
                        "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism></mechanisms>"
                )
            case .injects:
                try await connection.open(features: offer)
                _ = try await connection.expect("starttls", tls)
                connection.send("<proceed xmlns='\(tls)'/><stream:features/>")
            case .otherDomain:
                try await connection.open(features: offer)
                connection.send(error("host-unknown"))
            case .noMechanism:
                try await connection.open(features: offer)
                try await connection.secure()
                try await connection.open(
                    features:
                        "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism></mechanisms>"
                )
            case .sendsElsewhereInClear:
                try await connection.open(features: offer)
                connection.send(
                    "<stream:error><see-other-host xmlns='urn:ietf:params:xml:ns:xmpp-streams'>127.0.0.1:1"
                        + "</see-other-host></stream:error>")
            case .systemShutdown:
                try await connection.open(features: offer)
                connection.send(error("system-shutdown"))
            case .wrongCertificate:
                try await connection.open(features: offer)
                _ = try? await connection.secure()
            }
        }
    }

    @Test("a first target that is out of order does not stop the second", arguments: Trouble.allCases)
    func trouble(_ trouble: Trouble) async throws {
        var options = try FindingStage.options(.startTLS, .startTLS)
        if trouble == .wrongCertificate { options[0].tls = try TestIdentity(domain: "xmpp.host.test").server }
        try await FindingStage.running(options) { stage in
            let first = try await stage.servers[0].connection()
            try await trouble.play(first)
            try await stage.login(1)
            let place = "host0.example.test:\(stage.servers[0].port)"
            #expect(stage.leftTargets == [place])
            #expect(stage.warnedOf?.hasPrefix(place + ": ") == true)
            #expect(!stage.bot.sink.lines.contains { $0.event == "offline" && $0.level != .info })
            #expect(stage.servers.map(\.connectionCount) == [1, 1])
            if trouble != .hangsUpInLogin {
                #expect(first.unread.allSatisfy { !$0.contains("<auth") && !$0.contains("opsbot") }, "\(first.unread)")
            }
        }
    }

    enum DirectTrouble: CaseIterable { case hangsUp, plainStream, wrongCertificate, sendsNothing }

    @Test("a first target whose direct TLS is out of order does not stop the second", arguments: DirectTrouble.allCases)
    func directTrouble(_ trouble: DirectTrouble) async throws {
        var options = try FindingStage.options(.directTLS, .startTLS)
        switch trouble {
        case .hangsUp, .sendsNothing: break
        case .plainStream: options[0].isDirectTLS = false
        case .wrongCertificate: options[0].tls = try TestIdentity(domain: "xmpp.host.test").server
        }
        try await FindingStage.running(options) { servers in
            var zone = FindingStage.zone([])
            zone.service(
                "xmpps-client", of: FindingStage.domain, port: servers[0].port, target: "host0.example.test")
            zone.service(
                "xmpp-client", of: FindingStage.domain, priority: 1, port: servers[1].port, target: "host0.example.test"
            )
            zone.add("host0.example.test", .address([127, 0, 0, 1]))
            return zone
        } configure: { configuration in
            if trouble == .sendsNothing { configuration.account.connection.timeout = .seconds(1) }
        } script: { stage in
            let first = try await stage.servers[0].connection()
            switch trouble {
            case .hangsUp: first.drop()
            case .plainStream: first.send("<?xml version='1.0'?><stream:stream>")
            case .wrongCertificate: break
            case .sendsNothing: first.stall()
            }
            try await stage.login(1)
            #expect(stage.leftTargets == ["host0.example.test:\(stage.servers[0].port) (direct TLS)"])
            if trouble == .plainStream || trouble == .wrongCertificate {
                #expect(first.unread.allSatisfy { !$0.contains("opsbot") }, "\(first.unread)")
            }
        }
    }

    @Test("a wrong guess of what a port wants says how account.server is mended", arguments: [true, false])
    func mistakenPort(isDirectTLS: Bool) async throws {
        var port: UInt16 = 0
        try await FindingStage.running(try FindingStage.options(.startTLS)) { servers in
            port = servers[0].port
            return Zone()
        } configure: { configuration in
            configuration.account.server = .init(host: "127.0.0.1", port: port, directTLS: isDirectTLS)
        } script: { stage in
            let connection = try await stage.servers[0].connection()
            if isDirectTLS {
                connection.send("<?xml version='1.0'?><stream:stream>")
            } else {
                _ = try await connection.expectStream()
                connection.drop()
            }
            #expect(
                try await stage.bot.sink.expect("offline").message
                    == (isDirectTLS
                        ? "Not connected: no encrypted connection to bots.example.test: wrong version number; perhaps TLS "
                            + "does not come first on that port: leave xmpps:// out of account.server"
                        : "Not connected: the server closed the connection before it said anything; if TLS comes first on "
                            + "that port, write xmpps:// in front of it in account.server"))
        }
    }
}
