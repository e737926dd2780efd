import Foundation
import Testing

@Suite("Looking after a bot from the command line", .timeLimit(.minutes(3)))
struct OperatingTests {
    private func withBot(_ body: (_ bot: BotAccount, _ other: BotAccount) async throws -> Void) async throws {
        try await RealServer.running(.prosody) { server in
            try await TemporaryDirectory.with { folder in
                let bot = try await BotAccount("bot", on: server, in: folder)
                let other = try await BotAccount("other", on: server, in: folder)
                try await body(bot, other)
            }
        }
    }

    @Test("status ends with 0 only while the bot is online, and needs no password")
    func status() async throws {
        try await withBot { bot, _ in
            let none = try await bot.command("status")
            #expect(none.end == .exited(69) && none.output.isEmpty)
            #expect(none.errors.contains("echobot is not running: nobody listens at \(bot.journal)-control."))
            let json = try await bot.command("status", "--json")
            #expect(json.end == .exited(69) && json.errors.isEmpty)
            #expect(json.output.hasPrefix("{\"state\":\"not-running\",\"socket\":\""))
            try await bot.running { process in
                try bot.configure(password: "no longer right")
                let online = try await bot.command("status")
                #expect(online.end == .exited(0) && online.errors.isEmpty)
                #expect(online.output.hasPrefix("state: online since "))
                #expect(online.output.contains("\naccount: \(bot.jid)/"))
                #expect(online.output.contains("\nmessages to send: 0\n"))
                try await bot.server.stop()
                _ = try await process.errors.line(containing: "Not connected")
                let offline = try await bot.command("status", "--json")
                #expect(offline.end == .exited(69))
                #expect(!offline.output.contains("\"state\":\"online\""))
                #expect(offline.output.contains("\"trouble\":{\"reason\":\""))
            }
        }
    }

    @Test("beside a running bot a broken configuration keeps nobody from asking it, or from reading the log")
    func brokenConfiguration() async throws {
        try await withBot { bot, _ in
            let line =
                "echobot: \(bot.configuration) is wrong; echobot check lists what. Only the place of the journal and the account "
                + "were taken from it.\n"
            try await bot.running { _ in
                try bot.configure("\"adminz\": []")
                let status = try await bot.command("status")
                #expect(status.end == .exited(0) && status.errors == line)
                #expect(status.output.hasPrefix("state: online since "))
                let pause = try await bot.command("pause")
                #expect(pause.end == .exited(0) && pause.errors == line && pause.output.hasPrefix("Paused: "))
                let resume = try await bot.command("resume")
                #expect(resume.end == .exited(0) && resume.errors == line && resume.output == "Resumed.\n")
                let list = try await bot.command("log", "list")
                // Reading the log asks nobody, so it needs no account.
                let place = line.replacing("the journal and the account were", with: "the journal was")
                #expect(list.end == .exited(0) && list.errors == place)
            }
            let stopped = try await bot.command("status")
            #expect(stopped.end == .exited(78) && stopped.errors.contains("adminz"))
        }
    }

    @Test("a pause can begin before the start and be ended by another command; what waited is answered once")
    func pause() async throws {
        try await withBot { bot, other in
            #expect(try await bot.command("resume").output == "It was not paused.\n")
            let began = try await bot.command("pause")
            #expect(began.end == .exited(0) && began.output.hasPrefix("Paused: "))
            #expect(try await bot.command("pause").output.contains("by the command line"))
            try await bot.running { process in
                #expect(process.errors.lines.contains { $0.contains("Still paused") })
                #expect(try await other.command("send", bot.jid, "hello").end == .exited(0))
                let status = try await bot.command("status")
                #expect(status.end == .exited(0))
                #expect(status.output.contains("by the command line; 1 command waits\n"))
                let resumed = try await bot.command("resume")
                #expect(
                    resumed.output
                        == "Resumed. Commands that waited: 1 run now, 0 waited for too long and are not run.\n")
                #expect(try await bot.command("status").output.contains("paused:") == false)
            }
            let log = try await bot.command("log", "show", other.jid)
            #expect(log.output.contains("I am paused. "))
        }
    }

    @Test("the terminal plays anybody, says who speaks, and takes no unknown slash for a message")
    func terminal() async throws {
        let run = try await Product.echobot.run(
            ["chat", "--as", "mallory@x.example"],
            input: "status\n/as you@terminal\nstatus\n/as nobody\n/as\n/what\n//what\n/quit\nnot heard\n")
        #expect(run.end == .exited(0))
        #expect(
            run.output == """
                Sorry, you may not do that here.
                There is no connection here of which I could tell.
                /what

                """)
        #expect(
            run.errors == """
                You are mallory@x.example/tty, with no role.
                You are you@terminal/tty, with the role admins.
                "nobody" has no @; write a whole address, like "alice@example.org".
                You are you@terminal/tty, with the role admins.
                The terminal has no "/what"; /help lists what it has. To say it to the bot, write a second slash in front.

                """)
    }

    @Test("with a configuration its admins are admins in the terminal, and a wrong one is refused")
    func terminalWithConfiguration() async throws {
        try await TemporaryDirectory.with { folder in
            let file = "\(folder)/bot.json"
            let text = """
                {"account": {"jid": "bot@example.org"}, "admins": ["boss@x.example"], "commands": {"prefix": "#"}}
                """
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let run = try await Product.echobot.run(
                ["chat", "--config", file, "--as", "boss@x.example"], input: "#requests\n")
            #expect(run.output == "No request is waiting.\n")
            #expect(run.errors == "You are boss@x.example/tty, with the role admins.\n")
            try "{}".write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try await Product.echobot.run(["chat", "--config", file]).end == .exited(78))
        }
    }
}
