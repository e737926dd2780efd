import Testing

@Suite("Answers larger than the server takes", .timeLimit(.minutes(4)))
struct SizeTests {
    @Test(
        "an answer of 20,000 characters arrives whole in parts, and the bot stays online from then on",
        arguments: RealServer.Kind.allCases)
    func large(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind, [.stanzaSize(10_000)]) { server in
            let settings = TestBot.Settings(members: [TestBot.acceptsEverybody, TestBot.sendsWhole])
            try await TestBot.registered(.fixturebot, at: server, settings) { bot in
                try await bot.online { child in
                    try await Person.online("you", at: server) { you in
                        for _ in 0..<2 {
                            let start = you.stanzas.count
                            you.say("!big 20000", to: bot.jid)
                            var text = ""
                            var place = start
                            while text.utf8.count < 20_000 {
                                let part = try #require(try await you.stanzas.first(from: place) { $0.body != nil })
                                text += part.body ?? ""
                                place = 1 + (you.stanzas.items.lastIndex(of: part) ?? place)
                            }
                            #expect(text == String(repeating: "x", count: 20_000))
                        }
                        try await you.asks("still there", of: bot.jid, expecting: "still there")
                        let lines = child.errors.lines
                        #expect(lines.filter { $0.contains("from now on it gets less") }.count == 1, "\(lines)")
                        #expect(lines.filter { $0.contains(" offline: ") }.count <= 2, "\(lines)")
                    }
                }
            }
        }
    }
}
