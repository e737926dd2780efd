import BellhopXML
import Glibc
import Testing

@Suite("Streams that go on where they broke, on a real server", .timeLimit(.minutes(3)))
struct ResumptionTests {
    @Test(
        "after a cut and after a killed process the stream is resumed before anything is bound, and everything arrives once",
        arguments: RealServer.Kind.allCases)
    func resumed(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            try await Relay.running(to: server) { relay in
                var settings = TestBot.Settings()
                settings.port = relay.port
                try await TestBot.registered(at: server, settings) { bot in
                    try await Person.online("you", at: server) { you in
                        var said: [String] = []
                        try await bot.online(["-vv"]) { child in
                            you.subscribe(to: bot.jid)
                            try await you.sees("subscribed", from: bot.jid)
                            try await cut(relay, bot, child, you, &said)
                            said += speak("unheard", to: bot, you)
                            child.signal(SIGKILL)
                            #expect(await child.end() == .killed(by: SIGKILL))
                        }
                        said += speak("dead", to: bot, you)
                        try await restarted(bot, you, &said)
                        try check(bot, you, said)
                    }
                }
            }
        }
    }

    private func speak(_ word: String, to bot: TestBot, _ you: Person) -> [String] {
        (1...3).map { you.say("\(word) \($0)", to: bot.jid) }
    }

    private func cut(
        _ relay: Relay, _ bot: TestBot, _ child: ChildProcess, _ you: Person, _ said: inout [String]
    ) async throws {
        // With answers under way.
        said += speak("before", to: bot, you)
        _ = try await you.message(inThread: said[0])
        let start = child.errors.count
        relay.block()
        said += speak("cut off", to: bot, you)
        try #require(try await child.errors.line(containing: " offline: ", from: start) != nil)
        relay.mend()
        for id in said { try #require(try await you.message(inThread: id) != nil) }
        try checkResumption(child.errors.lines.dropFirst(start))
    }

    private func restarted(_ bot: TestBot, _ you: Person, _ said: inout [String]) async throws {
        try await bot.online(["-vv"]) { child in
            for id in said { try #require(try await you.message(inThread: id) != nil) }
            said.append(you.say("the last one", to: bot.jid))
            try await you.hears("the last one", inThread: said[said.count - 1])
            try checkResumption(child.errors.lines[...])
            let roster = try await bot.program.run(["roster", "--config", bot.configuration])
            #expect(roster.end == .exited(0) && roster.output.contains("you@"), "\(roster)")
            child.signal(SIGTERM)
            #expect(await child.end() == .exited(0))
        }
    }

    /// What went over the line, as the bot's own trace has it.
    private func checkResumption(_ lines: ArraySlice<String>) throws {
        let sent = lines.filter { $0.contains(" out: ") }
        #expect(sent.contains { $0.contains("<resume xmlns='urn:xmpp:sm:3'") }, "\(lines)")
        let answer = lines.firstIndex { $0.contains(" in: ") && $0.contains("<resumed ") }
        #expect(answer != nil, "\(lines)")
        #expect(!sent.contains { $0.contains("<bind ") || $0.contains("<enable ") }, "\(sent)")
        #expect(!sent.contains { $0.contains("<presence") }, "\(sent)")
    }

    private func check(_ bot: TestBot, _ you: Person, _ said: [String]) throws {
        let rows = try bot.rows()
        let answers = you.stanzas.items.filter { $0.name == "message" && $0.thread != nil }
        for id in said {
            #expect(rows.filter { $0.direction == "in" && $0.id == id }.map(\.state) == ["handled"], "\(id)")
            #expect(answers.filter { $0.thread == id }.count == 1, "\(answers.filter { $0.thread == id })")
        }
        #expect(rows.filter { $0.direction == "out" }.allSatisfy { $0.state == "acknowledged" }, "\(rows)")
    }
}
