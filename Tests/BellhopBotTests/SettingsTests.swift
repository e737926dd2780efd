import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("Other settings while the desk is at work")
struct SettingsTests {
    private static let bot = Bot {
        Command("open", "For all") { _ in "hello" }.open().inline()
        Command("closed", "For few") { _ in "secret" }.inline()
    }

    private func settings(
        admins: [String] = ["admin@example.test"], _ change: (inout DeskSettings) -> Void = { _ in }
    ) throws -> DeskSettings {
        var settings = DeskSettings(
            account: try JID("opsbot@bots.example.test"), admins: try admins.map { try JID($0) })
        change(&settings)
        return settings
    }

    @Test("who is an admin, the prefix and the limits hold from the next message on")
    func nextMessage() throws {
        let stage = try Stage(Self.bot)
        stage.hears("!closed")
        #expect(stage.said() == ["Sorry, you may not do that here."])
        let new = try settings(admins: ["alice@example.test"]) {
            $0.prefix = "."
            $0.textLimit = 1_024
        }
        stage.desk.apply(new, bot: Self.bot, at: stage.moment)
        stage.hears(".closed")
        #expect(stage.said() == ["secret"])
        stage.hears("!closed")
        #expect(stage.said() == [])
        stage.hears(String(repeating: "x", count: 1_025))
        #expect(stage.said() == ["That message is too long for me; I read up to 1 KiB."])
        stage.hears("closed", from: "admin@example.test/desk")
        #expect(stage.said() == ["Sorry, you may not do that here."])
        stage.hears(".help")
        #expect(stage.said().first?.hasPrefix(".open: For all\n.closed: For few") == true)
    }

    @Test("other commands take the place of the old ones")
    func commands() throws {
        let stage = try Stage(Self.bot)
        let other = Bot { Command("new", "New") { _ in "here" }.open().inline() }
        stage.desk.apply(try settings(), bot: other, at: stage.moment)
        stage.hears("!new")
        stage.hears("!open")
        #expect(stage.said() == ["here", "I don't know open. !help lists what I can do."])
    }

    @Test("what runs goes on, what waits behind it is decided by the new settings")
    func running() async throws {
        let gate = Gate()
        let bot = Bot {
            Command("slow", "Slow") { _ in
                try await gate.pass()
                return "done"
            }.open()
            Command("closed", "For few") { _ in "secret" }.inline()
        }
        let stage = try Stage(bot)
        stage.hears("!slow")
        stage.hears("!closed")
        stage.desk.apply(try settings(admins: ["alice@example.test"]), bot: bot, at: stage.moment)
        gate.open()
        await stage.turn()
        #expect(stage.said() == ["done", "secret"])
    }

    @Test("a shorter time limit is the limit of running handlers, too, from now on; a longer one is not")
    func limits() async throws {
        let gate = Gate()
        let bot = Bot {
            Command("slow", "Slow") { _ in
                try await gate.pass()
                return "done"
            }.open()
        }
        let stage = try Stage(bot)
        stage.hears("!slow")
        stage.pass(.seconds(10))
        stage.desk.apply(try settings { $0.handlerLimit = .seconds(300) }, bot: bot, at: stage.moment)
        stage.hears("!slow", from: "bob@example.test/phone")
        #expect(stage.desk.nextDeadline == stage.moment.now + .seconds(20))
        stage.desk.apply(try settings { $0.handlerLimit = .seconds(5) }, bot: bot, at: stage.moment)
        #expect(stage.desk.nextDeadline == stage.moment.now + .seconds(5))
        stage.pass(.seconds(5))
        #expect(
            stage.said() == [
                "That took longer than 15 seconds, so I stopped it.",
                "That took longer than 5 seconds, so I stopped it.",
            ])
        gate.open()
    }

    @Test("a handler has the bot's own settings and folder, and the new ones as soon as they are there")
    func custom() async throws {
        let gate = Gate()
        let bot = Bot {
            Command("slow", "Slow") { context in
                try await gate.pass()
                return "\(context.customSettings as? Int ?? 0) \(context.stateFolder)"
            }.open()
            Command("quick", "Quick") { context in "\(context.customSettings as? Int ?? 0) \(context.stateFolder)" }
                .open().inline()
        }
        let stage = try Stage(bot) {
            $0.custom = 1
            $0.folder = "/one"
        }
        stage.hears("!quick")
        #expect(stage.said() == ["1 /one"])
        stage.hears("!slow")
        let new = try settings {
            $0.custom = 2
            $0.folder = "/two"
        }
        stage.desk.apply(new, bot: bot, at: stage.moment)
        stage.hears("!quick", from: "bob@example.test/phone")
        gate.open()
        await stage.turn()
        #expect(stage.said() == ["2 /two", "2 /two"])
    }

    @Test("limits of rules that have changed are counted anew")
    func counts() throws {
        let limited = [
            SubscriptionRule(
                try JIDPattern("*"), .accept, limit: DomainLimit(count: 1, period: .seconds(60)))
        ]
        let stage = try Stage(rules: limited)
        try stage.asks("a@example.test")
        try stage.asks("b@example.test")
        #expect(stage.desk.pendingRequests.count == 1)
        var new = try settings()
        new.policy.rules = limited
        new.policy.rules[0].limit?.count = 2
        stage.desk.apply(new, bot: Bot {}, at: stage.moment)
        try stage.asks("c@example.test")
        #expect(stage.desk.pendingRequests.count == 1)
    }
}
