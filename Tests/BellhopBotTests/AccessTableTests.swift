import BellhopXMPP
import Testing

@testable import BellhopBot

/// Who may run what, in one table: person and place, command, decision, what decided it, what would change it.
@Suite("Who may run what")
struct AccessTableTests {
    static let bot = Bot {
        Command("ping", "For everybody") { _ in "pong" }.open()
        Command("info", "For everybody, which the configuration narrows") { _ in "info" }.open()
        Command("uptime", "For ops, which the configuration opens") { _ in "up" }.allow(.ops)
        Command("disk", "For two roles") { _ in "disk" }.allow(.ops, "night-shift")
        Command("deploy", "For ops, which the configuration gives to others") { _ in "done" }.allow(.ops)
        Command("wipe", "For admins, since nothing is said") { _ in "gone" }
        Otherwise { _, text in text }.allow("colleagues")
    }

    /// admins, roles and commands.access as a configuration would say them.
    static func permissions() throws -> Permissions {
        func pattern(_ text: String) throws -> RoleMember { .pattern(try JIDPattern(text)) }
        return Permissions(
            admins: [try JID("root@example.test"), try JID("boss@example.test")],
            roles: [
                RoleDefinition(
                    .ops,
                    [
                        try pattern("olga@example.test"), try pattern("*-ops@*.example.test"),
                        .group("Operators"), try pattern("boss@example.test"),
                    ]),
                RoleDefinition("night-shift", [try pattern("n?na@example.test")]),
                RoleDefinition("colleagues", [try pattern("Example.TEST"), try pattern("192.0.2.*")]),
            ],
            overrides: [
                AccessOverride("INFO", .roles(["colleagues"])), AccessOverride("uptime", .everybody),
                AccessOverride("deploy", .roles(["night-shift", .admins])),
                AccessOverride("requests", .roles([.ops])), AccessOverride("help", .roles(["colleagues"])),
            ])
    }

    /// The bot's roster: only what stands here puts anybody into a group.
    static let groups = ["gina@else.example": ["Friends", "Operators"], "carl@else.example": ["operators"]]

    struct Row: Sendable, CustomTestStringConvertible {
        var who: String
        /// Where it is a room: its address, the person being who wears this nickname.
        var room: String?
        var nickname = "root"
        var command: String
        var isAllowed: Bool
        var rule: String
        var change: AccessChange

        init(
            _ who: String, in room: String? = nil, as nickname: String = "root", _ command: String, _ isAllowed: Bool,
            _ rule: String, _ change: AccessChange
        ) {
            self.who = who
            self.room = room
            self.nickname = nickname
            self.command = command
            self.isAllowed = isAllowed
            self.rule = rule
            self.change = change
        }

        var testDescription: String { "\(who.isEmpty ? "nobody" : who) \(room ?? "direct") \(command)" }

        func requester() throws -> Requester {
            guard let room else { return .direct(try JID(who)) }
            return .occupant(of: try JID(room), nickname: nickname, address: who.isEmpty ? nil : try JID(who))
        }
    }

    private static let open = "declared open in the bot's code"
    private static let code = "declared in the bot's code"

