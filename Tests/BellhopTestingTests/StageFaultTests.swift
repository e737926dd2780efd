import Bellhop
import BellhopTesting
import Testing

@Suite("Every fault on a stage, and the bot afterwards")
struct StageFaultTests {
    static let bot = Bot {
        Command("echo", "Say something back", Rest("text")) { _, text in text }.open().inline()
        Command("later", "Say it from a task", Rest("text")) { _, text in
            await Task.yield()
            return text
        }.open().idempotent()
    }

    /// A bot that notices a silent server soon.
    private var options: StageOptions {
        var options = StageOptions()
        options.pingAfter = .milliseconds(200)
        options.pingTimeout = .milliseconds(200)
        return options
    }

    @Test("the bot comes back and answers", arguments: FaultPlan.passing + [.delay(.milliseconds(20))], [true, false])
    func passes(fault: Fault, isEncrypted: Bool) async throws {
        var options = options
        options.isEncrypted = isEncrypted
        try await WireStage.run(Self.bot, options) { stage in
            let alice = try stage.person("alice")
            try await alice.say("echo before")
            #expect(try await alice.hears() == "before")
            stage.inflict(fault)
            try await alice.say("later meanwhile")
            try await stage.settle()
            try await alice.say("echo after")
            while try await alice.hears() != "after" {}
            try await stage.settle()
            let bodies = Dictionary(grouping: alice.heard, by: \.id).values.map { $0[0].body }
            #expect(bodies.sorted() == ["after", "before", "meanwhile"])
        }
    }

    @Test("what lasts until it is resumed, is resumed")
    func byHand() async throws {
        try await WireStage.run(Self.bot, options) { stage in
            let alice = try stage.person("alice")
            for begin in [{ stage.freeze() }, { stage.stall() }] {
                begin()
                let before = stage.sessions
                try await alice.say("echo x")
                stage.resume()
                #expect(try await alice.hears() == "x")
                #expect(stage.sessions.bound >= before.bound)
            }
            stage.refuse()
            stage.cut()
            try await alice.say("echo y")
            stage.resume()
            #expect(try await alice.hears() == "y")
            stage.close()
            try await stage.settle()
            try await alice.say("echo z")
            #expect(try await alice.hears() == "z")
        }
    }

    @Test("a bot that is killed at any point of a turn answers once", arguments: KillPoint.allCases)
    func killed(point: KillPoint) async throws {
        try await WireStage.run(Self.bot) { stage in
            let alice = try stage.person("alice")
            stage.killAtNextMessage(point)
            try await alice.say("echo one")
            #expect(try await alice.hears() == "one")
            try await stage.settle()
            #expect(alice.heard.count == 1)
            #expect(stage.sessions == (bound: 1, resumed: 1))
            #expect(stage.isRunning)
        }
    }

    @Test("without stream management what was logged is answered, perhaps twice under one id")
    func unmanaged() async throws {
        var options = options
        options.hasStreamManagement = false
        for point in [KillPoint.beforeSending, .afterSending] {
            try await WireStage.run(Self.bot, options) { stage in
                let alice = try stage.person("alice")
                stage.killAtNextMessage(point)
                try await alice.say("echo one")
                #expect(try await alice.hears() == "one")
                try await stage.settle()
                #expect(Set(alice.heard.map(\.id)).count == 1)
                #expect(stage.sessions == (bound: 2, resumed: 0))
            }
        }
    }

    @Test("what ran when the bot was killed is told, not run again")
    func interrupted() async throws {
        let runs = Counter()
        let bot = Bot {
            Command("deploy", "Takes its time") { _ in
                runs.add()
                // Nothing comes, until the task is cancelled.
                for await _ in AsyncStream<Void>(Void.self, { _ in }) {}
                return "done"
            }.open()
        }
        try await WireStage.run(bot) { stage in
            let alice = try stage.person("alice")
            try await alice.say("deploy")
            while runs.value == 0 { await Task.yield() }
            try await stage.kill()
            #expect(!stage.isRunning)
            try await stage.restart()
            #expect(try await alice.hears().hasPrefix("I was restarted while I worked on"))
            try await stage.settle()
            #expect(runs.value == 1)
        }
    }

    @Test("a stop is a goodbye, and what was said meanwhile waits")
    func stopped() async throws {
        try await WireStage.run(Self.bot) { stage in
            let alice = try stage.person("alice")
            #expect(try await stage.stop() == .success)
            try await alice.say("echo later")
            try await stage.restart()
            #expect(try await alice.hears() == "later")
        }
    }
}
