import Bellhop
import BellhopTesting
import Testing

@Suite("The hello bot")
struct HelloTests {
    let bot = Bot {
        Command("echo", "Say something back", Rest("text")) { _, text in text }.open().inline()
    }

    @Test("answers, after a kill and after a cut as well")
    func survives() async throws {
        try await WireStage.run(bot) { stage in
            let alice = try stage.person("alice")
            try await alice.say("echo hi")
            #expect(try await alice.hears() == "hi")

            try await stage.kill()
            try await alice.say("echo are you there?")
            try await stage.restart()
            #expect(try await alice.hears() == "are you there?")

            stage.cut()
            try await alice.say("echo and now?")
            #expect(try await alice.hears() == "and now?")
        }
    }

    @Test("answers everything once, whatever goes wrong", arguments: 1...3)
    func chaos(seed: UInt64) async throws {
        let plan = FaultPlan.seeded(seed, count: 5, over: 80)
        try await WireStage.run(bot, faults: plan) { stage in
            let alice = try stage.person("alice")
            for number in 1...20 { try await alice.say("echo \(number)") }
            try await stage.settle()
            let answers = Dictionary(grouping: alice.heard, by: \.id).values.compactMap { $0.first?.body }
            #expect(answers.compactMap { Int($0) }.sorted() == Array(1...20))
        }
    }
}