    static let direct: [Row] = [
        Row("stranger@evil.example/x", "ping", true, open, .close("ping")),
        Row("stranger@evil.example/x", "uptime", true, "commands.access.uptime", .close("uptime")),
        Row("stranger@evil.example/x", "disk", false, code, .join([.ops, "night-shift", .admins])),
        Row("stranger@evil.example/x", "info", false, "commands.access.INFO", .join(["colleagues", .admins])),
        Row("stranger@evil.example/x", "wipe", false, code, .join([.admins])),
        Row("stranger@evil.example/x", "whoami", true, "built in, open to everybody", .close("whoami")),
        Row("stranger@evil.example/x", "why", false, "built in, for admins", .join([.admins])),
        Row("stranger@evil.example/x", "help", false, "commands.access.help", .join(["colleagues", .admins])),
        Row("root@example.test/desk", "wipe", true, "admins[0]", .remove([.admin(0)])),
        Row("Boss@Example.Test/a", "wipe", true, "admins[1]", .remove([.admin(1)])),
        Row(
            "boss@example.test/a", "disk", true, "admins[1]",
            .remove([.admin(1), .member(.ops, 3, .pattern(AccessTableTests.boss))])),
        Row("root@example.test/desk", "deploy", true, "admins[0]", .remove([.admin(0)])),
        Row("root@sub.example.test/desk", "wipe", false, code, .join([.admins])),
        Row("root@example.test.evil.example", "wipe", false, code, .join([.admins])),
        Row(
            "olga@example.test/phone", "disk", true, "roles.ops[0]",
            .remove([.member(.ops, 0, .pattern(AccessTableTests.olga))])),
        Row("olga@example.test/phone", "deploy", false, "commands.access.deploy", .join(["night-shift", .admins])),
        Row(
            "olga@example.test/phone", "requests", true, "roles.ops[0]",
            .remove([.member(.ops, 0, .pattern(AccessTableTests.olga))])),
        Row("olga@example.test/phone", "audit", false, "built in, for admins", .join([.admins])),
        Row(
            "db-ops@eu.example.test", "disk", true, "roles.ops[1]",
            .remove([.member(.ops, 1, .pattern(AccessTableTests.opsGlob))])),
        Row("db-ops@example.test", "disk", false, code, .join([.ops, "night-shift", .admins])),
        Row(
            "nina@example.test", "disk", true, "roles.night-shift[0]",
            .remove([.member("night-shift", 0, .pattern(AccessTableTests.nina))])),
        Row("niina@example.test", "disk", false, code, .join([.ops, "night-shift", .admins])),
        Row(
            "nina@example.test", "deploy", true, "roles.night-shift[0]",
            .remove([.member("night-shift", 0, .pattern(AccessTableTests.nina))])),
        Row(
            "anybody@example.test", "Otherwise", true, "roles.colleagues[0]",
            .remove([.member("colleagues", 0, .pattern(AccessTableTests.domain))])),
        Row("anybody@sub.example.test", "Otherwise", false, code, .join(["colleagues", .admins])),
        Row(
            "ivy@192.0.2.7", "Otherwise", true, "roles.colleagues[1]",
            .remove([.member("colleagues", 1, .pattern(AccessTableTests.numbers))])),
        Row(
            "gina@else.example/x", "disk", true, "roles.ops[2]",
            .remove([.member(.ops, 2, .group("Operators"))])),
        Row("carl@else.example", "disk", false, code, .join([.ops, "night-shift", .admins])),
        Row("example.test", "Otherwise", false, code, .identify("Otherwise")),
    ]

    static let rooms: [Row] = [
        Row("", in: "ops@conference.example.test", "ping", true, open, .close("ping")),
        Row("", in: "ops@conference.example.test", "wipe", false, code, .identify("wipe")),
        Row("", in: "ops@conference.example.test", as: "root@example.test", "disk", false, code, .identify("disk")),
        Row("", in: "ops@example.test", as: "olga", "Otherwise", false, code, .identify("Otherwise")),
        Row("", in: "db-ops@eu.example.test", "disk", false, code, .identify("disk")),
        Row(
            "olga@example.test/phone", in: "ops@conference.example.test", as: "nobody", "disk", true, "roles.ops[0]",
            .remove([.member(.ops, 0, .pattern(AccessTableTests.olga))])),
        Row(
            "root@example.test", in: "ops@conference.example.test", as: "eve", "wipe", true, "admins[0]",
            .remove([.admin(0)])),
        Row(
            "eve@evil.example", in: "ops@conference.example.test", as: "root", "wipe", false, code, .join([.admins])),
        Row("example.test", in: "ops@example.test", "Otherwise", false, code, .identify("Otherwise")),
        Row(
            "gina@else.example", in: "x@conference.else.example", "disk", true, "roles.ops[2]",
            .remove([.member(.ops, 2, .group("Operators"))])),
        Row("", in: "ops@conference.example.test", "info", false, "commands.access.INFO", .identify("info")),
        Row("", in: "ops@conference.example.test", "uptime", true, "commands.access.uptime", .close("uptime")),
    ]

    private static func pattern(_ text: String) -> JIDPattern {
        guard let pattern = try? JIDPattern(text) else { fatalError("\(text) is no pattern") }
        return pattern
    }
    static let boss = pattern("boss@example.test")
    static let olga = pattern("olga@example.test")
    static let opsGlob = pattern("*-ops@*.example.test")
    static let nina = pattern("n?na@example.test")
    static let domain = pattern("example.test")
    static let numbers = pattern("192.0.2.*")

    @Test("each row is decided as it says, by what it says", arguments: direct + rooms)
    func decision(row: Row) throws {
        let permissions = try Self.permissions()
        let policy = try #require(permissions.policy(named: row.command, in: Self.bot))
        let groups = { (person: JID) in Self.groups[person.bareText] ?? [] }
        let decision = permissions.decide(try row.requester(), policy, completely: true, groups: groups)
        #expect(decision.isAllowed == row.isAllowed)
        #expect("\(decision.rule)" == row.rule)
        #expect(decision.change == row.change)
        // Whoever does not ask for the reasons gets the same decision.
        let short = permissions.decide(try row.requester(), policy, groups: groups)
        #expect(short.isAllowed == decision.isAllowed)
        #expect(short.rule == decision.rule)
    }

