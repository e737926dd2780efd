import Bellhop
import BellhopBot
import BellhopXMPP
import Testing

@Suite("Roles and access in the configuration")
struct AccessConfigurationTests {
    static let bot = Bot {
        Command("uptime", "") { _ in "up" }.allow(.ops)
        Command("Restart", "") { _ in "done" }.allow(.ops, "night-shift")
        Command("ping", "") { _ in "pong" }.open()
        Command("otherwise", "") { _ in "x" }.open()
        Otherwise { _, text in text }.allow("colleagues")
    }

    private func load(
        _ second: String, bot: Bot? = Self.bot
    ) -> Result<LoadedConfiguration, ConfigurationReport> {
        let surroundings = FakeSurroundings().having("bot.json", WrongConfigurationTests.file(second))
        return ConfigurationLoader(bot: "echobot", surroundings: surroundings, declaration: bot?.declaration)
            .load(file: "bot.json")
    }

    private func complaints(_ second: String, bot: Bot? = Self.bot) -> [String] {
        switch load(second, bot: bot) {
        case .success: []
        case .failure(let report): report.lines
        }
    }

    private static let roles =
        "\"roles\": {\"ops\": [\"a@example.org\"], \"night-shift\": [\"group:Night\"], \"colleagues\": [\"example.org\"]}"

