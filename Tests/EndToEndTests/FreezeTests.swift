import Glibc
import Testing

@Suite("Frozen processes", .timeLimit(.minutes(3)))
struct FreezeTests {
    @Test(
        "a server that hangs is noticed and left, and when it goes on the bot is back and answers what was said meanwhile, once",
        arguments: RealServer.Kind.allCases)
    func server(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            var settings = TestBot.Settings()
            settings.account = [#""ping": {"every": "2s", "timeout": "1s"}"#, #""timeout": "3s""#]
            try await TestBot.registered(at: server, settings) { bot in
                try await bot.online(["-v"]) { child in
                    try await Person.online("you", at: server) { you in
                        try await you.asks("before", of: bot.jid, expecting: "before")
                        let start = child.errors.count
                        try server.freeze()
                        let line = try await child.errors.line(containing: " offline: ", from: start) ?? ""
                        #expect(line.contains("did not answer a ping within 1 s"), "\(line)")
                        let id = you.say("meanwhile", to: bot.jid)
                        // Another attempt, which the kernel takes in the server's place and which nobody answers.
                        try await child.attempts(2, from: start)
                        try server.thaw()
                        #expect(try await child.comesOnline(from: start) != nil)
                        try await you.hears("meanwhile", inThread: id)
                        try await you.asks("after", of: bot.jid, expecting: "after")
                        try await you.settled()
                        #expect(you.stanzas.items.filter { $0.body == "meanwhile" }.count == 1)
                    }
                    child.signal(SIGTERM)
                    #expect(await child.end() == .exited(0))
                }
                #expect(try bot.rows().filter { $0.direction == "in" && $0.body == "meanwhile" }.count == 1)
            }
        }
    }

    @Test(
        "a bot that was frozen comes back by itself, runs nothing that waited too long, and says so",
        arguments: RealServer.Kind.allCases)
    func bot(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            var settings = TestBot.Settings()
            settings.members = [TestBot.acceptsEverybody, #""commands": {"maxAge": "5s"}"#]
            try await TestBot.registered(at: server, settings) { bot in
                try await bot.online { child in
                    try await Person.online("you", at: server) { you in
                        try await you.asks("before", of: bot.jid, expecting: "before")
                        child.signal(SIGSTOP)
                        let id = you.say("meanwhile", to: bot.jid)
                        let said = ContinuousClock.now
                        // waits for a fact: what was said is older than commands.maxAge
                        while ContinuousClock.now - said < .seconds(6) { try await you.settled() }
                        child.signal(SIGCONT)
                        #expect(try await child.errors.line(containing: " sleep: The bot did not run for ") != nil)
                        let answer = try await you.message(inThread: id) ?? ""
                        #expect(answer.contains("reached me too late, so I did not run it"), "\(answer)")
                        try await you.asks("after", of: bot.jid, expecting: "after")
                    }
                    child.signal(SIGTERM)
                    #expect(await child.end() == .exited(0))
                }
                let row = try #require(try bot.rows().first { $0.direction == "in" && $0.body == "meanwhile" })
                #expect(row.state == "declined" && row.reason == "stale", "\(row)")
            }
        }
    }
}
