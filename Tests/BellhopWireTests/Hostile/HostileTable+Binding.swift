@testable import Bellhop
@testable import BellhopTestServer

/// A server that has taken the login and makes no session of it, or an odd one.
extension HostileTable {
    private static let nameless = "the server named no address for the session"

    private static func result(_ jid: String) -> String { "<bind xmlns='\(bindNamespace)'><jid>\(jid)</jid></bind>" }

    private static func answer(_ name: String, _ ending: HostileRow.Ending, _ payload: String, from: String? = nil)
        -> HostileRow
    {
        HostileRow(name, at: .authenticated, ending) {
            try await $0.connection.open(features: bind)
            try await $0.answerBind(payload, from: from)
        }
    }

    private static func unexpected(_ element: String, _ during: String) -> HostileRow.Ending {
        .comesBack("the server sent an unexpected <\(element)> \(during)")
    }

    static let binding: [HostileRow] = [
        HostileRow(
            "no binding", at: .authenticated, .comesBack("the server took the login and offers no session")
        ) { try await $0.connection.open(features: "") },
        HostileRow(
            "mechanisms once more", at: .authenticated, .comesBack("the server took the login and offers no session")
        ) { try await $0.connection.open(features: mechanisms(["PLAIN"]) + startTLS) },
        HostileRow(
            "a second <success/>", at: .authenticated,
            .comesBack("what answered is no XMPP server: it opened <success>")
        ) { scene in
            // Behind its header: what comes with the first one belongs to the stream before.
            _ = try await scene.connection.expectStream()
            scene.connection.send("<success xmlns='\(sasl)'/>")
        },
        answer("no address", .comesBack(nameless), bind),
        answer("an empty answer", .comesBack(nameless), ""),
        answer("an empty address", .comesBack(nameless), result("")),
        answer("an address without a resource", .comesBack(nameless), result(BotConfiguration.account)),
        answer("an address without a name", .comesBack(nameless), result("bots.example.test/main")),
        answer("an address that is none", .comesBack(nameless), result("@/")),
        answer(
            "an address of a megabyte", .comesBack(nameless), result(String(repeating: "a", count: 1_000_000) + "@b/c")),
        answer("an address of another namespace", .comesBack(nameless), "<bind xmlns='urn:x'><jid>a@b/c</jid></bind>"),
        answer(
            "a stranger's answer", unexpected("iq", "while the session was being made"), result(BotConfiguration.bound),
            from: "mallory@evil.example/x"),
        HostileRow(
            "an answer to something else", at: .authenticated, unexpected("iq", "while the session was being made")
        ) {
            try await $0.connection.open(features: bind)
            $0.connection.send("<iq type='result' id='bind_1'>\(result(BotConfiguration.bound))</iq>")
        },
        HostileRow(
            "a message first", at: .authenticated, unexpected("message", "while the session was being made")
        ) {
            try await $0.connection.open(features: bind)
            $0.connection.send("<message from='admin@example.test'><body>!deploy x</body></message>")
        },
        HostileRow(
            "a broken stream taken up that nobody asked for", at: .authenticated,
            unexpected("resumed", "while the session was being made")
        ) {
            try await $0.connection.open(features: bind + "<sm xmlns='urn:xmpp:sm:3'/>")
            $0.connection.send("<resumed xmlns='urn:xmpp:sm:3' h='0' previd='x'/>")
        },
        HostileRow(
            "somebody else's address", at: .authenticated, .isOnline,
            warning: "The server logged us in as another account than asked for"
        ) {
            try await $0.bind(jid: "mallory@evil.example/main")
            try await $0.sendRoster()
        },
        HostileRow("a megabyte of features behind the login", at: .authenticated, .isOnline) {
            try await $0.bind("<x xmlns='urn:x'>\(String(repeating: "y", count: 1_000_000))</x>")
            try await $0.sendRoster()
        },
        HostileRow("two answers", at: .authenticated, .isOnline) { scene in
            try await scene.connection.open(features: bind)
            let request = try await scene.connection.expect("iq") { $0.child("bind", bindNamespace) != nil }
            for jid in [BotConfiguration.bound, "mallory@evil.example/main"] {
                scene.connection.send("<iq type='result' id='\(request["id"] ?? "")'>\(result(jid))</iq>")
            }
            try await scene.sendRoster()
        },
        HostileRow("features on and on", at: .authenticated, .isOnline) { scene in
            try await scene.connection.open(features: bind)
            scene.connection.send(String(repeating: features(bind), count: 10_000))
            try await scene.answerBind(result(BotConfiguration.bound))
            scene.connection.send(String(repeating: features(bind), count: 10_000))
            try await scene.sendRoster()
        },
        HostileRow("the roster by a stranger first", at: .authenticated, .isOnline) { scene in
            try await scene.bind()
            let question = try await scene.connection.expect("iq") { $0.child("query", "jabber:iq:roster") != nil }
            let forged =
                "<query xmlns='jabber:iq:roster'><item jid='mallory@evil.example' subscription='both'/></query>"
            for sender in ["mallory@evil.example/x", "evil.example", "rooms.bots.example.test"] {
                scene.connection.send(
                    "<iq type='result' id='\(question["id"] ?? "")' from='\(sender)'>\(forged)</iq>")
            }
            scene.connection.reply(
                to: question,
                with: "<query xmlns='jabber:iq:roster'><item jid='alice@example.test' subscription='both'/></query>")
        },
        HostileRow(
            "a roster that never ends", at: .authenticated,
            .cannotRead(
                "the server sent what is no XMPP: over a limit (an element is larger than 16777216 bytes)",
                error: "policy-violation"), within: .roster
        ) { scene in
            try await scene.bind()
            let question = try await scene.connection.expect("iq") { $0.child("query", "jabber:iq:roster") != nil }
            scene.connection.send("<iq type='result' id='\(question["id"] ?? "")'><query xmlns='jabber:iq:roster'>")
            scene.connection.flood("<item jid='somebody@example.test' subscription='both' name='Somebody'/>")
        },
        HostileRow("a roster of nonsense", at: .authenticated, .isOnline) { scene in
            try await scene.bind()
            let items = [
                "<item/>", "<item jid=''/>", "<item jid='@'/>", "<item jid='a@b' subscription='x'/>",
                "<item jid='a@b' subscription='remove'/>", "<x/>", "<item xmlns='urn:x' jid='mallory@evil.example'/>",
                "<item jid='alice@example.test' subscription='both'><group/><group>x</group></item>",
            ]
            try await scene.sendRoster(items.joined())
        },
    ]
}
