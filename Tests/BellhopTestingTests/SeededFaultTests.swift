import Bellhop
import BellhopTesting
import Testing

@Suite("Three people and a seeded plan of every fault")
struct SeededFaultTests {
    private let bot = Bot {
        Command("echo", "Say something back", Rest("text")) { _, text in text }.open().inline()
        Command("later", "Say it from a task", Rest("text")) { _, text in
            await Task.yield()
            return text
        }.open().idempotent()
    }

    @Test("everything is answered, each answer under one id", arguments: 100...107)
    func answered(seed: UInt64) async throws {
        var options = StageOptions()
        options.seed = seed
        options.isEncrypted = seed.isMultiple(of: 2)
        options.pingAfter = .milliseconds(300)
        options.pingTimeout = .milliseconds(300)
        let plan = FaultPlan.seeded(seed, count: 12, over: 160)
        try await WireStage.run(bot, options, faults: plan) { stage in
            let people = try ["alice", "bob", "carol@example.org"].map { try stage.person($0) }
            for number in 1...10 {
                for person in people {
                    try await person.say("\(number.isMultiple(of: 2) ? "echo" : "later") \(number)")
                }
                if number == 5 { try await stage.settle() }
            }
            try await stage.settle()
            for person in people {
                let answers = Dictionary(grouping: person.heard, by: \.id).values.compactMap { $0.first?.body }
                #expect(
                    answers.compactMap { Int($0) }.sorted() == Array(1...10),
                    "\(person.address)\n\(stage.log.suffix(40).joined(separator: "\n"))")
                #expect(answers.count == 10, "\(person.address)")
            }
        }
    }
}
