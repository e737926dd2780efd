import BellhopXML
import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("Long answers", .timeLimit(.minutes(1)))
struct LongOutputTests {
    /// Answers of so many lines of ten characters, line ends included.
    static let bot = Bot {
        Command("lines", "Many lines", Arg<Int>("count")) { _, count in lines(count) }.open().inline()
        Command("stream", "Many answers", Arg<Int>("count")) { context, count in
            for number in 0..<count { context.reply(line(number)) }
        }.open()
        Command("card", "An answer with an element") { context in
            context.reply(lines(30))
            context.reply("card", payloads: [Element("card", namespace: "urn:example:card")])
            return "end"
        }.open().inline()
        Command("mishap", "Much, and an error") { context -> String in
            context.reply(lines(100))
            throw Mishap()
        }.open().inline()
    }

    static func line(_ number: Int) -> String { "line \(String(number).padded)" }
    static func lines(_ count: Int) -> String { lines(0..<count) }
    static func lines(_ numbers: Range<Int>) -> String { numbers.map(line).joined(separator: "\n") }

    /// Three messages of two hundred characters: twenty lines each.
    static func stage(_ bot: Bot = Self.bot, characters: Int? = 200, messages: Int = 3) throws -> Stage {
        try Stage(bot) { settings in
            settings.output = OutputLimits(characters: characters, messages: messages)
            settings.loopBrake = nil
        }
    }