    @Test("what would change a decision does change it", arguments: direct)
    func change(row: Row) throws {
        let before = try Self.permissions()
        let policy = try #require(before.policy(named: row.command, in: Self.bot))
        let groups = { (person: JID) in Self.groups[person.bareText] ?? [] }
        let requester = try row.requester()
        var (admins, roles, overrides) = (before.admins, before.roles, before.overrides)
        switch before.decide(requester, policy, completely: true, groups: groups).change {
        case .close(let command):
            overrides.removeAll { $0.command.lowercased() == command }
            overrides.append(AccessOverride(command, .roles([.ops])))
        case .remove(let rules):
            for rule in rules {
                switch rule {
                case .admin(let index): admins.removeAll { $0 == before.admins[index] }
                case .member(let role, _, let member):
                    for index in roles.indices where roles[index].role == role {
                        roles[index].members.removeAll { $0 == member }
                    }
                case .open, .notAmong, .unidentified: Issue.record("\(rule) cannot be removed")
                }
            }
        case .join(let joinable):
            let person = try #require(requester.person)
            for role in joinable {
                var joined = roles
                for index in joined.indices where joined[index].role == role {
                    joined[index].members.append(.pattern(try JIDPattern(person.bareText)))
                }
                let after = Permissions(
                    admins: role == .admins ? admins + [person] : admins, roles: joined, overrides: overrides)
                #expect(after.decide(requester, policy, groups: groups).isAllowed)
            }
            return
        case .identify:
            return
        }
        let after = Permissions(admins: admins, roles: roles, overrides: overrides)
        let changed = try #require(after.policy(named: row.command, in: Self.bot))
        #expect(after.decide(requester, changed, groups: groups).isAllowed != row.isAllowed)
    }

    static let sentences: [(who: String, command: String, sentence: String)] = [
        (
            "a@x.example", "ping",
            "a@x.example may run ping. It is declared open in the bot's code. An \"allow\" in commands.access.ping would "
                + "change that."
        ),
        (
            "a@x.example", "uptime",
            "a@x.example may run uptime. commands.access.uptime opens it to everybody. An \"allow\" in "
                + "commands.access.uptime would change that."
        ),
        (
            "a@x.example", "disk",
            "a@x.example may not run disk. The bot's code allows it to admins and the roles ops and night-shift. An entry for "
                + "them in roles.ops, roles.night-shift or admins would change that."
        ),
        (
            "a@x.example", "deploy",
            "a@x.example may not run deploy. commands.access.deploy is for admins and the role night-shift. An entry for "
                + "them in roles.night-shift or admins would change that."
        ),
        (
            "a@x.example", "wipe",
            "a@x.example may not run wipe. The bot's code allows it to admins alone. An entry for them in admins would change that."
        ),
        (
            "a@x.example", "audit",
            "a@x.example may not run audit. It is built in and for admins alone. An entry for them in admins would change "
                + "that."
        ),
        (
            "root@example.test", "wipe",
            "root@example.test may run wipe. admins[0] lets them run everything. Without admins[0] they could not."
        ),
        (
            "boss@example.test", "disk",
            "boss@example.test may run disk. admins[1] lets them run everything. Only without admins[1] and roles.ops[3] "
                + "they could not."
        ),
        (
            "gina@else.example", "disk",
            "gina@else.example may run disk. roles.ops[2] (group:Operators) lets them. Without roles.ops[2] they could not."
        ),
        (
            "a@x.example", "whoami",
            "a@x.example may run whoami. It is built in and open to everybody. An \"allow\" in commands.access.whoami would "
                + "change that."
        ),
    ]

    @Test("why says it in sentences", arguments: sentences)
    func why(who: String, command: String, sentence: String) throws {
        let permissions = try Self.permissions()
        let stage = try Stage(
            Self.bot, admins: permissions.admins.map(\.bareText), roles: permissions.roles,
            access: permissions.overrides)
        stage.chat.roster = [
            try JID("gina@else.example"): RosterItem(jid: try JID("gina@else.example"), groups: ["Operators"])
        ]
        stage.hears("why \(who)/phone !\(command)", from: "root@example.test/desk")
        #expect(stage.said() == [sentence])
    }

    @Test("a nobody is told that the room would have to show who it is")
    func nobody() throws {
        let permissions = try Self.permissions()
        let policy = try #require(permissions.policy(named: "wipe", in: Self.bot))
        let requester = Requester.occupant(of: try JID("r@c.example"), nickname: "root", address: nil)
        #expect(
            permissions.decide(requester, policy, groups: { _ in [] }).explanation
                == "Somebody whose address is not known may not run wipe. The bot's code allows it to admins alone. A room that "
                + "shows their address would change that, or \"open\" in commands.access.wipe.")
    }
}
