import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("People who write faster than they may", .timeLimit(.minutes(1)))
struct FloodTests {
    private static func stage(
        _ pace: Pace? = Pace(perSecond: 5, burst: 20), _ bot: Bot = opsBot,
        change: (inout DeskSettings) -> Void = { _ in }
    ) throws -> Stage {
        try Stage(bot) { settings in
            settings.perPerson = pace
            settings.loopBrake = nil
            change(&settings)
        }
    }

    @Test("5,000 messages of one person are logged at once and answered at a pace; others are answered at once")
    func flood() throws {
        let stage = try Self.stage()
        for number in 0..<5_000 {
            stage.hears("!echo \(number)", from: "flooder@example.test/x")
            if number == 2_500 { stage.hears("!ping", from: "alice@example.test/y") }
        }
        #expect(stage.ledger.incoming.count == 5_001)
        #expect(stage.said() == (0..<20).map(String.init) + ["pong"])
        #expect(stage.desk.waitingCount == stage.desk.settings.laneLimit)
        var said: [String] = []
        for second in 1...996 {
            stage.hears("!ping", from: "alice@example.test/y")
            #expect(stage.said() == ["pong"], "second \(second)")
            for _ in 0..<5 { stage.pass(.milliseconds(200)) }
            said += stage.said()
            #expect(said.count == second * 5)
        }
        #expect(said == (20..<5_000).map(String.init))
        #expect(stage.desk.lanes.isEmpty)
        #expect(stage.desk.slowed.isEmpty)
        #expect(stage.desk.nextDeadline == nil)
        #expect(stage.ledger.incoming.allSatisfy { $0.state == "handled" })
        #expect(stage.sink.lines.filter { $0.contains(" slowed: ") }.count == 1)
    }

    @Test("nobody waits where no pace is set")
    func off() throws {
        let stage = try Self.stage(nil)
        for number in 0..<5_000 { stage.hears("!echo \(number)", from: "flooder@example.test/x") }
        #expect(stage.said() == (0..<5_000).map(String.init))
        #expect(stage.desk.nextDeadline == nil)
    }

    @Test("handlers in tasks wait for the pace as well as for each other")
    func tasks() async throws {
        let bot = Bot { Command("work", "", Rest("text")) { _, text async in text }.open() }
        let stage = try Self.stage(Pace(perSecond: 1, burst: 2), bot)
        for number in 0..<4 { stage.hears("!work \(number)") }
        await stage.turn()
        await stage.turn()
        #expect(stage.said() == ["0", "1"])
        #expect(!stage.desk.isBusy)
        #expect(stage.ledger.incoming.map(\.state) == ["handled", "handled", "received", "received"])
        stage.pass(.seconds(1))
        await stage.turn()
        #expect(stage.said() == ["2"])
        stage.pass(.seconds(1))
        await stage.turn()
        #expect(stage.said() == ["3"])
    }

    @Test("cancel is heard while something runs; what is built in counts as everything else")
    func builtins() async throws {
        let gate = Gate()
        let bot = Bot {
            Command("hold", "") { _ in
                try await gate.pass()
                return "held"
            }.open()
        }
        let stage = try Self.stage(Pace(perSecond: 1, burst: 1), bot)
        stage.hears("!hold")
        _ = try await gate.arrived.value
        stage.hears("!whoami")
        #expect(stage.said() == [])
        stage.hears("!cancel")
        #expect(stage.said().first?.hasPrefix("I stopped \u{201C}!hold\u{201D}.") == true)
        for _ in 0..<3 { stage.hears("!whoami") }
        #expect(stage.said() == [])
        for _ in 0..<4 { stage.pass(.seconds(1)) }
        #expect(stage.said().count == 4)
    }

    @Test("a changed pace holds at once, and one that is taken away lets everything go on")
    func change() throws {
        let stage = try Self.stage(Pace(perSecond: 1, burst: 1))
        for number in 0..<10 { stage.hears("!echo \(number)") }
        #expect(stage.said() == ["0"])
        var settings = stage.desk.settings
        settings.perPerson = Pace(perSecond: 1, burst: 3)
        stage.desk.apply(settings, bot: opsBot, at: stage.moment)
        stage.pass(.zero)
        #expect(stage.said() == ["1", "2", "3"])
        settings.perPerson = nil
        stage.desk.apply(settings, bot: opsBot, at: stage.moment)
        stage.pass(.zero)
        #expect(stage.said() == (4..<10).map(String.init))
        #expect(stage.desk.lanes.isEmpty)
    }

    @Test("a pause leaves what waits to the ledger, and the pace holds behind it, too")
    func pause() throws {
        let stage = try Self.stage(Pace(perSecond: 1, burst: 2))
        for number in 0..<5 { stage.hears("!echo \(number)") }
        #expect(stage.said() == ["0", "1"])
        _ = stage.desk.beginPause(by: "a test", at: stage.moment)
        stage.pass(.seconds(10))
        _ = stage.said()
        _ = stage.desk.endPause(by: "a test", at: stage.moment)
        #expect(stage.said().prefix(2) == ["2", "3"])
        stage.pass(.seconds(1))
        #expect(stage.said() == ["4"])
    }

    @Test("above the limit of handlers at work nobody else's begins, and nothing is lost")
    func handlers() async throws {
        let gate = Gate()
        let bot = Bot {
            Command("hold", "") { context in
                try await gate.pass()
                return context.sender.bareText
            }.open()
        }
        let stage = try Self.stage(nil, bot) { $0.runLimit = 3 }
        for number in 0..<8 { stage.hears("!hold", from: "p\(number)@example.test/x") }
        #expect(stage.desk.runs.count == 3)
        #expect(stage.ledger.incoming.map(\.state).filter { $0 == "received" }.count == 5)
        gate.open()
        var said: [String] = []
        for _ in 0..<3 { await stage.turn() }
        stage.pass(.seconds(1))
        for _ in 0..<3 { await stage.turn() }
        stage.pass(.seconds(1))
        for _ in 0..<2 { await stage.turn() }
        said += stage.said()
        #expect(Set(said).count == 8)
        #expect(stage.desk.lanes.isEmpty)
    }
}
