import Bellhop
import BellhopTesting
import Testing

@Suite("The hello bot on a stage")
struct HelloStageTests {
    let bot = Bot {
        Command("echo", "Say something back", Rest("text")) { _, text in text }.open().inline()
    }

    @Test("what was said before a kill is answered once")
    func killed() async throws {
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
            try await stage.settle()
            #expect(alice.heard.map(\.body) == ["hi", "are you there?", "and now?"])
        }
    }
}
