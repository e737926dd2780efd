import FoundationEssentials
import Testing

@Suite("A bot without Swift")
struct BellhopCommandTests {
    /// A home with a configuration, which has these commands.
    private static func withCommands<Result>(
        _ list: String, _ body: (_ environment: [String: String]) async throws -> Result
    ) async throws -> Result {
        let home = FileManager.default.temporaryDirectory.path + "/home-\(UInt64.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: home) }
        let text =
            "{\"account\": {\"jid\": \"bot@example.org\", \"password\": \"x\"}, \"commands\": {\"list\": [\(list)]}}"
        guard
            FileManager.default.createFile(
                atPath: home + "/bot.json", contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        return try await body([
            "HOME": home, "XDG_STATE_HOME": "", "STATE_DIRECTORY": "", "XDG_CONFIG_HOME": "",
            "BELLHOP_CONFIG": home + "/bot.json",
        ])
    }

    @Test("its commands run in the terminal, and check knows them")
    func terminal() async throws {
        let list = #"""
            {"name": "say", "run": ["printf", "%s", "<{text}>"], "arguments": [{"name": "text", "kind": "rest"}], "open": true}
            """#
        try await Self.withCommands(list) { environment in
            let chat = try await Product.bellhop.run(
                ["chat"], input: "say ; rm -rf / $(id)\nhelp say\n", environment: environment)
            #expect(chat.end == .exited(0), "\(chat.errors)")
            // What is built in is answered at once, though the program may still run.
            #expect(chat.output.contains("<; rm -rf / $(id)>\n"), "\(chat.output)")
            #expect(chat.output.contains("!say TEXT\n"), "\(chat.output)")
            let check = try await Product.bellhop.run(["check"], environment: environment)
            #expect(check.end == .exited(0), "\(check.errors)")
            #expect(check.output.contains("say: printf, for everybody, time limit 30s"), "\(check.output)")
        }
    }

    @Test("a command without allow or open refuses to start, with a sentence")
    func forWhom() async throws {
        try await Self.withCommands(#"{"name": "up", "run": ["uptime"]}"#) { environment in
            for verb in ["run", "check", "chat"] {
                let refused = try await Product.bellhop.run([verb], environment: environment)
                #expect(refused.end == .exited(78))
                #expect(refused.errors.contains("commands.list[0]: Who may run this command?"), "\(refused.errors)")
            }
        }
    }

    @Test("what stops the bot ends its programs, those too that ignore it")
    func stop() async throws {
        let list = #"""
            {"name": "nap", "run": ["sh", "-c", "trap '' TERM; echo $$; sleep 1000; sleep 1000"], "open": true}
            """#
        try await Self.withCommands(list) { environment in
            try await Product.bellhop.running(["chat"], environment: environment) { bot in
                await bot.write("nap\n")
                let number = try #require(try await bot.output.line { Int($0) != nil })
                #expect(FileManager.default.fileExists(atPath: "/proc/\(number)"))
                bot.signal(2)
                #expect(await bot.end() == .exited(0))
                let state = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
                // Its parent is gone, and may not have been told yet.
                #expect(state.map { $0.contains(") Z ") } ?? true)
            }
        }
    }
}
