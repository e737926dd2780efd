import BellhopXML
import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("A paused bot", .timeLimit(.minutes(1)))
struct PauseTests {
    static let admin = "admin@example.test/desk"
    static let paused = "I am paused. I run this if I am resumed within 2 minutes; after that, please send it again."
    static let began =
        "I am paused: no handler runs and no answer leaves until somebody says resume. What people write is logged and waits."

    /// `slow` waits at the gate, `ping` runs on the spot.
    private func bot(_ gate: Gate = Gate(), _ diary: Diary = Diary()) -> Bot {
        Bot {
            Command("slow", "Wait", Rest("what", default: "")) { _, what in
                try await gate.pass()
                return "slow \(what)"
            }.open()
            Command("ping", "Answer pong") { context in
                diary.note("ping of \(context.sender.bareText)")
                return "pong"
            }.open().inline()
            Command("deploy", "For admins") { _ in "deployed" }
            Command("safe", "Can run twice") { _ in
                try await gate.pass()
                return "safe"
            }.open().idempotent()
            On(.messageFailed) { _ in diary.note("event") }
        }
    }

    @Test("what waits runs once after resume, and its sender is told once that it waits")
    func waits() throws {
        let diary = Diary()
        let stage = try Stage(bot(Gate(), diary))
        stage.hears("pause", from: Self.admin)
        #expect(stage.said() == [Self.began])
        #expect(stage.ledger.pause == Pause(since: stage.moment.clock, by: "admin@example.test"))
        for id in ["a", "b", "a"] { stage.hears("!ping", id: id) }
        stage.hears("!ping", from: "bob@example.test/y")
        #expect(stage.said() == [Self.paused, Self.paused])
        #expect(stage.ledger.incoming.map(\.state) == ["handled", "received", "received", "received"])
        #expect(diary.entries.isEmpty)
        stage.hears("resume", from: Self.admin)
        #expect(stage.said() == ["pong", "pong", "pong", "I go on. 3 commands that waited run now."])
        #expect(stage.ledger.incoming.allSatisfy { $0.state == "handled" })
        #expect(stage.ledger.pause == nil)
        stage.hears("!ping", id: "a")
        #expect(stage.said().isEmpty)
        #expect(diary.entries.count == 3)
    }

    @Test("what the pause says to a message and what becomes of the message later have ids of their own")
    func twoSentences() throws {
        let stage = try Stage(bot())
        stage.hears("pause", from: Self.admin)
        stage.hears("!slow one")
        stage.hears("resume", from: Self.admin)
        #expect(stage.ledger.incoming[1].state == "started")
        stage.pass(.seconds(30))
        #expect(stage.ledger.incoming[1].state == "interrupted")
        let told = stage.ledger.outgoing.filter { $0.peer == "alice@example.test" }
        #expect(told.map(\.body) == [Self.paused, "That took longer than 30 seconds, so I stopped it."])
        #expect(Set(told.compactMap { stage.ledger.ids[$0.id] }).count == 2)
    }

