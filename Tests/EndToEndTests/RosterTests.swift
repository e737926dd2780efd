import BellhopXML
import FoundationEssentials
import Glibc
import Testing

@Suite("Friend requests and the roster on a real server", .timeLimit(.minutes(3)))
struct RosterTests {
    private static func settings(_ members: String...) -> TestBot.Settings {
        var settings = TestBot.Settings()
        settings.members = members
        return settings
    }

    @Test("accept-mutual ends with both sides seeing each other", arguments: RealServer.Kind.allCases)
    func mutual(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            let settings = Self.settings(
                #""subscriptions": {"rules": [{"match": "localhost", "action": "accept-mutual", "group": "Friends"}]}"#)
            try await TestBot.registered(at: server, settings) { bot in
                try await bot.online { child in
                    try await Person.online("you", at: server) { you in
                        you.subscribe(to: bot.jid)
                        try await you.sees("subscribed", from: bot.jid)
                        try await you.sees("subscribe", from: bot.jid)
                        you.send("<presence type='subscribed' to='\(bot.jid)'/>")
                        try await you.sees(nil, from: bot.jid)
                        try await you.asks("hello", of: bot.jid, expecting: "hello")
                        #expect(try await you.subscription(to: bot.jid) == "both")
                        // A person who takes it all back is a stranger, and may ask again.
                        let item = "<item jid='\(bot.jid)' subscription='remove'/>"
                        _ = try await you.request("set", "<query xmlns='jabber:iq:roster'>\(item)</query>")
                        #expect(
                            try await child.errors.line(containing: " removed: ")?.contains("you@localhost") == true)
                        #expect(try await you.subscription(to: bot.jid) == nil)
                        try await you.asks("stranger", of: bot.jid, expecting: "stranger")
                        let again = you.stanzas.count
                        you.subscribe(to: bot.jid)
                        try await you.sees("subscribed", from: bot.jid, from: again)
                    }
                }
            }
        }
    }

    @Test(
        "a request waits for an admin over a restart, and the other admins learn who answered",
        arguments: RealServer.Kind.allCases)
    func asked(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            let settings = Self.settings(#""admins": ["one@localhost", "two@localhost"]"#)
            try await TestBot.registered(at: server, settings) { bot in
                try await Person.online("one", at: server) { one in
                    try await Person.online("two", at: server) { two in
                        try await Person.online("carol", at: server) { carol in
                            try await bot.online { child in
                                try await carol.finds(bot)
                                carol.subscribe(to: bot.jid)
                                try await one.hears("request 1: carol@localhost")
                                try await two.hears("request 1: carol@localhost")
                                child.signal(SIGTERM)
                                #expect(await child.end() == .exited(0))
                            }
                            try await answer(bot, one, two, carol)
                        }
                    }
                }
            }
        }
    }

    private func answer(_ bot: TestBot, _ one: Person, _ two: Person, _ carol: Person) async throws {
        try await bot.online { child in
            try await carol.finds(bot)
            #expect(try await carol.ask("accept 1", of: bot.jid) != "request 1 (carol@localhost) accepted.")
            try await one.asks("requests", of: bot.jid, expecting: "1: carol@localhost")
            try await one.asks("accept 1", of: bot.jid, expecting: "request 1 (carol@localhost) accepted.")
            try await carol.sees("subscribed", from: bot.jid)
            try await two.hears("request 1 (carol@localhost) accepted by one@localhost.")
            let late = try await two.ask("deny 1", of: bot.jid)
            #expect(late?.contains("already accepted by one@localhost") == true)
            // The server brings a pending request again at each login; admins hear of it once.
            #expect(one.stanzas.items.filter { $0.body?.contains("request 1: carol") == true }.count == 1)
            try await denied(bot, one, carol)
            // The person hears of it before the bot's log is read.
            let first = child.errors.lines.firstIndex { $0.contains(" request answered: ") } ?? 0
            _ = try await child.errors.line(containing: " request answered: ", from: first + 1)
            #expect(child.errors.lines.filter { $0.contains(" request answered: ") }.count == 2)
        }
    }

    /// Whoever left and asks again is a new request; this time it is denied.
    private func denied(_ bot: TestBot, _ admin: Person, _ carol: Person) async throws {
        let start = carol.stanzas.count
        carol.send("<presence type='unsubscribe' to='\(bot.jid)'/>")
        try await carol.settled()
        carol.subscribe(to: bot.jid)
        let request = try await admin.stanzas.first {
            $0.body?.contains("request 2: carol@localhost") == true || $0.body?.contains("2: carol") == true
        }
        #expect(request != nil)
        try await admin.asks("deny 2", of: bot.jid, expecting: "request 2 (carol@localhost) denied.")
        try await carol.sees("unsubscribed", from: bot.jid, from: start)
        #expect(try await carol.subscription(to: bot.jid) != "to")
    }

    @Test(
        "two bots that accept each other come to rest, and talk in circles for ten messages at most",
        arguments: RealServer.Kind.allCases)
    func twoBots(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            var settings = Self.settings(
                #""admins": ["boss@localhost"]"#,
                #""subscriptions": {"rules": [{"match": "*", "action": "accept-mutual"}], "greeting": "Welcome"}"#)
            settings.name = "first"
            try await TestBot.registered(at: server, settings) { first in
                settings.name = "second"
                try await TestBot.registered(at: server, settings) { second in
                    try await first.online(["-vv"]) { child in
                        try await second.online(["-vv"]) { other in
                            try await Person.online("boss", at: server) { boss in
                                try await rest(first, second, child, other, boss, server)
                            }
                        }
                    }
                }
            }
        }
    }

    private func rest(
        _ first: TestBot, _ second: TestBot, _ child: ChildProcess, _ other: ChildProcess, _ boss: Person,
        _ server: RealServer
    ) async throws {
        // The first bot's account asks for friendship from another device, and goes before anything is said.
        try await Person.online("first", at: server, password: TestBot.password, isRegistered: true, priority: -1) {
            device in
            device.subscribe(to: second.jid)
            try await device.sees("subscribed", from: second.jid)
        }
        // Greeted by the other, each says the greeting back, and so on.
        let circle = try await boss.message(containing: "answering each other in circles")
        #expect(circle != nil)
        let before = try await count(first, second, boss)
        #expect(before <= 10)
        #expect(try await count(first, second, boss) == before)
        let notices = boss.stanzas.items.filter { $0.body?.contains("in circles") == true }
        #expect(Set(notices.map { $0["from"] }).count == notices.count)
        // Each has seen the other's request and the other's consent, and has said both itself but once.
        for (bot, name) in [(child, "second"), (other, "first")] {
            let sent = bot.errors.lines.filter { $0.contains(" out: ") }.joined()
            let words = sent.components(separatedBy: "<presence").filter { $0.contains("\(name)@localhost") }
            #expect(words.filter { $0.contains("subscribed") }.count == 1, "\(words)")
            #expect(words.filter { $0.contains("subscribe'") || $0.contains("subscribe\"") }.count <= 1, "\(words)")
            #expect(words.count <= 2, "\(words)")
        }
    }

    /// How many messages the two have exchanged, once both have answered a question.
    private func count(_ first: TestBot, _ second: TestBot, _ boss: Person) async throws -> Int {
        for bot in [first, second] { #expect(try await boss.ask("settled?", of: bot.jid) == "settled?") }
        return try first.rows().filter { $0.peer == second.jid }.count
    }
}
