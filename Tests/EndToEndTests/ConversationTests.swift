import BellhopXML
import Glibc
import Testing

@Suite("Talking to the bot through a real server", .timeLimit(.minutes(3)))
struct ConversationTests {
    static let texts = [
        "hello", "two\nlines\n", "👋🏽 Grüße, 世界 \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", #"she said "no" & 'yes'"#,
        "<body>not XML</body><!-- & -->]]>", "  spaces in front, and behind  ", "no\u{A0}break, zero\u{200B}width",
        "\ttab", "&amp;lt; stays &amp;lt;", String(repeating: "long ", count: 2_000),
    ]

    @Test("a friend is accepted by rule, greeted once and answered word for word", arguments: RealServer.Kind.allCases)
    func friend(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            var settings = TestBot.Settings()
            settings.members = [
                #""subscriptions": {"rules": [{"match": "nobody@*", "action": "reject"}, {"match": "you@localhost", "action": "accept"}], "greeting": "Welcome!"}"#,
                TestBot.sendsWhole,
            ]
            try await TestBot.registered(at: server, settings) { bot in
                let said = try await bot.online { child in
                    let said = try await talk(with: bot, at: server, child)
                    child.signal(SIGTERM)
                    #expect(await child.end() == .exited(0))
                    return said
                }
                try check(try bot.rows(), said)
            }
        }
    }

    private func talk(with bot: TestBot, at server: RealServer, _ child: ChildProcess) async throws -> [String: String]
    {
        try await Person.online("you", at: server) { you in
            you.subscribe(to: bot.jid)
            try await you.sees("subscribed", from: bot.jid)
            try await you.sees(nil, from: bot.jid)
            let decision = try await child.errors.line(containing: " request: ")
            #expect(decision?.contains("from=you@localhost") == true)
            #expect(decision?.contains("subscriptions.rules[1]") == true)
            try await you.hears("Welcome!")
            var said: [String: String] = [:]
            for text in Self.texts {
                let id = you.say(text, to: bot.jid)
                said[id] = text
                #expect(try await you.message(inThread: id) == text)
            }
            try await you.asks("!echo by name", of: bot.jid, expecting: "by name")
            #expect(try await you.ask("!nonsense", of: bot.jid)?.contains("!help") == true)
            // A friend who asks again is a friend already.
            you.subscribe(to: bot.jid)
            try await you.asks("still there?", of: bot.jid, expecting: "still there?")
            let greetings = you.stanzas.items.filter { $0.body == "Welcome!" }
            #expect(greetings.count == 1)
            let start = you.stanzas.count
            child.signal(SIGTERM)
            try await you.sees("unavailable", from: bot.jid, from: start)
            return said
        }
    }

    /// Each message in once, and each answer once behind it, in order.
    private func check(_ rows: [LogRow], _ said: [String: String]) throws {
        #expect(rows.map(\.sequence) == rows.map(\.sequence).sorted())
        for (id, text) in said {
            let incoming = rows.filter { $0.direction == "in" && $0.id == id }
            #expect(incoming.count == 1 && incoming[0].body == text && incoming[0].state == "handled")
            guard let row = incoming.first else { continue }
            let answers = rows.filter { $0.answers == row.sequence }
            #expect(answers.map(\.body) == [text])
            #expect(answers.map(\.state) == ["acknowledged"], "\(answers)")
            #expect(answers.allSatisfy { $0.sequence > row.sequence && $0.peer == "you@localhost" })
        }
        #expect(rows.filter { $0.body == "Welcome!" }.count == 1)
        #expect(rows.allSatisfy { $0.peer == "you@localhost" })
    }

    @Test(
        "what no XML may hold is replaced, errors become a code, and long answers come whole where that is asked for",
        arguments: RealServer.Kind.allCases)
    func hardToSay(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(
                .fixturebot, at: server, .init(members: [TestBot.acceptsEverybody, TestBot.sendsWhole])
            ) { bot in
                try await bot.online { child in
                    try await Person.online("you", at: server) { you in
                        try await you.asks("!ctrl", of: bot.jid, expecting: "a\u{FFFD}b\u{FFFD}c\u{FFFD}[31md\u{FFFD}e")
                        #expect(try await you.ask("!big 100000", of: bot.jid)?.count == 100_000)
                        let sentence = try #require(try await you.ask("!fail", of: bot.jid))
                        #expect(!sentence.contains("secret"))
                        let line = try await child.errors.line(containing: " handler failed: ") ?? ""
                        let code = line.split(separator: " ").first { $0.hasPrefix("code=") }.map {
                            String($0.dropFirst(5))
                        }
                        #expect(sentence.contains(try #require(code)))
                        #expect(line.contains("FixtureFault.secret"))
                        // Nothing of that has cost the connection.
                        try await you.asks("hello", of: bot.jid, expecting: "hello")
                        #expect(child.errors.lines.filter { $0.contains(" login: ") }.count == 1)
                    }
                }
            }
        }
    }

    @Test("two people are answered side by side, each in order", arguments: RealServer.Kind.allCases)
    func sideBySide(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(.fixturebot, at: server) { bot in
                try await bot.online { _ in
                    let gate = "\(bot.directory)/gate"
                    try await Person.online("slow", at: server) { slow in
                        try await Person.online("quick", at: server) { quick in
                            let held = slow.say("!hold \(gate)", to: bot.jid)
                            try await slow.hears("holding", inThread: held)
                            let behind = slow.say("behind it", to: bot.jid)
                            // The slow command holds its own conversation and no other.
                            try await quick.asks("hello", of: bot.jid, expecting: "hello")
                            #expect(!slow.stanzas.items.contains { $0.thread == behind })
                            try bot.open(gate)
                            try await slow.hears("behind it", inThread: behind)
                            let order = slow.stanzas.items.compactMap { $0.name == "message" ? $0.body : nil }
                            #expect(order == ["holding", "released", "behind it"])
                        }
                    }
                }
            }
        }
    }
}
