import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("Roles at the desk", .timeLimit(.minutes(1)))
struct AccessTests {
    static let bot = Bot {
        Command("ping", "Answer pong") { _ in "pong" }.open().inline()
        Command("uptime", "How long") { _ in "up" }.allow(.ops).inline()
        Command("disk", "How full") { _ in "full" }.allow(.ops)
        Command("wipe", "All of it") { _ in "gone" }.inline()
    }

    static func roles() throws -> [RoleDefinition] {
        [
            RoleDefinition(.ops, [.pattern(try JIDPattern("olga@example.test")), .group("Operators")]),
            RoleDefinition("colleagues", [.pattern(try JIDPattern("example.test"))]),
        ]
    }

    @Test("who has a role runs what it is allowed to, and nothing else")
    func roles() throws {
        let stage = try Stage(Self.bot, roles: try Self.roles())
        stage.hears("uptime", from: "olga@example.test/phone")
        stage.hears("wipe", from: "olga@example.test/phone")
        stage.hears("uptime", from: "alice@example.test/phone")
        stage.hears("uptime", from: "admin@example.test/desk")
        #expect(stage.said() == ["up", "Sorry, you may not do that here.", "Sorry, you may not do that here.", "up"])
    }

    @Test("a group of the roster counts from the moment that somebody is in it to the moment that they are not")
    func groups() throws {
        let stage = try Stage(Self.bot, roles: try Self.roles())
        let gina = try JID("gina@else.example")
        stage.hears("uptime", from: "gina@else.example/x")
        stage.chat.roster[gina] = RosterItem(jid: gina, groups: ["Operators"])
        stage.hears("uptime", from: "gina@else.example/x")
        stage.chat.roster[gina] = RosterItem(jid: gina, groups: ["operators"])
        stage.hears("uptime", from: "gina@else.example/x")
        #expect(stage.said() == ["Sorry, you may not do that here.", "up", "Sorry, you may not do that here."])
    }

    @Test("while the roster is not known its groups let nobody in, and whom they could let in is told to try again")
    func unknownRoster() throws {
        let stage = try Stage(Self.bot, roles: try Self.roles())
        let gina = try JID("gina@else.example")
        stage.chat.roster[gina] = RosterItem(jid: gina, groups: ["Operators"])
        stage.chat.knowsRoster = false
        for command in ["uptime", "wipe", "ping", "whoami"] { stage.hears(command, from: "gina@else.example/x") }
        stage.hears("uptime", from: "olga@example.test/phone")
        stage.chat.knowsRoster = true
        stage.hears("uptime", from: "gina@else.example/x")
        #expect(
            stage.said() == [
                "I do not know yet who may do that. Please send it again in a moment.",
                "Sorry, you may not do that here.", "pong", "You are gina@else.example, and have no role here.", "up",
                "up",
            ])
        #expect(stage.ledger.incoming.prefix(2).map(\.reason) == ["roster not known", "not permitted"])
    }

    @Test("the configuration has the last word: it closes what is open, opens what is not, and gives to others")
    func overrides() throws {
        let stage = try Stage(
            Self.bot, roles: try Self.roles(),
            access: [
                AccessOverride("PING", .roles([.ops])), AccessOverride("wipe", .everybody),
                AccessOverride("uptime", .roles(["colleagues"])),
            ])
        stage.hears("ping", from: "eve@evil.example/x")
        stage.hears("wipe", from: "eve@evil.example/x")
        stage.hears("uptime", from: "alice@example.test/x")
        stage.hears("ping", from: "olga@example.test/x")
        #expect(stage.said() == ["Sorry, you may not do that here.", "gone", "up", "pong"])
        #expect(stage.ledger.audit.map(\.command) == ["ping", "uptime", "ping"])
    }

    @Test("help and its topics show only what this person may run")
    func help() throws {
        let stage = try Stage(
            Self.bot, roles: try Self.roles(), access: [AccessOverride("requests", .roles(["colleagues"]))])
        stage.hears("help", from: "olga@example.test/phone")
        stage.hears("help wipe", from: "olga@example.test/phone")
        stage.hears("help requests", from: "olga@example.test/phone")
        stage.hears("help uptime", from: "eve@evil.example/x")
        #expect(
            stage.said() == [
                """
                !ping: Answer pong
                !uptime: How long
                !disk: How full
                !help [COMMAND]: What I can do
                !whoami: As whom I know you
                !requests: List the subscription requests that wait
                """, "I don't know wipe. !help lists what I can do.",
                "!requests: List the subscription requests that wait",
                "I don't know uptime. !help lists what I can do.",
            ])
    }

    @Test("whoami tells everybody who they are")
    func whoami() throws {
        let stage = try Stage(Self.bot, admins: ["admin@example.test"], roles: try Self.roles())
        stage.hears("whoami", from: "eve@evil.example/x")
        stage.hears("!whoami", from: "alice@example.test/x")
        stage.hears("whoami", from: "olga@example.test/x")
        stage.hears("whoami", from: "admin@example.test/x")
        #expect(
            stage.said() == [
                "You are eve@evil.example, and have no role here.",
                "You are alice@example.test, with the role colleagues.",
                "You are olga@example.test, with the roles ops and colleagues.",
                "You are admin@example.test, with the roles admins and colleagues.",
            ])
    }

    @Test("why and audit are for admins, and say how they are asked", arguments: ["why", "audit"])
    func admins(command: String) throws {
        let stage = try Stage(Self.bot, roles: try Self.roles())
        stage.hears(command, from: "olga@example.test/phone")
        #expect(stage.said() == ["Sorry, you may not do that here."])
        for text in ["\(command) x", "\(command) \u{1F980} ping ping", "\(command) example.test ping", "\(command) -1"]
        {
            stage.hears(text, from: "admin@example.test/desk")
        }
        let usage =
            command == "why" ? "Who, and what? Like: why alice@x.example uptime" : "How many? Like: audit 20"
        #expect(Set(stage.said()) == [usage])
        stage.hears("why a@b.example nope", from: "admin@example.test/desk")
        #expect(stage.said() == ["I don't know nope. !help lists what I can do."])
    }

    @Test("a stranger who tries a hundred times gets three sentences a minute, and each try is audited")
    func flood() throws {
        let stage = try Stage(Self.bot, roles: try Self.roles()) { $0.loopBrake = nil }
        for _ in 0..<100 { stage.hears("wipe", from: "eve@evil.example/x") }
        #expect(stage.said() == Array(repeating: "Sorry, you may not do that here.", count: 3))
        #expect(stage.ledger.audit.count == 100)
        #expect(stage.ledger.audit.allSatisfy { $0.outcome == .denied })
    }
}
