import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("Code that asks for more than can be taken up", .timeLimit(.minutes(1)))
struct InputGateTests {
    @Test("4,096 requests wait, the next is refused with an error, and taking them up makes room")
    func requests() async throws {
        let gate = InputGate()
        let posted = Diary()
        let bot = BotHandle(gate: gate) { _ in posted.note("") }
        for _ in 0..<InputGate.requestLimit { bot.presence(.away) }
        let bob = try JID("bob@example.test")
        await #expect(throws: BotError.tooMuch) { try await bot.send("one more", to: bob) }
        await #expect(throws: BotError.tooMuch) { _ = try await bot.contacts }
        bot.remove(bob)
        #expect(posted.entries.count == InputGate.requestLimit)
        #expect(gate.took(.presence(.away, nil)) == 3)
        #expect(gate.took(.presence(.away, nil)) == 0)
        bot.add(bob)
        bot.remove(bob)
        bot.presence(.chat)
        #expect(posted.entries.count == InputGate.requestLimit + 2)
    }

    @Test("what they hold of texts is bounded")
    func bytes() throws {
        let gate = InputGate()
        let text = String(repeating: "x", count: 1_024 * 1_024)
        let requests = try (0..<40).map { _ in
            BotRequest.send(Sent(to: try JID("bob@example.test"), text: text, payloads: [], type: .chat))
        }
        #expect(requests.filter { gate.lets($0) }.count == 16)
        #expect((0..<40).filter { _ in gate.lets(Reply(text: text, payloads: []), of: RunID(number: 1)) }.count == 16)
    }

    @Test("a run that says too much is told so, and its answers are bounded before they are taken up")
    func replies() {
        let posted = Diary()
        let outlet = ReplyOutlet { _ in posted.note("") }
        for number in 0..<5_000 { outlet.reply(Reply(text: "\(number)", payloads: []), from: RunID(number: 1)) }
        #expect(posted.entries.count == Desk.replyLimit + 1)
        for number in 0..<5 { outlet.reply(Reply(text: "\(number)", payloads: []), from: RunID(number: 2)) }
        #expect(posted.entries.count == Desk.replyLimit + 6)
        outlet.gate.took(Reply(text: "0", payloads: []), of: RunID(number: 1))
        outlet.reply(Reply(text: "x", payloads: []), from: RunID(number: 1))
        #expect(posted.entries.count == Desk.replyLimit + 7)
    }

    @Test("a handler that is called on the spot keeps no more answers than may leave")
    func called() throws {
        let bot = Bot {
            Command("much", "") { context in
                for number in 0..<100_000 { context.reply("\(number)") }
                return nil
            }.open().inline()
        }
        let stage = try Stage(bot) { $0.output = OutputLimits(characters: nil, messages: 3) }
        stage.hears("!much")
        let said = stage.said()
        #expect(said.count == Desk.replyLimit + 1)
        #expect(said.last == Phrases.tooManyReplies)
    }

    @Test("the desk says in the log that requests were refused, once for all of a heap")
    func log() throws {
        let stage = try Stage(opsBot)
        let gate = stage.desk.outlet.gate
        let request = BotRequest.presence(.away, nil)
        for _ in 0..<InputGate.requestLimit + 10 { _ = gate.lets(request) }
        for _ in 0..<3 { stage.desk.received(.asked(request), at: stage.moment) }
        #expect(stage.sink.lines.filter { $0.contains("too many requests") }.count == 1)
        #expect(stage.sink.lines.contains { $0.contains("refused=10") })
    }
}
