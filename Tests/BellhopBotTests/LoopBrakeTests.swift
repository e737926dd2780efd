import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("The loop brake")
struct LoopBrakeTests {
    /// Plays what one bot says into the other until both are silent; returns how many messages went.
    static func exchange(_ bot: Bot, first: String, brake: Int?) throws -> (messages: Int, toAdmins: [String]) {
        let left = try Stage(bot) { $0.loopBrake = brake }
        let right = try Stage(bot) { $0.loopBrake = brake }
        var messages = 0
        var toAdmins: [String] = []
        left.hears(first, from: "right@example.test/x")
        while messages < 50 {
            var spoke = false
            for (speaker, listener, name) in [(left, right, "left"), (right, left, "right")] {
                for message in speaker.chat.messages {
                    if message.to.bareText == "admin@example.test" {
                        toAdmins.append(message.body ?? "")
                    } else {
                        messages += 1
                        spoke = true
                        listener.hears(message.body, from: "\(name)@example.test/x")
                    }
                }
                speaker.chat.messages = []
                speaker.pass(.milliseconds(300))
                listener.pass(.milliseconds(300))
            }
            if !spoke { break }
        }
        return (messages, toAdmins)
    }

    @Test("two echo bots that meet come to rest within ten messages, and admins are told once by each that stops")
    func echoes() throws {
        let (messages, toAdmins) = try Self.exchange(echoBot, first: "hello", brake: 4)
        #expect(messages <= 10)
        #expect(toAdmins.count == 1)
        #expect(
            toAdmins.first?.hasPrefix("right@example.test and I") == true || toAdmins.first?.hasPrefix("left@") == true)
    }

    @Test("so do bots that add their own words, and bots with one fixed answer")
    func others() throws {
        let parrot = Bot { Otherwise { _, text in "You said: \(text)" }.open().inline() }
        #expect(try Self.exchange(parrot, first: "hello", brake: 4).messages <= 10)
        let fixed = Bot { Otherwise { _, _ in "I am a bot." }.open().inline() }
        #expect(try Self.exchange(fixed, first: "hello", brake: 4).messages <= 10)
    }

    @Test("lifted, nothing stops them")
    func lifted() throws {
        #expect(try Self.exchange(echoBot, first: "hello", brake: nil).messages >= 50)
    }

    @Test("5,000 commands of one person in no time are all answered, equal ones too")
    func fastPerson() throws {
        let stage = try Stage(echoBot)
        for number in 0..<2_500 {
            stage.hears("!echo hello \(number)")
            stage.hears("!echo same")
        }
        #expect(stage.said().count == 5_000)
    }

    @Test("a peer that was stopped is answered again when it says something new")
    func recovers() throws {
        let stage = try Stage(echoBot)
        for _ in 0..<8 { stage.hears("hello") }
        #expect(stage.chat.messages.filter { $0.to.bareText == "alice@example.test" }.count == 4)
        _ = stage.said()
        stage.pass(.seconds(100))
        stage.hears("hello")
        #expect(stage.said() == [])
        stage.hears("something new")
        #expect(stage.said() == ["something new"])
    }

    @Test("the same words again after a while are no circle")
    func slowPerson() throws {
        let stage = try Stage(echoBot)
        for _ in 0..<8 {
            stage.hears("hello")
            stage.pass(.seconds(11))
        }
        #expect(stage.said().count == 8)
    }
}
