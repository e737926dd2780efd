import FoundationEssentials
import Testing

@Suite("The ops bot in the terminal, on the machine of the test", .timeLimit(.minutes(2)))
struct OpsBotTests {
    /// Without the configuration of whoever runs the tests.
    private static let alone = ["HOME": "/nonexistent", "XDG_CONFIG_HOME": "", "BELLHOP_CONFIG": ""]

    @Test("everything that needs no systemd answers")
    func answers() async throws {
        let input = """
            uptime
            disk
            memory
            top 1
            who
            oncall
            oncall set Bob  until Monday
            oncall
            unit --host=evil
            reach 127.0.0.1:0
            top 21

            """
        let run = try await Product.opsbot.run(["chat"], input: input, environment: Self.alone)
        #expect(run.end == .exited(0), "\(run.errors)")
        for words in [
            "Up ", "Load ", "Memory ", "Largest:",
            "Nobody wrote down who is on call: oncall set TEXT\nNoted.\nBob  until Monday\n(",
            "UNIT must be the name of a systemd unit, like nginx or nginx.service, not “--host=evil”.",
            "TARGET must be HOST:PORT or a URL with http or https", "I list 1 to 20 processes, not 21.",
        ] {
            #expect(run.output.contains(words), "\(words) is not in \(run.output)")
        }
    }

    @Test("a restart is asked about, and only the units of the configuration are restarted")
    func restart() async throws {
        try await TemporaryDirectory.with { folder in
            let file = try Self.write("\"bot\": {\"restart\": [\"nginx\", \"backup.timer\"]}", in: folder)
            try await Product.opsbot.running(["chat", "--config", file], environment: Self.alone) { bot async throws in
                await bot.write("restart sshd\n")
                #expect(
                    try await bot.output.line(containing: "really?")
                        == "restart sshd: really? Answer yes within 60 s.")
                await bot.write("yes\n")
                #expect(
                    try await bot.output.line(containing: "may not")
                        == "sshd.service may not be restarted from here; these may: nginx.service, backup.timer.")
                bot.closeInput()
                #expect(await bot.end() == .exited(0))
            }
        }
    }

    @Test("check shows the bot's settings, and a wrong one ends with 78")
    func check() async throws {
        try await TemporaryDirectory.with { folder in
            let right = try Self.write("\"bot\": {\"restart\": [\"nginx\"], \"logLines\": 50}", in: folder)
            let shown = try await Product.opsbot.run(["check", "--config", right], environment: Self.alone)
            #expect(shown.end == .exited(0), "\(shown.errors)")
            let lines = shown.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
            #expect(lines.contains("bot.restart [\"nginx.service\"]"))
            #expect(lines.contains("bot.logLines 50"))
            #expect(lines.contains("bot.diskWarning 90"))
            #expect(lines.contains("bot.reachTimeout \"5s\""))
            let wrong = try Self.write(
                "\"bot\": {\"restrat\": [], \"restart\": [\"--now\"], \"logLines\": 0}", in: folder)
            let refused = try await Product.opsbot.run(["check", "--config", wrong], environment: Self.alone)
            #expect(refused.end == .exited(78))
            #expect(refused.errors.contains("bot.restrat: There is no such key; did you mean \"restart\"?\n"))
            #expect(
                refused.errors.contains(
                    "bot.restart[0]: \"--now\" does not fit; this must be the name of a systemd unit, like nginx or nginx.service.\n"
                ))
            #expect(refused.errors.contains("bot.logLines: This must be at least 1 and at most 200.\n"))
        }
    }

    private static func write(_ members: String, in folder: String) throws -> String {
        let file = "\(folder)/bot.json"
        let text = """
            {"account": {"jid": "bot@nowhere.invalid", "password": "x"}, "journal": {"path": "\(folder)/j.db"},
             "roles": {"ops": ["alice@nowhere.invalid"]}, \(members)}
            """
        try Data(text.utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        return file
    }
}
