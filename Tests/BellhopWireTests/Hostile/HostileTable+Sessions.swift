import BellhopDiagnostics
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopClient
@testable import BellhopTestServer

/// A server that has let the bot in, and those whose words it brings.
extension HostileTable {
    private static let mallory = "mallory@evil.example/x"

    private static func push(_ items: String, from: String? = nil) -> String {
        "<iq type='set' id='push'\(from.map { " from='\($0)'" } ?? "")>"
            + "<query xmlns='jabber:iq:roster'>\(items)</query></iq>"
    }

    private static func online(
        _ name: String, _ ending: HostileRow.Ending = .isOnline,
        _ script: @escaping @Sendable (HostileScene) async throws -> Void
    ) -> HostileRow { HostileRow(name, at: .online, ending, script) }

    /// The contacts that the bot knows after this.
    private static func contacts(_ scene: HostileScene) async throws -> [String] {
        try await scene.settle()
        return try await scene.bot.ask { $0.loop.rosterItems.map(\.jid.bareText).sorted() }
    }

    private static let honest = ["alice@example.test", "bob@example.test"]

    private static let floods: [HostileRow] = [
        online("questions without end from a server that does not read the answers") { scene in
            scene.connection.turnDeaf()
            scene.connection.flood("<iq type='get' from='\(mallory)' id='q'><ping xmlns='urn:xmpp:ping'/></iq>")
            // Then it does not read any more, either. Where that takes long, the line is given up before (RFC 5482).
            var most = 0
            while most < Link.unsentLimit, let backlog = try await scene.bot.ask({ $0.loop.link?.backlog }) {
                most = max(most, backlog)
                await Task.yield()
            }
            most = max(most, try await scene.bot.ask { $0.loop.link?.backlog ?? 0 })
            // One turn's answers above the limit: it reads four times 32 KiB, and an answer is shorter than its question.
            #expect(most <= Link.unsentLimit + 4 * 32 * 1024)
            try await scene.logInAgain()
        },
        online("twenty thousand questions") { scene in
            scene.connection.send(
                (0..<20_000).map {
                    "<iq type='\($0 % 2 == 0 ? "get" : "set")' from='s\($0)@evil.example/x' id='\($0)'><x xmlns='urn:x'/></iq>"
                }.joined())
            for number in [0, 19_999] {
                let answer = try await scene.connection.expect("iq", id: "\(number)")
                #expect(answer["type"] == "error" && answer["to"] == "s\(number)@evil.example/x")
            }
        },
        online("twenty thousand strangers show themselves, and contacts with a thousand clients each") { scene in
            scene.connection.send(
                (0..<20_000).map { "<presence from='s\($0)@evil.example/x'/>" }.joined()
                    + (0..<1_000).map { "<presence from='alice@example.test/\($0)'/>" }.joined())
            try await scene.settle()
            let known = try await scene.bot.ask { house in
                house.chat.contacts.count(where: \.isOnline)
            }
            #expect(known == 1)
        },
        online("ten thousand messages by strangers that nobody may answer") { scene in
            scene.connection.send(
                (0..<10_000).map {
                    "<message type='error' from='s\($0)@evil.example/x' id='\($0)'><body>!ping</body></message>"
                }.joined())
            try await scene.settle()
            #expect(scene.bot.standard.runs.list.isEmpty)
        },
        online("white space without end") { scene in
            let before = try await scene.bot.ask { $0.loop.now }
            scene.connection.send(String(repeating: " \n", count: 2 << 20))
            try await scene.settle()
            #expect(try await scene.bot.ask { $0.loop.now } > before)
        },
        online("fifty thousand counts that are asked for, where nobody counts") { scene in
            scene.connection.send(
                String(repeating: "<r xmlns='urn:xmpp:sm:3'/><a xmlns='urn:xmpp:sm:3' h='7'/>", count: 50_000))
            try await scene.settle()
            #expect(scene.connection.unread.allSatisfy { !$0.hasPrefix("<a ") })
        },
        online("answers to what nobody asked, twenty thousand of them") { scene in
            scene.connection.send(
                (0..<20_000).map { "<iq type='\($0 % 2 == 0 ? "result" : "error")' id='\($0)'/>" }.joined())
        },
        online("ten thousand pushes of the server's own") { scene in
            scene.connection.send(
                (0..<10_000).map { push("<item jid='s\($0)@evil.example' subscription='none'/>") }.joined()
                    + (0..<10_000).map { push("<item jid='s\($0)@evil.example' subscription='remove'/>") }.joined())
            let known = try await contacts(scene)
            #expect(known == honest)
        },
    ]

