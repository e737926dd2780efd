import FoundationEssentials
import Testing

@Suite("Roles, why and audit of a whole bot", .timeLimit(.minutes(3)))
struct AccessTests {
    private static let settings = """
        "admins": ["root@example.test"], "roles": {"ops": ["olga@example.test", "group:Operators"]},
        "commands": {"access": {"echo": {"allow": ["ops"]}}}
        """

    @Test("a roster group lets somebody in, why says so beside the bot and without it, and the audit has both tries")
    func group() async throws {
        try await RealServer.running(.prosody) { server in
            try await TemporaryDirectory.with { folder in
                let bot = try await BotAccount("bot", on: server, in: folder, settings: Self.settings)
                try await Person.online("gina", at: server) { gina in
                    try await bot.running { _ in
                        #expect(try await gina.ask("!echo one", of: bot.jid) == "Sorry, you may not do that here.")
                        let refusal = try await bot.command("why", gina.jid, "!echo")
                        #expect(refusal.end == .exited(1))
                        #expect(
                            refusal.output == """
                                \(gina.jid) may not run echo. commands.access.echo is for admins and the role ops. An entry \
                                for them in roles.ops or admins would change that.

                                """)
                        #expect(
                            try await bot.command("roster", "add", gina.jid, "--group", "Operators").end == .exited(0))
                        #expect(try await gina.ask("!echo two", of: bot.jid) == "two")
                    }
                    let reason = """
                        \(gina.jid) may run echo. roles.ops[1] (group:Operators) lets them. Without roles.ops[1] they could \
                        not.

                        """
                    let alone = try await bot.command("why", gina.jid, "echo")
                    #expect(alone == CompletedRun(end: .exited(0), output: reason, errors: ""))
                    let audit = try await bot.command("audit", "--json")
                    let lines = audit.output.split(separator: "\n")
                    #expect(lines.count == 2)
                    #expect(lines.first?.contains("\"typed\":\"!echo one\"") == true)
                    #expect(
                        lines.first?.contains("\"rule\":\"commands.access.echo\",\"outcome\":\"denied\"") == true)
                    #expect(lines.last?.contains("\"rule\":\"roles.ops[1]\",\"outcome\":\"answered\"") == true)
                    let last = try await bot.command("audit", "--last", "1", "--since", "1d")
                    #expect(last.output.split(separator: "\n").count == 2)
                }
            }
        }
    }

    @Test("why needs no server where no roster group can decide, and a configuration that cannot be meant ends with 78")
    func alone() async throws {
        try await TemporaryDirectory.with { folder in
            let file = "\(folder)/bot.json"
            func write(_ members: String, password: String = "\"x\"") throws {
                let text = """
                    {"account": {"jid": "bot@nowhere.invalid", "password": \(password)}, "journal": {"path": "\(folder)/j.db"},
                     \(members)}
                    """
                try Data(text.utf8).write(to: URL(filePath: file))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            }
            // The password of a service is out of reach for a command line.
            try write(Self.settings, password: #"{"credential": "password"}"#)
            func why(_ person: String, _ command: String) async throws -> CompletedRun {
                try await Product.echobot.run(["why", person, command, "--config", file])
            }
            #expect(try await why("a@x.example", "whoami").end == .exited(0))
            #expect(try await why("a@x.example", "audit").end == .exited(1))
            #expect(try await why("root@example.test", "audit").end == .exited(0))
            let unknown = try await why("a@x.example", "ehco")
            #expect(unknown.end == .exited(64))
            #expect(unknown.errors == "echobot: The bot has no command \"ehco\"; did you mean \"echo\"?\n")
            let nothing = try await Product.echobot.run(["audit", "--config", file])
            #expect(nothing.end == .exited(0))
            #expect(nothing.errors == "echobot: Nothing was said yet: there is no journal \(folder)/j.db.\n")
            try write(
                "\"roles\": {\"ops\": []}, \"commands\": {\"access\": {\"ehco\": {\"allow\": [\"osp\"]}}}")
            let check = try await Product.echobot.run(["check", "--config", file])
            #expect(check.end == .exited(78))
            #expect(
                check.errors == """
                    echobot: \(file):2:19: roles.ops: Nobody has this role; name its members or leave the role out.
                    echobot: \(file):2:48: commands.access.ehco: The bot has no such command; did you mean "echo"?
                    echobot: \(file):2:67: commands.access.ehco.allow[0]: There is no role "osp"; did you mean "ops"?

                    """)
            #expect(try await Product.echobot.run(["run", "--config", file]).end == .exited(78))
        }
    }
}
