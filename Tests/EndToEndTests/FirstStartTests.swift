import FoundationEssentials
import Glibc
import Testing

@Suite("The first start")
struct FirstStartTests {
    @Test("init takes three lines from a pipe, and refuses what is fewer or has no end")
    func pipedInit() async throws {
        let home = FileManager.default.temporaryDirectory.path + "/home-\(UInt64.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: home) }
        let file = home + "/bot.json"
        for input in ["", "bot@localhost\nsecret\n", String(repeating: "\0", count: 100_000)] {
            let refused = try await Product.echobot.run(["init", "--config", file], input: input)
            #expect(refused.end == .exited(64) && refused.errors.contains("nothing was written"), "\(refused.errors)")
            #expect(!FileManager.default.fileExists(atPath: file))
        }
        let made = try await Product.echobot.run(["init", "--config", file], input: "bot@localhost\n\n\n")
        #expect(made.end == .exited(0), "\(made.errors)")
        let check = try await Product.echobot.run(
            ["check", "--config", file], environment: ["HOME": home, "XDG_STATE_HOME": "", "STATE_DIRECTORY": ""])
        #expect(check.end == .exited(78))
        #expect(check.errors.contains("or make the account with echobot register."), "\(check.errors)")
    }

    @Test("in an empty home the folder of the journal is made, private, and nothing was said yet")
    func emptyHome() async throws {
        let home = FileManager.default.temporaryDirectory.path + "/home-\(UInt64.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: home) }
        let environment = [
            "HOME": home, "XDG_STATE_HOME": "", "STATE_DIRECTORY": "", "XDG_CONFIG_HOME": "", "BELLHOP_CONFIG": "",
            "BELLHOP_JID": "bot@localhost", "BELLHOP_PASSWORD": "secret",
        ]
        let requests = try await Product.echobot.run(["requests"], environment: environment)
        #expect(requests.end == .exited(0), "\(requests.errors)")
        #expect(requests.output == "No request is waiting.\n")
        var facts = stat()
        #expect(unsafe stat(home + "/.local/state/bellhop/echobot", &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o700)
        let log = try await Product.echobot.run(["log", "list"], environment: environment)
        #expect(log.end == .exited(0), "\(log.errors)")
        #expect(log.errors.contains("Nothing was said yet"))
    }
}