    private static let forgeries: [HostileRow] = [
        online("roster pushes of others, and broken ones of the server's") { scene in
            let item = "<item jid='mallory@evil.example' subscription='both'/>"
            for sender in [mallory, "evil.example", "alice@example.test", "opsbot@evil.example", "@", ""] {
                scene.connection.send(push(item, from: sender))
            }
            for items in ["", item + item, "<item/>", "<item jid=''/>", "<item xmlns='urn:x' jid='a@b'/>", "<x/>"] {
                scene.connection.send(push(items))
            }
            scene.connection.send(push(item).replacing("type='set'", with: "type='result'"))
            let known = try await contacts(scene)
            #expect(known == honest)
        },
        online("answers to the bot's question by everybody but the one who was asked") { scene in
            let heard = Heard()
            _ = try await scene.bot.ask { house in
                house.loop.request(.get(Element("ping", namespace: "urn:xmpp:ping")), to: nil) {
                    heard.note($0.map { "\($0)" } ?? "nothing")
                }
            }
            let ping = try await scene.connection.expect("iq", type: "get") { $0.child("ping", "urn:xmpp:ping") != nil }
            let id = ping["id"] ?? ""
            for sender in [mallory, "evil.example", "alice@example.test", "opsbot@evil.example/main"] {
                scene.connection.send("<iq type='result' from='\(sender)' id='\(id)'/>")
                scene.connection.send("<iq type='error' from='\(sender)' id='\(id)'/>")
            }
            try await scene.settle()
            #expect(heard.all == [])
            scene.connection.send("<iq type='result' from='\(BotConfiguration.account)' id='\(id)'/>")
            try await scene.settle()
            #expect(heard.all.count == 1)
        },
        online("what belongs into a login, in the middle of a session") { scene in
            scene.connection.send(
                features(mechanisms(["PLAIN"])) + "<proceed xmlns='\(tls)'/><success xmlns='\(sasl)'/>"
                    + element("challenge", "r=x,s=eA==,i=4096") + "<failure xmlns='\(sasl)'><not-authorized/></failure>"
            )
        },
        online("stanzas of namespaces that are none of theirs") { scene in
            for namespace in [
                "jabber:server", "", "urn:x", "jabber:component:accept", "http://etherx.jabber.org/streams",
            ] {
                for name in ["message", "presence", "iq"] {
                    scene.connection.send(
                        "<\(name) xmlns='\(namespace)' type='set' from='admin@example.test/x' id='n'>"
                            + "<body>!deploy x</body><body xmlns='jabber:client'>!deploy y</body></\(name)>")
                }
            }
            scene.connection.send(
                "<message from='admin@example.test/x'><body xmlns=''>!deploy x</body><body xmlns='urn:x'>!deploy y</body>"
                    + "</message><message from='admin@example.test/x'><x xmlns='urn:x'>"
                    + "<message xmlns='jabber:client' from='admin@example.test/x'><body>!deploy z</body></message></x></message>"
            )
            try await scene.settle()
            #expect(scene.bot.standard.runs.list.isEmpty)
        },
        online("senders that are no addresses") { scene in
            for sender in [
                "", "@", "/", "a@", "@b/c", String(repeating: "a", count: 60_000), "a@b@c", "admin@example.test/",
            ] {
                scene.connection.send(
                    "<message from='\(sender)' type='chat'><body>!deploy x</body></message><presence from='\(sender)'/>"
                        + "<presence from='\(sender)' type='subscribe'/><iq from='\(sender)' type='get' id='x'><a xmlns='b'/></iq>"
                )
            }
            try await scene.settle()
            #expect(scene.bot.standard.runs.list.isEmpty)
        },
        online("types and ids that are none") { scene in
            let long = String(repeating: "x", count: 30_000)
            for type in ["", "nonsense", long] {
                for name in ["message", "presence", "iq"] {
                    scene.connection.send("<\(name) from='\(mallory)' type='\(type)' id='\(long)'/>")
                }
            }
            scene.connection.send(
                "<iq/><iq type='get'/><iq type='set' id='a'/><iq type='get' id='b'><a xmlns='c'/><d xmlns='e'/></iq>")
        },
    ]

    private static let giants: [HostileRow] = [
        online("a message with ten thousand children") { scene in
            scene.connection.send(
                "<message from='alice@example.test/x' type='chat' id='big'><body>!echo found</body>"
                    + (0..<10_000).map { "<x xmlns='urn:x:\($0 % 2_000)' a='b'>c</x>" }.joined() + "</message>")
            _ = try await scene.connection.expect(body: "found")
        },
        online("a message with ten thousand bodies") { scene in
            scene.connection.send(
                "<message from='alice@example.test/x' type='chat' id='many'>"
                    + (0..<10_000).map { "<body xml:lang='x\($0)'>!echo \($0)</body>" }.joined() + "</message>")
            _ = try await scene.connection.expect(body: "0")
            #expect(scene.bot.standard.runs.list.count == 1)
        },
        online("an answer with twenty thousand features") { scene in
            scene.connection.answerDiscovery(nil)
            let asked = Heard()
            _ = try await scene.bot.ask { house in
                house.loop.request(.get(Element("query", namespace: Discovery.namespace)), to: nil) {
                    asked.note($0 == nil ? "nothing" : "an answer")
                }
            }
            let question = try await scene.connection.expect("iq", type: "get") {
                $0.child("query", Discovery.namespace) != nil
            }
            scene.connection.reply(
                to: question,
                with: "<query xmlns='\(Discovery.namespace)'>"
                    + (0..<20_000).map { "<feature var='urn:x:feature:\($0)'/>" }.joined() + "</query>")
            try await scene.settle()
            #expect(asked.all == ["an answer"])
        },
        HostileRow("a roster of a hundred thousand contacts", at: .authenticated, .isOnline, level: .info) { scene in
            try await scene.bind()
            // Seconds of reading, and many of them where others want the processor, too; the bot waits for 30 of its own.
            scene.world.clock.hold()
            try await scene.sendRoster(
                (0..<100_000).map { "<item jid='user\($0)@example.test' subscription='both'/>" }.joined()
                    + "<item jid='alice@example.test' subscription='both'/>")
            try await scene.bot.sink.expect("login", patience: .seconds(120))
            scene.world.clock.run()
            #expect(try await scene.bot.ask { $0.loop.rosterItems.count } == 100_001)
        },
    ]

    static let sessions: [HostileRow] = floods + forgeries + giants
}
