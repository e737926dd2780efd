import BellhopXML
import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("Handlers in tasks", .timeLimit(.minutes(1)))
struct LaneTests {
    /// `slow` waits at the gate of the person who sent it; `ping` answers at once.
    static func bot(_ gates: [String: Gate]) -> Bot {
        Bot {
            Command("slow", "Wait", Arg<String>("what")) { context, what in
                try await gates[context.sender.bareText]?.pass()
                return "slow \(what)"
            }.open()
            Command("ping", "Answer pong") { _ in "pong" }.open().inline()
            Command("chatty", "Answer twice") { context in
                context.reply("first")
                try await gates[context.sender.bareText]?.pass()
                return "second"
            }.open()
            Command("safe", "Can run twice", Rest("text")) { _, text in text }.open().idempotent()
        }
    }

    @Test("a conversation keeps its order, others go on meanwhile")
    func order() async throws {
        let gate = Gate()
        let stage = try Stage(Self.bot(["alice@example.test": gate]))
        stage.hears("!slow 1")
        stage.hears("!ping")
        stage.hears("!slow 2")
        #expect(stage.ledger.incoming.map(\.state) == ["started", "received", "received"])
        stage.hears("!ping", from: "bob@example.test/y")
        stage.hears("!slow 9", from: "carol@example.test/y")
        await stage.turn()
        #expect(stage.said() == ["pong", "slow 9"])
        gate.open()
        await stage.turn()
        #expect(stage.said() == ["slow 1", "pong"])
        await stage.turn()
        #expect(stage.said() == ["slow 2"])
        #expect(stage.ledger.incoming.allSatisfy { $0.state == "handled" })
        #expect(stage.desk.nextDeadline == nil)
        #expect(!stage.desk.isBusy)
    }

    @Test("one handler that may run for hours keeps nothing of those that ended meanwhile")
    func forHours() async throws {
        let bot = Bot {
            Command("watch", "Take hours") { _ in try await Gate().pass() }.open().within(.seconds(36_000))
            Command("quick", "Take a moment") { _ in "done" }.open()
        }
        let stage = try Stage(bot)
        stage.hears("!watch")
        for number in 0..<1_000 {
            stage.hears("!quick", from: "person\(number)@example.test/y")
            await stage.turn()
        }
        #expect(stage.said().count == 1_000)
        #expect(stage.desk.runs.count == 1)
        #expect(stage.desk.runOrder.count <= 100)
        stage.desk.close()
    }

    @Test("a handler starts only after its row is committed")
    func commitFirst() async throws {
        let diary = Diary()
        let stage = try Stage(Bot { Command("go", "") { _ in diary.note("ran") }.open() })
        let sender = try JID("alice@example.test/phone")
        var message = IncomingMessage(stanza: .init("message", namespace: "jabber:client"), type: .chat)
        message.sender = sender
        message.body = "!go"
        message.text = "!go"
        stage.desk.received(message, at: stage.moment)
        #expect(stage.ledger.incoming.map(\.state) == ["started"])
        #expect(stage.desk.runs.values.allSatisfy { $0.task == nil })
        stage.desk.turnCommitted()
        await stage.turn()
        #expect(diary.entries == ["ran"])
    }

    @Test("an answer before the end is sent at once")
    func early() async throws {
        let gate = Gate()
        let stage = try Stage(Self.bot(["alice@example.test": gate]))
        stage.hears("!chatty")
        await stage.turn()
        #expect(stage.said() == ["first"])
        gate.open()
        await stage.turn()
        #expect(stage.said() == ["second"])
    }

    @Test("what does not fit into memory waits in the ledger, and nothing is lost or reordered", arguments: [3, 64])
    func spill(limit: Int) async throws {
        let gate = Gate()
        let stage = try Stage(Self.bot(["alice@example.test": gate])) { settings in
            settings.laneLimit = limit
            settings.loopBrake = nil
        }
        for number in 0..<300 { stage.hears("!slow \(number)") }
        #expect(stage.desk.waitingCount == limit)
        gate.open()
        for _ in 0..<300 { await stage.turn() }
        #expect(stage.said() == (0..<300).map { "slow \($0)" })
        #expect(stage.desk.waitingCount == 0)
        #expect(stage.desk.lanes.isEmpty)
    }

