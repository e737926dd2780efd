import FoundationEssentials
import Testing

@Suite("doctor at real servers", .timeLimit(.minutes(3)))
struct DoctorTests {
    private static func verdicts(_ output: String) -> [String: String] {
        var found: [String: String] = [:]
        for line in output.split(separator: "\n") where !line.hasPrefix(" ") {
            let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
            guard words.count == 3, ["ok", "note", "degraded", "failed", "skipped"].contains(words[0]) else { continue }
            // The worst of a check comes last in this order.
            let order = ["ok", "note", "skipped", "degraded", "failed"]
            let worst = [found[String(words[1])], String(words[0])].compactMap(\.self).max {
                (order.firstIndex(of: $0) ?? 0) < (order.firstIndex(of: $1) ?? 0)
            }
            found[String(words[1])] = worst
        }
        return found
    }

    @Test(
        "a healthy bot at a healthy server: everything works, with a bot running and without one",
        arguments: RealServer.Kind.allCases)
    func healthy(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(at: server) { bot in
                let alone = try await bot.program.run(["doctor", "--config", bot.configuration])
                let verdicts = Self.verdicts(alone.output)
                #expect(alone.end == .exited(0), "\(alone.output)\(alone.errors)")
                #expect(alone.errors == "")
                #expect(alone.output.hasSuffix("The bot can work with this.\n"))
                for check in ["configuration", "disk", "port", "tls", "certificate", "mechanisms", "login", "stream"] {
                    #expect(verdicts[check] == "ok", "\(check): \(alone.output)")
                }
                try await bot.online { child in
                    let beside = try await bot.program.run(["doctor", "--json", "--config", bot.configuration])
                    #expect(beside.end == .exited(0), "\(beside.output)\(beside.errors)")
                    let lines = beside.output.split(separator: "\n")
                    #expect(
                        lines.contains { $0.hasPrefix("{\"check\":\"bot\",\"verdict\":\"ok\",\"what\":\"A bot runs") })
                    #expect(lines.contains { $0.hasPrefix("{\"check\":\"journal\",\"verdict\":\"ok\",") })
                    // The password of a service is out of reach for a command line: the bot is asked.
                    let text = try String(decoding: Data(contentsOf: URL(filePath: bot.configuration)), as: UTF8.self)
                    let secret = #""password": "\#(TestBot.password)""#
                    let hidden = text.replacing(secret, with: #""password": {"file": "/nowhere/password"}"#)
                    try Data(hidden.utf8).write(to: URL(filePath: bot.configuration))
                    let without = try await bot.program.run(["doctor", "--config", bot.configuration])
                    #expect(without.end == .exited(0), "\(without.output)\(without.errors)")
                    let asked = Self.verdicts(without.output)
                    #expect(asked["configuration"] == "note" && asked["login"] == "ok" && asked["stream"] == "ok")
                    // It was not thrown out, and nobody has seen the other session.
                    #expect(!child.errors.lines.contains { $0.contains("Not connected") })
                    child.signal(15)
                    #expect(await child.end() == .exited(0))
                }
            }
        }
    }

    @Test("a wrong password ends with 77, and all else is told; a server that is gone ends with 69")
    func broken() async throws {
        try await RealServer.running(.prosody) { server in
            try await TestBot.registered(at: server) { bot in
                var settings = TestBot.Settings()
                settings.password = "another"
                try bot.write(settings)
                let wrong = try await bot.program.run(["doctor", "--config", bot.configuration])
                #expect(wrong.end == .exited(77))
                let verdicts = Self.verdicts(wrong.output)
                #expect(verdicts["certificate"] == "ok" && verdicts["login"] == "failed")
                #expect(verdicts["session"] == "skipped")
                #expect(wrong.output.hasSuffix("The bot does not work like this: login failed.\n"))
                try await server.stop()
                let gone = try await bot.program.run(["doctor", "--quiet", "--config", bot.configuration])
                #expect(gone.end == .exited(69))
                let failures = Self.verdicts(gone.output)
                #expect(failures == ["port": "failed"], "\(gone.output)")
            }
        }
    }
}
