import BellhopXML
import Testing

@Suite("A flood of friend requests", .timeLimit(.minutes(4)))
struct FloodTests {
    /// Other tests run beside this one, so what counts is the time that the bot itself computes, its start included; the watching
    /// client proves that the requests came to the account, and the marker that the server had handed out all of them.
    ///
    /// Prosody writes the whole roster anew for each request that waits: 5,000 of them keep it busy for some minutes.
    #if DEBUG
        /// Without optimisation everything takes several times as long.
        private static let bound = Duration.seconds(3)
    #else
        private static let bound = Duration.seconds(1)
    #endif

    @Test(
        "a command right behind many requests is answered with less than a second of work",
        arguments: [(RealServer.Kind.prosody, 500), (.ejabberd, 5_000)])
    func flood(kind: RealServer.Kind, count: Int) async throws {
        try await RealServer.running(kind, [.component("people.example")]) { server in
            var settings = TestBot.Settings()
            settings.members = [#""admins": ["boss@localhost"]"#]
            try await TestBot.registered(at: server, settings) { bot in
                try await bot.online { child in
                    // A second client of the same account sees what the server sends, and when.
                    try await Person.online(
                        "bot", at: server, resource: "watch", password: TestBot.password, isRegistered: true
                    ) { watch in
                        try await Person.component(at: server) { people in
                            try await ask(bot, people, watch, behind: count)
                            #expect(child.processorTime < Self.bound)
                        }
                    }
                }
                #expect(try bot.pendingRequests() == Int64(count))
            }
        }
    }

    private func ask(_ bot: TestBot, _ people: Person, _ watch: Person, behind count: Int) async throws {
        var flood = ""
        for number in 1...count {
            flood += "<presence type='subscribe' from='p\(number)@people.example' to='\(bot.jid)'/>"
        }
        let question =
            "<message type='chat' id='q' from='p1@people.example/x' to='\(bot.jid)/bellhop'><body>hello</body></message>"
        let marker =
            "<message type='chat' id='m' from='p1@people.example/x' to='\(watch.fullJID)'><body>marker</body></message>"
        people.send(flood + question + marker)
        #expect(try await watch.message(containing: "marker") != nil)
        let answer = try await people.message(containing: "hello")
        #expect(answer?["to"] == "p1@people.example/x")
        #expect(watch.stanzas.items.filter { $0["type"] == "subscribe" }.count == count)
    }
}
