import BellhopXML
import Glibc
import Testing

@Suite("Coming back by itself", .timeLimit(.minutes(4)))
struct RecoveryTests {
    @Test(
        "a server that went away is waited for, in one line, and the bot answers again",
        arguments: RealServer.Kind.allCases, [false, true])
    func serverGone(kind: RealServer.Kind, abruptly: Bool) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(at: server) { bot in
                try await bot.online(["-v"]) { child in
                    try await Person.online("you", at: server) { you in
                        let answer = try await you.ask("before", of: bot.jid)
                        #expect(answer == "before")
                    }
                    let start = child.errors.count
                    try await server.stop(abruptly: abruptly)
                    try await child.attempts(3, from: start)
                    try await server.restart()
                    #expect(try await child.comesOnline(from: start) != nil)
                    let changes = child.errors.lines.dropFirst(start).filter { !$0.contains(" debug ") }
                    // The stream's end and the refused connections are two reasons; how often it was tried does not count.
                    #expect(changes.filter { $0.contains(" offline: ") }.count <= 2, "\(changes)")
                    #expect(changes.filter { $0.contains(" login: ") }.count == 1, "\(changes)")
                    #expect(changes.count <= 3, "\(changes)")
                    try await Person.online("you", at: server) { you in
                        try await you.finds(bot)
                        _ = you.say("after", to: bot.jid)
                        try await you.hears("after")
                    }
                    child.signal(SIGTERM)
                    #expect(await child.end() == .exited(0))
                }
            }
        }
    }

    @Test("a bot that starts before its server waits for it", arguments: RealServer.Kind.allCases)
    func serverLate(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(at: server) { bot in
                try await server.stop()
                try await bot.running(["-v"]) { child in
                    try await child.attempts(2)
                    try await server.restart()
                    #expect(try await child.comesOnline() != nil)
                }
            }
        }
    }

    @Test(
        "killed at any moment, the bot loses no command and writes none twice", arguments: RealServer.Kind.allCases,
        [1 as UInt64, 2])
    func killed(kind: RealServer.Kind, seed: UInt64) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(at: server) { bot in
                try await Person.online("you", at: server) { you in
                    var chance = SeededChance(seed: seed)
                    var said: [String] = []
                    var owed: Set<String> = []
                    for _ in 0..<5 {
                        try await bot.online { child in
                            try await you.finds(bot)
                            for _ in 0..<60 {
                                said.append(you.say("message \(said.count) of this seed", to: bot.jid))
                            }
                            // Somewhere among the answers, or before the first.
                            let answers = Int(chance.next() % 50)
                            if answers > 0 { _ = try await you.message(inThread: said[said.count - 60 + answers]) }
                            child.signal(SIGKILL)
                            _ = await child.end()
                        }
                        #expect(try bot.integrity() == "ok")
                        owed.formUnion(try bot.owed())
                    }
                    try await bot.online { child in
                        try await you.finds(bot)
                        try await you.asks("the last one", of: bot.jid, expecting: "the last one")
                        child.signal(SIGTERM)
                        #expect(await child.end() == .exited(0))
                    }
                    try check(bot, you, said, owed)
                }
            }
        }
    }

    /// Whatever reached the bot stands in the journal once and is answered there once; what was not on the wire when the bot
    /// was killed was said after the restart.
    ///
    /// What the server wrote to a connection whose client was dead is lost, and so is an answer that the kernel had not sent
    /// by then: only stream management (XEP-0198) can tell.
    private func check(_ bot: TestBot, _ you: Person, _ said: [String], _ owed: Set<String>) throws {
        let rows = try bot.rows()
        let answers = you.stanzas.items.filter { $0.name == "message" && $0["type"] == "chat" }
        let answered = Set(answers.compactMap(\.thread))
        for id in said {
            let incoming = rows.filter { $0.direction == "in" && $0.id == id }
            #expect(incoming.count <= 1, "\(incoming)")
            guard let row = incoming.first else {
                #expect(!answered.contains(id), "\(id) was answered and is not in the journal")
                continue
            }
            #expect(row.state == "handled", "\(row)")
            #expect(rows.filter { $0.answers == row.sequence }.count == 1, "\(row)")
            // An answer that was said twice is the same message, by its id.
            #expect(Set(answers.filter { $0.thread == id }.map { $0["id"] }).count <= 1)
        }
        #expect(owed.subtracting(answered).isEmpty)
        #expect(try bot.integrity() == "ok")
    }
}

extension TestBot {
    /// The ids of the messages that the journal of a bot that is not running has as not yet answered.
    fileprivate func owed() throws -> [String] {
        let rows = try rows()
        let unsent = Set(rows.filter { $0.state == "queued" }.compactMap(\.answers))
        return rows.filter { unsent.contains($0.sequence) || ["received", "started"].contains($0.state) }.compactMap(
            \.id)
    }
}