    @Test("what has waited for too long is declined after resume, and its sender is told")
    func late() throws {
        let stage = try Stage(bot())
        stage.hears("pause", from: Self.admin)
        stage.hears("!ping")
        stage.pass(.seconds(100))
        stage.hears("!ping", from: "bob@example.test/y")
        stage.pass(.seconds(21))
        _ = stage.said()
        stage.hears("resume", from: Self.admin)
        #expect(
            stage.said() == [
                "\u{201C}!ping\u{201D} reached me too late, so I did not run it, nor what else came as late. Please send again what is still needed.",
                "pong", "I go on. 1 command that waited runs now. 1 waited for too long and is not run.",
            ])
        #expect(stage.ledger.incoming.map(\.state) == ["handled", "declined", "handled", "handled"])
        #expect(stage.ledger.incoming[1].reason == "stale")
    }

    @Test("what runs is stopped at once and its sender told, and pause overtakes what its own sender waits for")
    func stops() async throws {
        let gate = Gate()
        let stage = try Stage(bot(gate))
        stage.hears("!slow one", from: Self.admin)
        stage.hears("!ping", from: Self.admin)
        stage.hears("!safe", from: "bob@example.test/y")
        _ = try await gate.arrived.value
        let tasks = stage.desk.runs.values.compactMap(\.task)
        #expect(tasks.count == 2)
        stage.hears("!pause", from: Self.admin)
        #expect(tasks.map(\.isCancelled) == [true, true])
        #expect(
            stage.said() == [
                "I was paused while I worked on \u{201C}!slow one\u{201D}, so I stopped it. If it is still needed, please send it again later.",
                "I was paused while I worked on \u{201C}!safe\u{201D}, so I stopped it. If it is still needed, please send it again later.",
                Self.began,
            ])
        #expect(stage.ledger.incoming.map(\.state) == ["interrupted", "received", "interrupted", "handled"])
        #expect(stage.ledger.incoming[0].reason == "paused")
        #expect(!stage.desk.isBusy && stage.desk.nextDeadline == nil)
        gate.open()
        await stage.turn()
        await stage.turn()
        #expect(stage.said().isEmpty)
        stage.hears("resume", from: Self.admin)
        #expect(stage.said() == ["pong", "I go on. 1 command that waited runs now."])
    }

    @Test("what runs nothing is decided as always while the bot is paused")
    func decided() throws {
        let stage = try Stage(bot())
        stage.hears("pause", from: Self.admin)
        _ = stage.said()
        stage.hears("!deploy")
        stage.hears("!frobnicate")
        stage.hears("!help deploy", from: Self.admin)
        stage.hears("!pause")
        #expect(
            stage.said() == [
                "Sorry, you may not do that here.", "I don't know frobnicate. !help lists what I can do.",
                "!deploy: For admins", "Sorry, you may not do that here.",
            ])
        stage.hears(String(repeating: "x", count: 65_537))
        #expect(stage.ledger.incoming.last?.reason == "too long")
        #expect(stage.ledger.incoming.allSatisfy { $0.state != "received" })
    }

    @Test("no more commands wait than there is room for; the others are declined")
    func bounded() throws {
        let stage = try Stage(bot()) { $0.waitingLimit = 3 }
        stage.hears("pause", from: Self.admin)
        for number in 0..<5 { stage.hears("!ping", from: "user\(number)@example.test/x") }
        #expect(
            stage.said().suffix(2)
                == Array(
                    repeating: "I am paused, and too much waits already. Please send it again later.", count: 2))
        #expect(
            stage.ledger.incoming.dropFirst().map(\.state) == [
                "received", "received", "received", "declined", "declined",
            ])
        #expect(stage.ledger.incoming.last?.reason == "paused")
        stage.hears("resume", from: Self.admin)
        #expect(stage.said().filter { $0 == "pong" }.count == 3)
    }

    @Test("a pause survives a restart: nothing is run, what was started is told, and resume takes up the rest")
    func restart() throws {
        let gate = Gate()
        let first = try Stage(bot(gate))
        first.hears("!safe", from: "bob@example.test/y")
        first.hears("!ping", from: "bob@example.test/y")
        first.ledger.pause = Pause(since: first.moment.clock, by: "the command line")
        let second = try Stage(bot(gate), ledger: first.ledger) { $0.program = "hellobot" }
        first.desk.close()
        second.desk.resume(second.ledger.unfinished() ?? [], at: second.moment)
        #expect(second.did() == ["show dnd Paused"])
        #expect(second.ledger.incoming.map(\.state) == ["interrupted", "received"])
        #expect(second.desk.heldCommandCount == 1)
        #expect(second.said().count == 1)
        #expect(
            second.sink.lines.contains {
                $0.hasPrefix("warning paused: Still paused") && $0.contains("by=the command line")
                    && $0.hasSuffix("command=hellobot resume")
            })
        #expect(second.desk.endPause(by: "the command line", at: second.moment) == Resumption(run: 1, late: 0))
        #expect(second.said() == ["pong", "I was resumed by the command line and go on."])
    }

    @Test("the bot's own messages wait, the operator's leave, and events are not heard")
    func unasked() throws {
        let diary = Diary()
        let stage = try Stage(bot(Gate(), diary))
        stage.hears("pause", from: Self.admin)
        _ = stage.did()
        _ = stage.said()
        let alice = try JID("alice@example.test")
        stage.desk.received(.asked(.send(Sent(to: alice, text: "own", payloads: [], type: .chat))), at: stage.moment)
        _ = stage.desk.say("operator's", to: alice, at: stage.moment)
        #expect(stage.said() == ["operator's"])
        #expect(stage.ledger.outgoing.suffix(2).map(\.body) == ["own", "operator's"])
        stage.desk.occurred(.messageFailed(MessageFailed(to: alice, id: "x", reason: "y")), at: stage.moment)
        #expect(!stage.desk.isBusy)
        #expect(stage.did().isEmpty)
        stage.hears("resume", from: Self.admin)
        #expect(stage.did() == ["show available -", "send queued"])
        #expect(diary.entries.isEmpty)
    }

    @Test("pause and resume say what there is to say, and the other admins hear of it")
    func words() throws {
        let stage = try Stage(bot(), admins: ["admin@example.test", "boss@example.test"])
        let exchanges: [(String, [String])] = [
            ("resume", ["I am not paused."]),
            ("pause now please", ["pause takes nothing behind it; I did nothing."]),
            (
                "pause",
                [
                    "I was paused by admin@example.test: no handler runs and no answer leaves until somebody says resume.",
                    Self.began,
                ]
            ),
            ("!pause", ["I am paused already, since 2023-11-14 22:13 UTC, by admin@example.test."]),
            ("resume later", ["resume takes nothing behind it; I did nothing."]),
            ("RESUME", ["I was resumed by admin@example.test and go on.", "I go on."]),
        ]
        for (line, answers) in exchanges {
            stage.hears(line, from: Self.admin)
            #expect(stage.said() == answers, "\(line)")
        }
        #expect(stage.desk.beginPause(by: "the command line", at: stage.moment))
        #expect(stage.chat.messages.map(\.to.bareText) == ["admin@example.test", "boss@example.test"])
    }

    @Test("when the journal cannot be read at the end of a pause, the log says what becomes of what waits")
    func unreadable() throws {
        let stage = try Stage(bot())
        stage.hears("pause", from: Self.admin)
        stage.hears("!ping")
        stage.ledger.isUnreadable = true
        _ = stage.said()
        stage.hears("resume", from: Self.admin)
        #expect(stage.said() == ["I go on."])
        #expect(
            stage.sink.lines.contains(
                "warning resumed: The commands that waited cannot be read; they are taken up at the next start."))
    }

    @Test("a command that waits for a yes is called off by a pause, and the yes runs nothing")
    func confirmation() throws {
        let diary = Diary()
        let stage = try Stage(
            Bot { Command("drop", "Drop all") { _ in diary.note("dropped") }.allow(.admins).confirmed().inline() },
            admins: ["admin@example.test", "boss@example.test"])
        stage.hears("drop", from: "boss@example.test/x")
        stage.hears("pause", from: Self.admin)
        #expect(stage.said().contains("drop is called off."))
        stage.hears("yes", from: "boss@example.test/x")
        stage.hears("resume", from: Self.admin)
        stage.hears("yes", from: "boss@example.test/x")
        #expect(diary.entries.isEmpty)
        #expect(stage.ledger.incoming.first?.state == "declined" && stage.ledger.incoming.first?.reason == "paused")
    }

    @Test("a program's message without a body waits, too, and is told nothing")
    func payload() throws {
        let diary = Diary()
        let stage = try Stage(Bot { OnMessage { _ in diary.note("heard") }.open().inline() })
        stage.hears("pause", from: Self.admin)
        _ = stage.said()
        stage.hears(nil, Element("data", namespace: "urn:example"))
        #expect(stage.said().isEmpty && diary.entries.isEmpty)
        stage.hears("resume", from: Self.admin)
        #expect(diary.entries == ["heard"])
    }
}
