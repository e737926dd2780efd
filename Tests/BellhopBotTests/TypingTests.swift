import BellhopXML
import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("Typing notifications", .timeLimit(.minutes(1)))
struct TypingTests {
    private static let active = ChatState.active.element
    private static let phone = "alice@example.test/phone"

    private static func bot(_ gates: [Gate]) -> Bot {
        Bot {
            Command("slow", "Wait") { _ in
                try await gates[0].pass()
                return "done"
            }.open()
            Command("mute", "Wait and say nothing") { _ in try await gates[0].pass() }.open()
            Command("twice", "Wait twice") { context in
                try await gates[0].pass()
                context.reply("first")
                try await gates[1].pass()
                return "second"
            }.open()
            Command("ping", "Answer pong") { _ in "pong" }.open().inline()
        }
    }

    @Test("composing after a second, and the answer says active")
    func answer() async throws {
        let gate = Gate()
        let stage = try Stage(Self.bot([gate]))
        stage.hears("!slow", Self.active, Element("thread", namespace: "jabber:client").with(text: "t1"))
        #expect(stage.desk.nextDeadline == .seconds(1_001))
        stage.pass(.milliseconds(999))
        #expect(stage.did() == [])
        stage.pass(.milliseconds(1))
        #expect(stage.did() == ["composing \(Self.phone) t1"])
        // Never twice in a row (XEP-0085 section 5.3).
        #expect(stage.desk.nextDeadline == .seconds(1_030))
        gate.open()
        await stage.turn()
        #expect(stage.chat.messages.map(\.chatState) == [.active])
        #expect(stage.did() == [])
        #expect(stage.desk.nextDeadline == nil)
        #expect(stage.ledger.outgoing.map(\.body) == ["done"])
    }

    @Test("paused where no answer comes, and where the command is cancelled")
    func noAnswer() async throws {
        let gate = Gate()
        let stage = try Stage(Self.bot([gate]))
        stage.hears("!mute", Self.active)
        stage.hears("!slow", from: "bob@example.test/y", Self.active)
        stage.pass(.seconds(1))
        #expect(Set(stage.did()) == ["composing \(Self.phone) -", "composing bob@example.test/y -"])
        stage.hears("!cancel", from: "bob@example.test/y")
        #expect(stage.did() == ["paused bob@example.test/y -"])
        gate.open()
        var seen: [String] = []
        while seen.isEmpty {
            await stage.turn()
            seen = stage.did()
        }
        #expect(seen == ["paused \(Self.phone) -"])
    }

    @Test("an answer in between ends it, and it begins again")
    func again() async throws {
        let gates = [Gate(), Gate()]
        let stage = try Stage(Self.bot(gates))
        stage.hears("!twice", Self.active)
        stage.pass(.seconds(2))
        gates[0].open()
        await stage.turn()
        #expect(stage.chat.messages.map(\.chatState) == [.active])
        #expect(stage.did().count == 1)
        stage.pass(.seconds(1))
        #expect(stage.did() == ["composing \(Self.phone) -"])
        gates[1].open()
        await stage.turn()
        #expect(stage.chat.messages.map(\.chatState) == [.active, .active])
        #expect(stage.did() == [])
    }

    @Test("a handler that runs out of time says so, and nothing else")
    func timeLimit() throws {
        let stage = try Stage(Self.bot([Gate()]))
        stage.hears("!slow", Self.active)
        stage.pass(.seconds(1))
        _ = stage.did()
        stage.pass(.seconds(29))
        #expect(stage.chat.messages.map(\.chatState) == [.active])
        #expect(stage.did() == [])
        #expect(stage.desk.nextDeadline == nil)
    }

    @Test("nothing is shown to who did not speak of it, to a bare address, outside of chats, and when it is off")
    func silence() async throws {
        let gate = Gate()
        let stage = try Stage(Self.bot([gate]))
        stage.hears("!slow", from: "a@example.test/x")
        stage.hears("!slow", from: "b@example.test", Self.active)
        stage.hears("!slow", from: "c@example.test/x", type: "normal", Self.active)
        stage.hears("!slow", from: "d@example.test/x", Element("composing", namespace: "urn:example:other"))
        stage.hears("!ping", from: "e@example.test/x", Self.active)
        #expect(stage.desk.typingQueue.isEmpty)
        #expect(stage.chat.messages.allSatisfy { $0.chatState == nil })
        stage.pass(.seconds(2))
        #expect(stage.did() == [])
        gate.open()

        let quiet = try Stage(Self.bot([gate])) { $0.typingDelay = nil }
        quiet.hears("!slow", Self.active)
        #expect(quiet.desk.typingQueue.isEmpty)
    }

    @Test("of many runs each is shown at its time, and ended ones leave no deadline")
    func many() async throws {
        let gate = Gate()
        let stage = try Stage(Self.bot([gate]))
        stage.hears("!slow", from: "a@example.test/x", Self.active)
        stage.pass(.milliseconds(600))
        stage.hears("!slow", from: "b@example.test/x", Self.active)
        stage.pass(.milliseconds(400))
        #expect(stage.did() == ["composing a@example.test/x -"])
        #expect(stage.desk.nextDeadline == .milliseconds(1_001_600))
        stage.hears("!cancel", from: "b@example.test/x")
        #expect(stage.desk.nextDeadline == .seconds(1_030))
        #expect(stage.desk.typingQueue.isEmpty)
        gate.open()
    }
}
