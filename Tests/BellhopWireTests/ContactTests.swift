import BellhopBot
import BellhopClient
import BellhopDiagnostics
import BellhopXML
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Contacts over the wire")
struct ContactTests {
    private static func presence(_ from: String, _ type: String? = nil) -> String {
        "<presence from='\(from)' to='\(BotConfiguration.account)'\(type.map { " type='\($0)'" } ?? "")/>"
    }

    private static func push(_ item: String, from: String? = nil) -> String {
        "<iq type='set' id='push'\(from.map { " from='\($0)'" } ?? "")><query xmlns='jabber:iq:roster'>\(item)</query></iq>"
    }

    @Test("whoever removes the bot is handled afresh, and one who refuses us keeps what they see (C031)")
    func removal() async throws {
        try await OnlineBot.running(configure: { $0.subscriptions.fallback = .accept }) { online in
            let wire = online.wire
            wire.connection.send(Self.presence("alice@example.test", "unsubscribe"))
            wire.connection.send(Self.push("<item jid='alice@example.test' subscription='to'/>"))
            wire.connection.send(Self.presence("bob@example.test", "unsubscribed"))
            wire.connection.send(Self.push("<item jid='bob@example.test' subscription='from'/>"))
            try await wire.settle(online.bot)
            #expect(wire.sent.allSatisfy { $0.name != "presence" })
            #expect(
                try await online.bot.ask { house in
                    ["alice@example.test", "bob@example.test"].map {
                        (try? JID($0)).flatMap { house.loop.rosterItem($0)?.subscription }
                    }
                } == [.to, .from])
            wire.connection.send(Self.presence("alice@example.test", "subscribe"))
            try await wire.expect("an answer to alice") {
                $0["type"] == "subscribed" && $0["to"] == "alice@example.test"
            }
        }
    }

    @Test("five hundred requests within a second: twenty are accepted, the rest wait, and an admin is answered (C032)")
    func flood() async throws {
        try await OnlineBot.running(configure: { configuration in
            configuration.subscriptions.fallback = .ask
            configuration.subscriptions.rules = [
                .init(
                    match: try JIDPattern("spam.example"), action: .accept,
                    limit: .some(.init(count: 20, per: .seconds(60))))
            ]
        }) { online in
            let wire = online.wire
            wire.connection.send((1...500).map { Self.presence("user\($0)@spam.example", "subscribe") }.joined())
            online.say("!deploy prod", from: "admin@example.test/desk")
            try await wire.expect(body: "deployed prod", to: "admin@example.test/desk")
            try await wire.settle(online.bot)
            let answers = wire.sent.filter { $0.name == "presence" }.compactMap { $0["type"] }
            #expect(answers == Array(repeating: "subscribed", count: 20))
            #expect(try await online.bot.ask { $0.desk.pendingRequests.count } == 480)
        }
    }

    @Test("addresses are compared in their prepared form, resources exactly (C035)")
    func upperCase() async throws {
        try await OnlineBot.running(configure: { $0.admins = [try JID("Admin@Example.TEST")] }) { online in
            online.say("!deploy a", from: "admin@example.test/Phone")
            try await online.wire.expect(body: "deployed a", to: "admin@example.test/Phone")
            online.say("!deploy b", from: "ADMIN@EXAMPLE.test/phone")
            try await online.wire.expect(body: "deployed b", to: "admin@example.test/phone")
        }
    }

    @Test("on a new session everybody is offline until they show themselves (C037)")
    func stalePresence() async throws {
        let contacts = ["alice", "bob", "carol"].map { "\($0)@example.test" }
        let roster = contacts.map { "<item jid='\($0)' subscription='both'/>" }
        try await OnlineBot.running(roster: roster) { online in
            for contact in contacts { online.wire.connection.send(Self.presence(contact + "/x")) }
            try await online.wire.settle()
            #expect(try await online.bot.ask { $0.chat.contacts.count(where: \.isOnline) } == 3)
            online.wire.connection.drop()
            let second = try await online.reconnected(roster: roster)
            second.connection.send(Self.presence(contacts[1] + "/x"))
            try await second.settle()
            #expect(
                try await online.bot.ask { $0.chat.contacts.filter(\.isOnline).map(\.jid.bareText) } == [contacts[1]])
        }
    }

    @Test("a stranger's roster push and a stranger's answer with the right id change nothing (C153)")
    func strangers() async throws {
        try await OnlineBot.running { online in
            let wire = online.wire
            wire.connection.send(
                Self.push("<item jid='mallory@evil.example' subscription='both'/>", from: "mallory@evil.example/x"))
            try await wire.expect("a refusal") { $0["type"] == "error" && $0["to"] == "mallory@evil.example/x" }
            // A request of ours, and who answers it.
            let heard = Heard()
            _ = try await online.bot.ask { house in
                house.loop.request(
                    .get(Element("ping", namespace: "urn:xmpp:ping")), to: try? JID("room@rooms.example.test")
                ) {
                    heard.note($0.map { "\($0)" } ?? "nothing")
                }
            }
            let ping = try await wire.expect("a ping") { $0["type"] == "get" && $0["to"] == "room@rooms.example.test" }
            let id = ping["id"] ?? ""
            #expect(id.utf8.count >= 12, "an id that can be guessed: \(id)")
            for from in ["mallory@evil.example/x", "rooms.example.test", BotConfiguration.account] {
                wire.connection.send("<iq type='result' from='\(from)' id='\(id)'/>")
            }
            wire.connection.send("<iq type='result' id='\(id)'/>")
            try await wire.settle()
            #expect(heard.all == [])
            wire.connection.send("<iq type='result' from='room@rooms.example.test' id='\(id)'/>")
            try await wire.settle()
            #expect(heard.all.count == 1)
            #expect(try await online.bot.ask { $0.loop.rosterItems.count } == 2)
        }
    }

    @Test("a roster of 10,000 contacts and a presence of each, and the bot answers (C163)")
    func largeRoster() async throws {
        let roster = (1...10_000).map { "<item jid='user\($0)@example.test' subscription='both'/>" }
        try await OnlineBot.running(roster: roster, level: .info) { online in
            #expect(try await online.bot.ask { $0.loop.rosterItems.count } == 10_000)
            online.wire.connection.send((1...10_000).map { Self.presence("user\($0)@example.test/x") }.joined())
            // Nobody's presence is kept who is no contact.
            online.wire.connection.send((1...10_000).map { Self.presence("stranger\($0)@evil.example/x") }.joined())
            online.say("!ping", from: "user10000@example.test/x")
            try await online.wire.expect(body: "pong", to: "user10000@example.test/x")
            #expect(try await online.bot.ask { $0.chat.contacts.count(where: \.isOnline) } == 10_000)
        }
    }
}
