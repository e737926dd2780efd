import Testing

@testable import Bellhop
@testable import BellhopTestServer

/// A server, or somebody between, that would rather have no encryption, or another one.
extension HostileTable {
    private static let notOffered =
        "the server of bots.example.test offers no encryption (STARTTLS), so nothing was sent to it; "
        + "let the server offer TLS, or check that nobody sits between"
    private static let refused = "the server of bots.example.test offered encryption (STARTTLS) and then refused it"
    private static let injected =
        "something wrote into the connection before encryption was up; somebody may sit between"

    private static func unexpected(_ name: String) -> HostileRow.Ending {
        .comesBack("the server sent an unexpected <\(name)> while encryption was being set up")
    }

    static let encryption: [HostileRow] =
        [
            (mechanisms(["PLAIN"]), "PLAIN instead"), (mechanisms(["SCRAM-SHA-256"]), "SCRAM instead"), ("", "nothing"),
            ("<register xmlns='http://jabber.org/features/iq-register'/>", "registration"),
            ("<starttls xmlns='urn:x'/>", "STARTTLS of another namespace"), (bind, "binding"),
            ("<starttls/>", "STARTTLS without a namespace"),
        ].map { features, what in
            HostileRow("STARTTLS is stripped and \(what) offered", at: .dialled, .ends(.conflict, notOffered)) {
                try await $0.connection.open(features: features)
            }
        }
        + [" ", "<stream:features/>", "x", "\u{16}\u{3}\u{1}", "<", "<proceed xmlns='\(tls)'/>", "</stream:stream>"].map
    {
        bytes in
        HostileRow("behind <proceed/> comes \(bytes.debugDescription)", at: .requestingTLS, .comesBack(injected)) {
            $0.connection.sendBytes([Array("<proceed xmlns='\(tls)'/>\(bytes)".utf8)])
        }
    }
        + [
            HostileRow(
                "STARTTLS is refused", at: .requestingTLS, .comesBack(refused), sends: "<failure xmlns='\(tls)'/>"),
            HostileRow(
                "<proceed/> of another namespace", at: .requestingTLS, unexpected("proceed"), sends: "<proceed/>"),
            HostileRow(
                "<success/> instead of TLS", at: .requestingTLS, unexpected("success"),
                sends: "<success xmlns='\(sasl)'/>"),
            HostileRow(
                "a SCRAM challenge instead of TLS", at: .requestingTLS, unexpected("challenge"),
                sends: element("challenge", "r=x,s=eA==,i=4096")),
            HostileRow(
                "a stanza instead of TLS", at: .requestingTLS, unexpected("message"),
                sends: "<message from='admin@example.test'><body>!deploy x</body></message>"),
            HostileRow(
                "features without STARTTLS, once it was asked for, then a refusal", at: .requestingTLS,
                .comesBack(refused), sends: features(mechanisms(["PLAIN"])) + "<failure xmlns='\(tls)'/>"),
            HostileRow(
                "another server's name in the clear", at: .requestingTLS,
                .comesBack(
                    "the server sends us on to 127.0.0.1:1 (see-other-host), which is followed only inside TLS and at most 3 "
                        + "times in a row"),
                sends: streamError("see-other-host", "127.0.0.1:1")),
            HostileRow(
                "no handshake but words", at: .requestingTLS,
                .comesBack("no encrypted connection to bots.example.test: wrong version number")
            ) {
                $0.connection.send("<proceed xmlns='\(tls)'/>")
                // Only behind the bot's first flight; what comes before it is injected.
                try await $0.isRead()
                $0.connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
            },
            HostileRow(
                "the line is cut in the handshake", at: .requestingTLS,
                .comesBack("the server closed the connection while encryption was being set up")
            ) {
                $0.connection.send("<proceed xmlns='\(tls)'/>")
                try await $0.isRead()
                $0.connection.drop()
            },
            HostileRow(
                "a handshake that never comes", at: .requestingTLS,
                .comesBack(
                    "the login took more than 30 s (while encryption was being set up); account.timeout sets the limit")
            ) { scene in
                scene.connection.send("<proceed xmlns='\(tls)'/>")
                try await scene.pass(seconds: 31)
            },
            HostileRow(
                "handshakes on and on that say nothing", at: .requestingTLS,
                .comesBack(
                    "the login took more than 30 s (while encryption was being set up); account.timeout sets the limit")
            ) { scene in
                scene.connection.send("<proceed xmlns='\(tls)'/>")
                try await scene.isRead()
                // A record of 16 KiB that holds the server's wish for another handshake, four bytes long, again and again.
                let record: [UInt8] = [0x16, 3, 3, 0x40, 0] + Array(repeating: 0, count: 16_384)
                scene.connection.flood(String(decoding: record, as: UTF8.self))
                try await scene.pass(seconds: 31)
            },
            HostileRow(
                "a certificate of an authority that nobody knows", at: .dialled,
                .comesBack(
                    "the certificate of bots.example.test is signed by an authority that is not trusted (“Test authority”); "
                        + "name the authority's file in account.trust.ca, or … \"trust\": {\"pins\": [\"sha256:…\"]}"),
                told: .nothing
            ) { scene in
                let other = try TestIdentity(domain: "bots.example.test")
                await #expect(throws: TestServerFailure.self) { try await scene.secure(as: other.server) }
            },
            HostileRow(
                "the certificate is another one at the second attempt", at: .online,
                .comesBack(
                    "the certificate of bots.example.test is signed by an authority that is not trusted (“Test authority”); "
                        + "name the authority's file in account.trust.ca, or … \"trust\": {\"pins\": [\"sha256:…\"]}")
            ) { scene in
                let other = try TestIdentity(domain: "bots.example.test")
                scene.connection.drop()
                try await scene.bot.sink.expect("offline")
                try await scene.nextConnection()
                await #expect(throws: TestServerFailure.self) { try await scene.secure(as: other.server) }
                #expect(scene.connection.heard.secured == [])
            },
            HostileRow(
                "hosts that name each other inside TLS", at: .opened,
                .comesBack(
                    "the server sends us on to 127.0.0.1:… (see-other-host), which is followed only inside TLS and at most 3 "
                        + "times in a row")
            ) { scene in
                let error = streamError("see-other-host", "127.0.0.1:\(scene.server.port)")
                scene.connection.send(error)
                for _ in 0..<3 {
                    try await scene.nextConnection()
                    try await scene.reach(.opened)
                    scene.connection.send(error)
                }
            },
        ]
}