    @Test("more than a conversation may have waiting is declined with a sentence, and what waits is still answered")
    func tooMany() async throws {
        let gate = Gate()
        let stage = try Stage(Self.bot(["alice@example.test": gate])) { settings in
            settings.laneLimit = 4
            settings.spillLimit = 10
            settings.loopBrake = nil
        }
        for number in 0..<20 { stage.hears("!slow \(number)") }
        #expect(stage.said() == Array(repeating: Phrases.tooManyWait, count: 3))
        #expect(stage.ledger.incoming.filter { $0.reason == "too many" }.count == 5)
        gate.open()
        for _ in 0..<15 { await stage.turn() }
        #expect(stage.said() == (0..<15).map { "slow \($0)" })
        #expect(stage.desk.lanes.isEmpty)
    }

    @Test("a handler that takes too long is cancelled, the person told, the lane goes on, its result ignored")
    func timeLimit() async throws {
        let gate = Gate()
        let stage = try Stage(Self.bot(["alice@example.test": gate]))
        stage.hears("!slow 1")
        stage.hears("!ping")
        _ = try await gate.arrived.value
        #expect(stage.desk.nextDeadline == .seconds(1_030))
        stage.pass(.seconds(29))
        #expect(stage.said() == [])
        stage.pass(.seconds(1))
        #expect(stage.said() == ["That took longer than 30 seconds, so I stopped it.", "pong"])
        #expect(stage.ledger.incoming.map(\.state) == ["interrupted", "handled"])
        #expect(stage.ledger.incoming.first?.reason == "time limit")
        // The cancelled handler still reports; nothing comes of it.
        await stage.turn()
        #expect(stage.said() == [])
        #expect(stage.desk.nextDeadline == nil)
    }

    @Test("after a restart: received runs, started is told, idempotent runs again, stale is told")
    func restart() async throws {
        let gate = Gate()
        let first = try Stage(Self.bot(["alice@example.test": gate, "carol@example.test": gate]))
        first.hears("!slow old", from: "alice@example.test/phone")
        first.hears("!ping", from: "alice@example.test/phone")
        first.hears("!safe again", from: "bob@example.test/y")
        let second = try Stage(Self.bot([:]), ledger: first.ledger)
        first.desk.close()
        second.desk.resume(second.ledger.unfinished() ?? [], at: second.moment)
        second.desk.turnCommitted()
        await second.turn()
        #expect(
            second.said() == [
                "I was restarted while I worked on \u{201C}!slow old\u{201D}. If it is still needed, please send it again.",
                "pong", "again",
            ])
        #expect(second.ledger.incoming.map(\.state) == ["interrupted", "handled", "handled"])

        first.hears("!slow x", from: "carol@example.test/y")
        first.hears("!ping", from: "carol@example.test/y")
        let third = try Stage(Self.bot([:]), ledger: first.ledger)
        third.pass(.seconds(121))
        third.desk.resume(third.ledger.unfinished() ?? [], at: third.moment)
        #expect(
            third.said() == [
                "I was restarted while I worked on \u{201C}!slow x\u{201D}. If it is still needed, please send it again.",
                "\u{201C}!ping\u{201D} reached me too late, so I did not run it, nor what else came as late. Please send again what is still needed.",
            ])
        #expect(third.ledger.incoming.suffix(2).map(\.state) == ["interrupted", "declined"])
        gate.open()
    }

    @Test("800 pings of 100 persons are answered once each, in order")
    func burst() throws {
        let stage = try Stage(opsBot)
        for number in 0..<800 { stage.hears("!echo \(number)", from: "user\(number % 100)@example.test/x") }
        #expect(stage.said() == (0..<800).map(String.init))
    }
}
