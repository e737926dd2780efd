import BellhopBot
import BellhopDiagnostics
import BellhopXMPP
import Foundation
import Testing

@testable import Bellhop

@Suite("Commands of the configuration")
struct ConfiguredCommandTests {
    /// What a configuration file declares, for people of the test.
    private static func commands(_ text: String) throws -> Configuration {
        try BotConfiguration.inPlace { folder in
            let file = folder + "/bot.json"
            try Data(text.utf8).write(to: URL(filePath: file))
            let loader = ConfigurationLoader(
                bot: "bellhop", surroundings: SystemSurroundings(), needsPassword: false, needsVariables: true)
            return try loader.load(file: file).get().configuration
        }
    }

    private static func running(_ text: String, script: (OnlineBot) async throws -> Void) async throws {
        let declared = try commands(text)
        let roles = [RoleDefinition(.ops, [.pattern(try JIDPattern("alice@example.test"))])]
        try await OnlineBot.running(
            bot: Bot {},
            configure: {
                $0.commands = declared.commands
                $0.roles = roles
            }, script: script)
    }

    private static func list(_ entries: String...) -> String {
        "{\"account\": {\"jid\": \"bot@example.org\"}, \"roles\": {\"ops\": [\"x@example.org\"]}, "
            + "\"commands\": {\"list\": [\(entries.joined(separator: ","))]}}"
    }

    @Test("people write, programs answer, and nobody waits for another's program")
    func conversation() async throws {
        let text = Self.list(
            #"{"name": "say", "run": ["printf", "%s|", "{text}"], "arguments": [{"name": "text", "kind": "rest"}], "open": true}"#,
            #"{"name": "wait", "run": ["sh", "-c", "echo up; sleep 1000"], "open": true, "timeout": "5m"}"#,
            #"{"name": "fail", "run": ["sh", "-c", "echo half; echo why >&2; exit 3"], "allow": ["ops"]}"#,
            #"{"name": "read", "run": ["cat"], "pass": "json", "arguments": [{"name": "n", "kind": "integer"}], "open": true}"#
        )
        try await Self.running(text) { bot in
            bot.say("wait", from: "alice@example.test/phone")
            try await bot.wire.expect(body: "up", to: "alice@example.test/phone")
            bot.say("say ; rm -rf / $(id)", from: "bob@example.test/phone")
            try await bot.wire.expect(body: "; rm -rf / $(id)|", to: "bob@example.test/phone")
            bot.say("read 5", from: "bob@example.test/phone")
            try await bot.wire.expect(
                body: #"{"command":"read","sender":"bob@example.test","arguments":{"n":5}}"#,
                to: "bob@example.test/phone")
            bot.say("read five", from: "bob@example.test/phone")
            try await bot.wire.expect(
                body: "N must be a whole number, not \u{201C}five\u{201D}.\nUsage: !read N",
                to: "bob@example.test/phone")
            bot.say("fail", from: "admin@example.test/phone")
            try await bot.wire.expect(body: "half\nfail ended with code 3:\nwhy", to: "admin@example.test/phone")
            bot.say("fail", from: "bob@example.test/phone")
            try await bot.wire.expect(body: "Sorry, you may not do that here.", to: "bob@example.test/phone")
        }
    }

    @Test("the example for an ops bot runs, where its programs are")
    func example() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/examples/ops.json"), encoding: .utf8)
        let lines = [
            "uptime": ("uptime", "load average"), "load": ("cat", "/"), "disk": ("df", "Filesystem"),
            "memory": ("free", "Mem:"), "who": ("who", ""), "journal ssh 1": ("journalctl", ""),
            "ping 127.0.0.1": ("ping", "127.0.0.1"),
        ]
        try await Self.running(text) { bot in
            for (line, expected) in lines.sorted(by: { $0.key < $1.key }) {
                bot.say(line)
                let answer = try await bot.wire.expect("an answer to \(line)") { $0.body != nil }.body ?? ""
                let found = ProgramSearch.find(expected.0, along: ProgramSearch.standardPath)
                if case .success = found {
                    #expect(answer.contains(expected.1), "\(line): \(answer)")
                } else {
                    #expect(answer.hasPrefix("I could not start"), "\(line): \(answer)")
                }
            }
            bot.say("journal ssh; 5")
            let journal = try await bot.wire.expect("a refusal") { $0.body != nil }.body ?? ""
            #expect(journal.hasPrefix("UNIT must be one of nginx, postgresql, prosody, ssh, not \u{201C}ssh;\u{201D}."))
            bot.say("ping -f")
            try await bot.wire.expect(body: "-f does not fit HOST: it holds something that is not allowed there.")
            bot.say("disk", from: "bob@example.test/phone")
            try await bot.wire.expect(body: "Sorry, you may not do that here.", to: "bob@example.test/phone")
        }
    }
}

extension BotConfiguration {
    /// A folder for what is done with it at once.
    fileprivate static func inPlace<Result>(_ body: (String) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "wire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder.path)
    }
}