    @Test("roles and access come as they are written, prepared, in their order")
    func right() throws {
        let text = """
            "roles": {"ops": ["Alice@Example.ORG", "Example.org", "*-ops@x.example", "group:Ops & Friends"], "n\u{E4}chte.1": ["*"],
              "night-shift": ["a@b.example"], "colleagues": ["a@b.example"]},
             "commands": {"access": {"RESTART": {"allow": ["ops", "admins"], "open": false}, "ping": {"open": true},
              "Otherwise": {"open": true}, "otherwise": {"allow": ["n\u{E4}chte.1"]}, "audit": {"allow": ["ops"]}}}
            """
        let loaded = try load(text).get()
        let configuration = loaded.configuration
        #expect(
            configuration.roles == [
                RoleDefinition(
                    .ops,
                    [
                        .pattern(try JIDPattern("alice@example.org")), .pattern(try JIDPattern("example.org")),
                        .pattern(try JIDPattern("*-ops@x.example")), .group("Ops & Friends"),
                    ]),
                RoleDefinition("n\u{E4}chte.1", [.pattern(try JIDPattern("*"))]),
                RoleDefinition("night-shift", [.pattern(try JIDPattern("a@b.example"))]),
                RoleDefinition("colleagues", [.pattern(try JIDPattern("a@b.example"))]),
            ])
        #expect(
            configuration.commands.access == [
                AccessOverride("RESTART", .roles([.ops, .admins])), AccessOverride("ping", .everybody),
                AccessOverride("Otherwise", .everybody), AccessOverride("otherwise", .roles(["n\u{E4}chte.1"])),
                AccessOverride("audit", .roles([.ops])),
            ])
        #expect(
            loaded.notes == [
                "roles.night-shift: No command is allowed to this role.",
                "roles.colleagues: No command is allowed to this role.",
            ])
    }

    static let wrong: [(text: String, complaints: [String])] = [
        ("\"roles\": []", ["2:10: roles: This must be an object with a list of members for each role, not a list."]),
        (
            "\"roles\": {\"ops\": \"a@b.example\"}",
            [
                "2:18: roles.ops: This must be a list of addresses, domains, patterns and roster groups, not text."
            ]
        ),
        (
            "\"roles\": {\"ops\": []}",
            ["2:18: roles.ops: Nobody has this role; name its members or leave the role out."]
        ),
        (
            "\"roles\": {\"admins\": [\"a@b.example\"]}",
            ["2:11: roles.admins: This role has a key of its own; write its members to \"admins\"."]
        ),
        (
            "\"roles\": {\"-x y\": [\"a@b.example\"], \"\": [\"a@b.example\"]}",
            [
                "2:11: roles.-x y: This is no name for a role; write letters, digits, dots, dashes and underscores, like "
                    + "\"night-shift\".",
                "2:36: roles.: This is no name for a role; write letters, digits, dots, dashes and underscores, like "
                    + "\"night-shift\".",
            ]
        ),
        (
            "\"roles\": {\"ops\": [\"a@b.example\"], \"ops\": [\"c@b.example\"]}",
            ["2:35: roles.ops: The key stands here a second time; the first is in line 2, column 11."]
        ),
        (
            "\"roles\": {\"ops\": [7, \"a@b.example/x\", \"group:\", \"b c\"]}",
            [
                "2:19: roles.ops[0]: This must be text like \"alice@example.org\" or \"group:Friends\", not a number.",
                "2:22: roles.ops[1]: \"a@b.example/x\" is no pattern for addresses: the domain holds \"/\".",
                "2:39: roles.ops[2]: The name of a roster group is missing behind \"group:\".",
                "2:49: roles.ops[3]: \"b c\" is no pattern for addresses: the domain is not a host name.",
            ]
        ),
        (
            "\"roles\": {\"ops\": [\"*@b.example\", \"a@b.example\", \"B.example\", \"group:A\", \"group:A\", \"b.example\"]}",
            [
                "2:34: roles.ops[1]: \"a@b.example\" never decides, since number 0 (\"*@b.example\", counted from 0) lets "
                    + "in everybody whom it would; remove one of them.",
                "2:49: roles.ops[2]: \"b.example\" never decides, since number 0 (\"*@b.example\", counted from 0) lets in "
                    + "everybody whom it would; remove one of them.",
                "2:73: roles.ops[4]: \"group:A\" never decides, since number 3 (\"group:A\", counted from 0) lets in "
                    + "everybody whom it would; remove one of them.",
                "2:84: roles.ops[5]: \"b.example\" never decides, since number 0 (\"*@b.example\", counted from 0) lets in "
                    + "everybody whom it would; remove one of them.",
            ]
        ),
        (
            "\"commands\": {\"access\": 1}",
            ["2:24: commands.access: This must be an object with an object for each command, not a number."]
        ),
        ("\"commands\": {\"access\": {\"x\": []}}", ["2:30: commands.access.x: This must be an object, not a list."]),
        (
            "\"commands\": {\"access\": {\"x\": {}}}",
            [
                "2:30: commands.access.x: Who may run it? Write {\"allow\": [\"ops\"]} or {\"open\": true}."
            ]
        ),
        (
            "\"commands\": {\"access\": {\"x\": {\"open\": false}}}",
            [
                "2:39: commands.access.x.open: For whom is it then? Write \"allow\" with a list of roles in place of \"open\"."
            ]
        ),
        (
            "\"commands\": {\"access\": {\"x\": {\"open\": true, \"allow\": [\"admins\"]}}}",
            ["2:54: commands.access.x.allow: With \"open\" this decides nothing; remove one of them."]
        ),
        (
            "\"commands\": {\"access\": {\"x\": {\"allow\": []}}}",
            [
                "2:40: commands.access.x.allow: The list is empty; write [\"admins\"] if only admins may run it."
            ]
        ),
        (
            "\"commands\": {\"access\": {\"x\": {\"alow\": [\"admins\"]}, \"X\": {\"open\": true}}}",
            [
                "2:31: commands.access.x.alow: There is no such key; did you mean \"allow\"?",
                "2:52: commands.access.X: The key stands here a second time; the first is in line 2, column 25.",
            ]
        ),
        (
            "\"roles\": {\"ops\": [\"a@b.example\"]}, \"commands\": {\"access\": {\"x\": {\"allow\": [\"admins\", \"osp\", \"ops\", "
                + "\"ops\", 1]}}}",
            [
                "2:100: commands.access.x.allow[3]: \"ops\" stands in the list already, as number 2 (counted from 0).",
                "2:107: commands.access.x.allow[4]: This must be the name of a role, not a number.",
            ]
        ),
        (
            "\"roles\": {\"ops\": [\"a@b.example\"]}, \"commands\": {\"access\": {\"x\": {\"allow\": [\"osp\"]}, \"y\": "
                + "{\"allow\": [\"Ops\", \"staff\"]}}}",
            [
                "2:76: commands.access.x.allow[0]: There is no role \"osp\"; did you mean \"ops\"?",
                "2:101: commands.access.y.allow[0]: There is no role \"Ops\"; did you mean \"ops\"?",
                "2:108: commands.access.y.allow[1]: There is no role \"staff\"; known here: admins, ops.",
            ]
        ),
        (
            "\"roles\": {\"ops\": []}, \"commands\": {\"access\": {\"x\": {\"allow\": [\"ops\"]}}}",
            ["2:18: roles.ops: Nobody has this role; name its members or leave the role out."]
        ),
    ]

    @Test("what is wrong is refused with its path and what to do", arguments: wrong)
    func refused(text: String, expected: [String]) {
        #expect(complaints(text, bot: nil) == expected.map { "bot.json:" + $0 })
    }

    @Test("what the code allows to a role has to be in the configuration, unless the configuration replaces it")
    func declared() {
        #expect(complaints(Self.roles) == [])
        #expect(
            complaints("\"roles\": {\"op\": [\"a@example.org\"], \"colleagues\": [\"example.org\"]}") == [
                "bot.json:2:10: roles.ops: It is missing: the bot's code allows uptime to this role. Add \"ops\": "
                    + "[\"you@example.org\"] to \"roles\", or is it the role \"op\"?",
                "bot.json:2:10: roles.night-shift: It is missing: the bot's code allows Restart to this role. Add "
                    + "\"night-shift\": [\"you@example.org\"] to \"roles\".",
            ])
        let access = """
            "commands": {"access": {"uptime": {"open": true}, "restart": {"allow": ["admins"]}, "Otherwise": {"open": true}}}
            """
        #expect(complaints(access) == [])
        #expect(
            complaints("\"admins\": []", bot: Bot { Command("a", "") { _ in "a" }.allow(.admins, "crew") }) == [
                "bot.json:1:1: roles.crew: It is missing: the bot's code allows a to this role. Add \"crew\": "
                    + "[\"you@example.org\"] to \"roles\"."
            ])
    }

    @Test("access for a command that the bot does not have is refused, with the one that was meant")
    func commands() {
        let access = """
            , "commands": {"access": {"uptmie": {"open": true}, "frobnicate": {"open": true}, "onmessage": {"open": true}}}
            """
        let known = """
            known here: uptime, Restart, ping, otherwise, Otherwise, help, more, cancel, whoami, accept, deny, requests, \
            outbox, why, audit, status, doctor, pause, resume, reload, presence.
            """
        #expect(
            complaints(Self.roles + access) == [
                "bot.json:2:125: commands.access.uptmie: The bot has no such command; did you mean \"uptime\"?",
                "bot.json:2:151: commands.access.frobnicate: The bot has no such command; \(known)",
                "bot.json:2:181: commands.access.onmessage: The bot has no such command; \(known)",
            ])
    }

    @Test("everything that is wrong is said at once, in the order of the file")
    func together() {
        let text = """
            "roles": {"op": []}, "commands": {"access": {"pong": {"allow": ["opp"]}}, "timeout": 3}
            """
        #expect(
            complaints(text).map { $0.split(separator: ":").dropFirst(2).prefix(2).joined(separator: ":") } == [
                "10: roles.ops", "10: roles.night-shift", "10: roles.colleagues", "17: roles.op",
                "46: commands.access.pong", "65: commands.access.pong.allow[0]", "86: commands.timeout",
            ])
    }

    @Test("what is open and allowed at once is the author's mistake")
    func author() {
        let bot = Bot {
            Command("a", "") { _ in "a" }.open().allow(.ops)
            Otherwise { _, text in text }.allow(.ops).open()
            OnMessage { _ in }.allow(.ops).open()
        }
        #expect(bot.problems() == [.openAndAllowed("a"), .openAndAllowed("Otherwise"), .openAndAllowed("OnMessage")])
        #expect(
            "\(BotProblem.openAndAllowed("a"))"
                == "\"a\" is open to everybody and allowed to roles at once; leave one of .open() and .allow() out.")
    }
}
