import BellhopTransport
import BellhopXML
import Testing

@Suite("A flood of friend requests", .timeLimit(.minutes(4)))
struct FloodTests {
    @Test("a command right behind 5,000 requests is answered within a second", arguments: RealServer.Kind.allCases)
    func flood(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind, [.component("people.example")]) { server in
            var settings = TestBot.Settings()
            settings.members = [#""admins": ["boss@localhost"]"#]
            try await TestBot.registered(at: server, settings) { bot in
                try await bot.online { _ in
                    // A second client of the same account sees what the server sends, and when.
                    try await Person.online(
                        "bot", at: server, resource: "watch", password: TestBot.password, isRegistered: true
                    ) { watch in
                        try await Person.component(at: server) { people in
                            try await ask(bot, people, watch)
                        }
                    }
                }
                #expect(try bot.pendingRequests() == 5_000)
            }
        }
    }

    private func ask(_ bot: TestBot, _ people: Person, _ watch: Person) async throws {
        var flood = ""
        for number in 1...5_000 {
            flood += "<presence type='subscribe' from='p\(number)@people.example' to='\(bot.jid)'/>"
        }
        let question = "<message type='chat' id='q' from='p1@people.example/x' to='\(bot.jid)/bellhop'><body>hello</body></message>"
        let marker = "<message type='chat' id='m' from='p1@people.example/x' to='\(watch.fullJID)'><body>marker</body></message>"
        people.send(flood + question + marker)
        #expect(try await watch.message(containing: "marker") != nil)
        let delivered = MonotonicClock.now()
        let answer = try await people.message(containing: "hello")
        #expect(answer?["to"] == "p1@people.example/x")
        #expect(MonotonicClock.now() - delivered < .seconds(1))
        #expect(watch.stanzas.items.filter { $0["type"] == "subscribe" }.count == 5_000)
    }
}
