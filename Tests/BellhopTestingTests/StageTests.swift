import Bellhop
import BellhopTesting
import Testing

@Suite("A stage for a bot's author")
struct StageTests {
    private static let bot = Bot {
        Command("echo", "Say something back", Rest("text")) { _, text in text }.open()
        Command("secret", "Not for everybody") { _ in "42" }
    }

    @Test("people are contacts or strangers, and the configuration says who may what")
    func people() async throws {
        var options = StageOptions()
        options.configuration = """
            {
                "admins": ["alice@bots.example.test"], // an operator's file may have comments
                "subscriptions": {"rules": [{"match": "*@example.org", "action": "accept"}]}
            }
            """
        try await WireStage.run(Self.bot, options) { stage in
            let alice = try stage.person("alice")
            let bob = try stage.stranger("bob@example.org")
            try await alice.say("secret")
            #expect(try await alice.hears() == "42")
            try await bob.say("secret")
            #expect(try await bob.hears() != "42")
            #expect(!bob.isAccepted)
            try await bob.subscribe()
            try await stage.settle()
            #expect(bob.isAccepted)
            let id = try await bob.say("echo one")
            #expect(!id.isEmpty)
            let reply = try await bob.hearsReply()
            #expect(reply.body == "one" && reply.id?.isEmpty == false)
            #expect(bob.heard.last == reply)
        }
    }

    @Test("a server without stream management, archive and TLS, with a small limit")
    func plain() async throws {
        var options = StageOptions()
        options.isEncrypted = false
        options.hasStreamManagement = false
        options.hasArchive = false
        options.stanzaLimit = 20_000
        try await WireStage.run(Self.bot, options) { stage in
            let alice = try stage.person("alice")
            try await alice.say("echo hi")
            #expect(try await alice.hears() == "hi")
            #expect(stage.sessions == (1, 0))
            #expect(stage.stanzaCount > 4)
            #expect(stage.log.contains { $0.hasPrefix("login: Online") })
        }
    }

    @Test("mistakes of the bot and of its configuration are said, all of them")
    func mistakes() async throws {
        let twice = Bot {
            Command("echo", "One") { _ in "1" }.open()
            Command("echo", "Two") { _ in "2" }.open()
        }
        let mistake = await #expect(throws: StageError.self) { try await WireStage.run(twice) { _ in } }
        #expect(mistake?.description.hasPrefix("The bot cannot start:\n") == true)
        #expect(mistake?.description.contains("echo") == true)
        for (configuration, words) in [
            (#"{"admin": []}"#, "admin"), ("[]", "must be a JSON object"), (#"{"account": {}}"#, "account"),
        ] {
            var options = StageOptions()
            options.configuration = configuration
            let error = await #expect(throws: StageError.self) { try await WireStage.run(Self.bot, options) { _ in } }
            #expect(error?.description.contains(words) == true)
        }
    }

    @Test("what does not come is said, with what there was")
    func impatience() async throws {
        var options = StageOptions()
        options.patience = .milliseconds(300)
        options.waitsUntilOnline = false
        try await WireStage.run(Self.bot, options) { stage in
            let alice = try stage.person("alice")
            let error = await #expect(throws: StageError.self) { try await alice.hears() }
            let words = error?.description ?? ""
            #expect(
                words.hasPrefix("Waited for a message to alice@bots.example.test, but it did not come in 0.3 seconds."))
            #expect(words.contains("Meanwhile: the bot is"))
            #expect(throws: StageError.noName("a@b@c")) { try stage.person("a@b@c") }
        }
    }

    @Test("a bot that does not run is not waited for")
    func dead() async throws {
        try await WireStage.run(Self.bot) { stage in
            let alice = try stage.person("alice")
            await #expect(throws: StageError.runsAlready) { try await stage.restart() }
            try await stage.kill()
            let error = await #expect(throws: StageError.self) { try await alice.hears() }
            #expect(error?.description.contains("but the bot was killed and not started again.") == true)
            await #expect(throws: StageError.notRunning("be killed")) { try await stage.kill() }
            await #expect(throws: StageError.notRunning("be stopped")) { try await stage.stop() }
            try await stage.restart()
            try await alice.say("echo back")
            #expect(try await alice.hears() == "back")
            try await stage.stop()
            let ended = await #expect(throws: StageError.self) { try await alice.hears() }
            #expect(ended?.description.contains("but the bot has ended with exit code 0.") == true)
        }
    }

    @Test("the sentences of errors")
    func sentences() {
        let table: [(StageError, String)] = [
            (.mistakes(["a", "b"]), "The bot cannot start:\na\nb"),
            (
                .missing("x", because: "it did not come", instead: ["y", "z"], log: ["l"]),
                "Waited for x, but it did not come. Meanwhile: y; z. The bot logged last: l."
            ),
            (.notRunning("be killed"), "The bot does not run, so it cannot be killed. Call restart() first."),
            (.runsAlready, "The bot runs already. Call kill() or stop() before restart()."),
            (
                .noName("@"),
                "“@” is no name for a person: take letters and digits, like “alice”, or an address, like “bob@example.org”."
            ),
            (.machine("no thread"), "The machine does not give what the stage needs: no thread."),
        ]
        for (error, sentence) in table { #expect(error.description == sentence) }
    }
}
