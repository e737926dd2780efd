import Glibc
import Testing

@Suite("Stopping the bot", .timeLimit(.minutes(3)))
struct StopTests {
    @Test("a stop waits for the running command, says goodbye and ends with 0", arguments: RealServer.Kind.allCases)
    func patient(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(.fixturebot, at: server) { bot in
                try await bot.online { child in
                    try await Person.online("you", at: server) { you in
                        try await befriend(bot, you)
                        let gate = "\(bot.directory)/gate"
                        let id = you.say("!hold \(gate)", to: bot.jid)
                        try await you.hears("holding", inThread: id)
                        let start = you.stanzas.count
                        child.signal(SIGTERM)
                        #expect(try await child.errors.line(containing: " stop: ") != nil)
                        try bot.open(gate)
                        try await you.hears("released", from: start)
                        try await you.sees("unavailable", from: bot.jid, from: start)
                        #expect(await child.end() == .exited(0))
                    }
                }
                let command = try #require(try bot.rows().first { $0.body?.hasPrefix("!hold") == true })
                #expect(command.state == "handled")
                #expect(
                    try bot.rows().filter { $0.answers == command.sequence }.map(\.body) == ["holding", "released"])
            }
        }
    }

    @Test("a second stop ends at once; the command is interrupted, and its sender is told after the next start")
    func impatient() async throws {
        try await RealServer.running(.prosody) { server in
            try await TestBot.registered(.fixturebot, at: server) { bot in
                try await Person.online("you", at: server) { you in
                    try await bot.online { child in
                        try await you.finds(bot)
                        let id = you.say("!hold \(bot.directory)/never", to: bot.jid)
                        try await you.hears("holding", inThread: id)
                        child.signal(SIGTERM)
                        #expect(try await child.errors.line(containing: " stop: ") != nil)
                        child.signal(SIGTERM)
                        #expect(await child.end() == .exited(0))
                    }
                    let start = you.stanzas.count
                    try await bot.online { _ in
                        try await you.hears("I was restarted while I worked", from: start)
                        try await you.asks("hello", of: bot.jid, expecting: "hello")
                    }
                }
            }
        }
    }

    @Test("Ctrl-C while the bot connects ends it with 0")
    func whileConnecting() async throws {
        try await RealServer.running(.prosody) { server in
            try await TestBot.configured(at: server) { bot in
                // A relay that was gone before anybody called: the port answers nothing.
                try await server.stop()
                try await bot.running(["-v"]) { child in
                    try await child.attempts(2)
                    child.signal(SIGINT)
                    #expect(await child.end() == .exited(0))
                }
            }
        }
    }
}

/// Makes the two friends, so that the person sees the bot come and go.
func befriend(_ bot: TestBot, _ person: Person) async throws {
    person.subscribe(to: bot.jid)
    try #require(try await person.presence(nil, from: bot.jid) != nil)
}
