import Glibc
import Testing

@Suite("A second instance by mistake", .timeLimit(.minutes(3)))
struct ConflictTests {
    @Test(
        "with a journal of its own it takes the place of the first, which ends with 76 and says what to do; nobody comes back",
        arguments: RealServer.Kind.allCases)
    func secondInstance(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(at: server) { first in
                try await TestBot.configured(at: server) { second in
                    try await first.online { one in
                        try await second.online { two in
                            #expect(await one.end() == .exited(76))
                            let complaints = try await one.errors.everything().split(separator: "\n")
                                .filter { $0.contains(" error ") }
                            #expect(complaints.count == 1, "\(complaints)")
                            let words = [
                                "another session took over this account and resource (conflict)",
                                "stop it, or give this one another account.resource",
                            ]
                            for words in words { #expect(complaints.first?.contains(words) == true, "\(complaints)") }
                            try await Person.online("you", at: server) { you in
                                try await you.asks("who is there?", of: second.jid, expecting: "who is there?")
                                try await you.settled()
                                #expect(you.stanzas.items.filter { $0.body == "who is there?" }.count == 1)
                            }
                            two.signal(SIGTERM)
                            #expect(await two.end() == .exited(0))
                            let log = two.errors.lines
                            #expect(log.filter { $0.contains(" login: ") }.count == 1, "\(log)")
                            #expect(!log.contains { $0.contains(" offline: ") }, "\(log)")
                        }
                    }
                }
            }
        }
    }

    @Test("with another resource both stay", arguments: RealServer.Kind.allCases)
    func otherResource(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(at: server) { first in
                var settings = TestBot.Settings()
                settings.account = [#""resource": "second""#]
                try await TestBot.configured(at: server, settings) { second in
                    try await first.online { one in
                        try await second.online { two in
                            for bot in [two, one] {
                                bot.signal(SIGTERM)
                                #expect(await bot.end() == .exited(0))
                                #expect(!bot.errors.lines.contains { $0.contains(" offline: ") }, "\(bot.errors.lines)")
                            }
                        }
                    }
                }
            }
        }
    }
}