    @Test("a short answer is one message, a longer one is split at its lines")
    func split() throws {
        let stage = try Self.stage()
        stage.hears("!lines 20")
        #expect(stage.said() == [Self.lines(20)])
        stage.hears("!lines 50")
        let said = stage.said()
        #expect(said.count == 3)
        #expect(said.joined(separator: "\n") == Self.lines(50))
        stage.hears("!more")
        #expect(
            stage.said() == [
                "I have nothing more to show you. What follows of a long answer I keep for 10 minutes, until the next long "
                    + "answer, and not over a restart."
            ])
    }

    @Test("the last message says how much is left, and more goes on until all is said, from any device")
    func more() throws {
        let stage = try Self.stage()
        stage.hears("!lines 120")
        var said = stage.said()
        #expect(said.count == 3)
        #expect(said[2] == Self.lines(40..<52) + "\n\n\u{2026} about 679 more characters. !more shows what follows.")
        var lines = said.joined(separator: "\n").split(separator: "\n").map(String.init)
        while lines.last?.hasSuffix("!more shows what follows.") == true {
            lines.removeLast()
            stage.hears("more", from: "alice@example.test/desk")
            #expect(stage.chat.messages.allSatisfy { $0.to.resource == "desk" && ($0.body?.count ?? 0) <= 200 })
            said = stage.said()
            #expect(said.count <= 3)
            lines += said.joined(separator: "\n").split(separator: "\n").map(String.init)
        }
        #expect(lines == (0..<120).map(Self.line))
        #expect(stage.ledger.incoming.allSatisfy { $0.state == "handled" })
        #expect(Set(stage.ledger.ids.values).count == stage.ledger.outgoing.count)
    }

    @Test("what is left belongs to the person who asked")
    func persons() throws {
        let stage = try Self.stage()
        stage.hears("!lines 120")
        _ = stage.said()
        stage.hears("!more", from: "mallory@example.test/x")
        #expect(stage.said().first?.hasPrefix("I have nothing more") == true)
        stage.hears("!more")
        #expect(stage.said().first?.hasPrefix("line 0052") == true)
    }

    @Test("what is left is kept for ten minutes, and until the next long answer")
    func forgetting() throws {
        let stage = try Self.stage()
        stage.hears("!lines 120")
        stage.pass(.seconds(599))
        stage.hears("!lines 5")
        stage.hears("!more")
        #expect(stage.said().last?.hasSuffix("!more shows what follows.") == true)
        stage.pass(.seconds(600))
        stage.hears("!more")
        #expect(stage.said().first?.hasPrefix("I have nothing more") == true)
        #expect(stage.desk.nextDeadline == nil)
    }

    @Test("each part has its own id, the same when the command runs again")
    func ordinals() throws {
        let stage = try Self.stage()
        stage.hears("!lines 50")
        #expect(stage.chat.messages.map(\.id) == ["a1-1", "a1-2", "a1-3"])
    }

    @Test("a handler that answers often has one output, and what is above waits")
    func streaming() async throws {
        let stage = try Self.stage()
        stage.hears("!stream 160")
        for _ in 0..<161 { await stage.turn() }
        var said = stage.said()
        #expect(Array(said.prefix(66)) == (0..<66).map(Self.line))
        #expect(Array(said.dropFirst(66)) == ["\u{2026} about 9 more characters. !more shows what follows."])
        stage.hears("!more")
        said = stage.said()
        #expect(said.count == 3)
        #expect(said[0] == Self.lines(66..<86))
        stage.hears("!more")
        #expect(stage.said().last == Self.lines(158..<160))
    }

    @Test("after more, a handler that still runs goes on where it was")
    func streamingOn() async throws {
        let gates = [Gate(), Gate()]
        let bot = Bot {
            Command("watch", "Answers in three heaps") { context in
                context.reply(Self.lines(90))
                try await gates[0].pass()
                context.reply("behind")
                try await gates[1].pass()
                return "end"
            }.open()
        }
        let stage = try Self.stage(bot)
        stage.hears("!watch")
        await stage.turn()
        #expect(stage.said().count == 3)
        gates[0].open()
        await stage.turn()
        #expect(stage.said() == [])
        stage.hears("!more")
        #expect(stage.said().last?.hasSuffix("line 0089\nbehind") == true)
        gates[1].open()
        await stage.turn()
        #expect(stage.said() == ["end"])
    }

    @Test("extension elements leave at once, whatever waits")
    func payloads() throws {
        let stage = try Self.stage(messages: 1)
        stage.hears("!card")
        #expect(stage.chat.messages.map(\.payloads.count) == [0, 1])
        #expect(stage.said().last == "card")
        stage.hears("!more")
        #expect(stage.said().last?.hasSuffix("end") == true)
    }

    @Test("an error is told at once, whatever waits")
    func errors() throws {
        let stage = try Self.stage()
        stage.hears("!mishap")
        #expect(stage.said().last?.hasPrefix("Something went wrong here.") == true)
        stage.hears("!more")
        #expect(stage.said().count == 3)
    }

    @Test("without a limit every answer is one message")
    func unlimited() throws {
        let stage = try Self.stage(characters: nil)
        stage.hears("!lines 20000")
        #expect(stage.said() == [Self.lines(20_000)])
    }

    @Test("letters of several bytes count once")
    func cyrillic() throws {
        let text = String(repeating: "ы", count: 200)
        let stage = try Self.stage(Bot { Command("ru", "") { _ in text }.open().inline() })
        stage.hears("!ru")
        #expect(stage.said() == [text])
    }

    @Test("of a monstrous answer a bounded part is kept, and the person is told so")
    func bound() throws {
        let stage = try Self.stage(characters: 16_000, messages: 20)
        stage.hears("!lines 600000")
        #expect(stage.desk.held.bytes <= HeldOutputs.bytesPerPerson)
        stage.hears("!more")
        #expect(stage.said().last == "That was all I kept; the answer was longer still.")
        #expect(stage.desk.held.bytes == 0)
    }

    @Test("what is kept for all persons together is bounded; the oldest goes first")
    func shelf() throws {
        var held = HeldOutputs()
        let big = TextSplitter(String(repeating: "x", count: 100_000))
        for number in 0..<1_000 {
            held.keep(
                HeldOutputs.Rest(big, of: nil), for: try JID("user\(number)@example.test"), now: .milliseconds(number))
            #expect(held.bytes <= HeldOutputs.byteLimit && held.count <= HeldOutputs.personLimit)
        }
        let first = held.take(try JID("user0@example.test"), now: .seconds(1))
        let last = held.take(try JID("user999@example.test"), now: .seconds(1))
        #expect(first == nil && last != nil)
    }

    @Test("more and cancel are heard as words of their own, not at the start of a sentence")
    func words() throws {
        let stage = try Self.stage(echoBot, characters: 2_000)
        for text in ["more cookies, please", "cancel the meeting", "cancel 7"] { stage.hears(text) }
        #expect(stage.said() == ["more cookies, please", "cancel the meeting", "cancel 7"])
        for text in ["more", "More", "!more now", "cancel", "cancel all", "!cancel 7"] { stage.hears(text) }
        #expect(Set(stage.said().map { $0.prefix(6) }) == ["I have", "Nothin", "Cancel"])
    }
}

extension String {
    /// With zeros in front, four digits.
    fileprivate var padded: String { String(repeating: "0", count: max(0, 4 - count)) + self }
}
