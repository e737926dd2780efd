@testable import Bellhop
@testable import BellhopTestServer

/// A stream that is none, never begins, or never gets on.
extension HostileTable {
    private static func late(_ phase: String) -> HostileRow.Ending {
        .comesBack("the login took more than 30 s (\(phase)); account.timeout sets the limit")
    }

    private static func tooLarge(_ phase: String) -> HostileRow.Ending {
        .cannotRead(
            "the server sent what is no XMPP \(phase): over a limit (an element is larger than 65536 bytes)",
            error: "policy-violation")
    }

    private static let tagTooLarge = HostileRow.Ending.cannotRead(
        "the server sent what is no XMPP before it said anything: over a limit (a tag is larger than 16384 bytes)",
        error: "policy-violation")
    private static let silent = "before it said anything"
    private static let mute = "before it said what it offers"

    static let streams: [HostileRow] = [
        HostileRow(
            "a page of HTML", at: .dialled,
            .comesBack("what answered is no XMPP server: it opened <html>"), sends: "<html><body>"),
        HostileRow(
            "an XMPP before 1.0", at: .dialled,
            .ends(
                .conflict,
                "the server speaks XMPP before 1.0, which knows neither encryption nor a safe login"),
            sends: header.replacing(" version='1.0'>", with: ">")),
        HostileRow(
            "a stream in a stream", at: .dialled,
            .comesBack("the server sent an unexpected <stream> \(mute)"),
            sends: header + header.dropFirst(21) + "</stream:stream>"),
        HostileRow("a start tag that never ends", at: .dialled, tagTooLarge, within: .attributesBeforeLogin) {
            $0.connection.send("<stream:stream")
            $0.connection.flood(" a")
        },
        HostileRow(
            "a start tag whose attribute never ends", at: .dialled, tagTooLarge, within: .attributesBeforeLogin
        ) {
            $0.connection.send("<stream:stream a='")
            $0.connection.flood("xxxxxxxxxxxxxxxx")
        },
        HostileRow("white space and no stream, for ever", at: .dialled, tooLarge(silent), within: .beforeLogin) {
            $0.connection.flood("                ")
        },
        HostileRow("a header that drips, one byte a second", at: .dialled, late(silent)) { scene in
            let bytes = Array(header.utf8)
            try await scene.pass(seconds: 31) { second in
                scene.connection.sendBytes([[bytes[second]]])
                try await scene.connection.handedOver()
            }
        },
        HostileRow("nothing at all", at: .dialled, late(silent)) { try await $0.pass(seconds: 31) },
        HostileRow("features that never come", at: .opened, late(mute)) { try await $0.pass(seconds: 31) },
        HostileRow("features that drip, one byte a second", at: .opened, late(mute)) { scene in
            let bytes = Array(features(mechanisms(["SCRAM-SHA-256"])).utf8)
            try await scene.pass(seconds: 31) { second in
                scene.connection.sendBytes([[bytes[second]]])
                try await scene.connection.handedOver()
            }
        },
        HostileRow("a blank a second instead of features", at: .opened, late(mute)) { scene in
            try await scene.pass(seconds: 31) { _ in
                scene.connection.send(" ")
                try await scene.connection.handedOver()
            }
        },
        HostileRow("white space without end instead of features", at: .opened, late(mute)) { scene in
            scene.connection.flood(String(repeating: " ", count: 1_000))
            try await scene.pass(seconds: 31)
        },
        HostileRow("the same features again and again", at: .offered, late("during the login")) { scene in
            scene.connection.flood(features(mechanisms(["PLAIN"])))
            try await scene.pass(seconds: 31)
        },
        HostileRow("features that never end", at: .opened, tooLarge(mute), within: .beforeLogin) {
            $0.connection.send("<stream:features>")
            $0.connection.flood("<a xmlns='urn:x'/>")
        },
        HostileRow("mechanisms that never end", at: .opened, tooLarge(mute), within: .beforeLogin) {
            $0.connection.send("<stream:features><mechanisms xmlns='\(sasl)'>")
            $0.connection.flood("<mechanism>X-0</mechanism>")
        },
        HostileRow("one feature of a megabyte", at: .opened, tooLarge(mute), within: .beforeLogin) {
            $0.connection.send(features("<x xmlns='urn:x'>\(String(repeating: "y", count: 1 << 20))</x>"))
        },
        HostileRow(
            "an end at once", at: .opened, .comesBack("the server closed the connection \(mute)"),
            sends: "</stream:stream>"),
        HostileRow(
            "no features at all, as of a Prosody without a certificate", at: .opened,
            .comesBack(
                "the server ended the stream (undefined-condition): “No stream features to proceed with”; it has neither "
                    + "encryption nor a login for bots.example.test, mostly because it has no certificate for that domain: "
                    + "give it one, and reload it"),
            sends: "<stream:error><undefined-condition xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>"
                + "<text xmlns='urn:ietf:params:xml:ns:xmpp-streams'>No stream features to proceed with</text>"
                + "</stream:error>"),
        HostileRow(
            "a session's features before the login", at: .opened,
            .ends(
                .loginRefused,
                "authentication is not possible: the server offers no way to authenticate, "
                    + "the bot can use SCRAM-SHA-512, SCRAM-SHA-256, SCRAM-SHA-1, PLAIN"),
            sends: features(bind + "<session xmlns='urn:ietf:params:xml:ns:xmpp-session'/><sm xmlns='urn:xmpp:sm:3'/>")),
    ]
}
