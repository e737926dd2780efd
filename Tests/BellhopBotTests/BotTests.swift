import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("Declaring a bot")
struct BotTests {
    @Test("a handler may return a text, an optional one or nothing, and await or not")
    func overloads() throws {
        let bot = Bot {
            Command("a", "", Rest("text")) { _, text in text }
            Command("b", "", Rest("text")) { _, text in
                if text.isEmpty { return nil }
                return text
            }
            Command("c", "") { context in context.reply("x") }
            Command("d", "") { _ in
                for _ in 0..<2 {}
            }
            Command("e", "", Arg<String>("name"), Rest("text")) { _, name, text in
                await Task.yield()
                return name + text
            }
            Command("f", "") { context in
                await Task.yield()
                context.reply("x")
            }
            Command("g", "", Arg<String>("name")) { _, name in name.isEmpty ? nil : name }
        }
        let immediate = bot.commands.map { command in
            switch command.handler {
            case .immediate: "\(command.name) immediate"
            case .suspending: "\(command.name) suspending"
            }
        }
        #expect(
            immediate == [
                "a immediate", "b immediate", "c immediate", "d immediate", "e suspending", "f suspending",
                "g immediate",
            ])
        #expect(bot.problems() == [])
    }

    @Test("every mistake is listed, with a sentence")
    func problems() {
        let bot = Bot {
            Command("Help", "") { _ in "x" }
            Command("accept", "") { _ in "x" }
            Command("deny", "") { _ in "x" }
            Command("requests", "") { _ in "x" }
            Command("two words", "") { _ in "x" }
            Command("", "") { _ in "x" }
            Command("echo", "", Rest("text"), Arg<String>("name")) { _, _, _ in "x" }
            Command("ECHO", "") { _ in "x" }
            Command("me", "") { _ in "x" }
            Otherwise { _, text in text }
            Otherwise { _, text in text }
            OnMessage { _ in "x" }
            OnMessage { _ in "x" }
        }
        let expected: [BotProblem] = [
            .reservedName("Help"), .reservedName("accept"), .reservedName("deny"), .reservedName("requests"),
            .invalidName("two words"), .invalidName(""), .argument("name", of: "echo", .behindRest),
            .duplicateName("ECHO"), .severalOtherwise, .severalOnMessage,
        ]
        #expect(bot.problems() == expected)
        #expect(bot.problems(prefix: "/").contains(.emote("me")))
        #expect("\(BotProblem.reservedName("Help"))" == "The command name \"Help\" is built in; choose another.")
    }
}
