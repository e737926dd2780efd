import BellhopBot
import BellhopDiagnostics
import BellhopJournal
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Messages over the wire")
struct MessageTests {
    @Test(
        "a body above the limit runs nothing, is answered once, and stored short with its length (C065)",
        arguments: [String(repeating: "a", count: 250_000), String(repeating: "\n", count: 200_000) + "x"])
    func hugeBody(text: String) async throws {
        try await OnlineBot.running { online in
            online.say("!echo " + text, id: "huge")
            online.say("!ping", from: "bob@example.test/y", id: "next")
            try await online.wire.expect(body: "pong", to: "bob@example.test/y")
            try await online.wire.settle(online.bot)
            #expect(online.bot.standard.runs.list.map(\.command) == ["ping"])
            #expect(online.wire.messages.count { $0["to"] == "alice@example.test/phone" } == 1)
            #expect(try await online.stop() == .success)
            let row = try #require(try online.bot.rows().first { $0.id == "huge" })
            #expect(row.fullLength == 6 + text.count)
            #expect((row.body?.count ?? 0) <= 65_536)
            #expect(row.state == .declined)
        }
    }

    @Test("a reply has no sender, goes to the full address and keeps the thread (C066)")
    func addresses() async throws {
        try await OnlineBot.running { online in
            online.wire.connection.send(
                "<message from='alice@example.test/phone' to='\(BotConfiguration.account)' type='chat' id='a1'>"
                    + "<body>!ping</body><thread>t1</thread></message>")
            let reply = try await online.wire.expect(body: "pong")
            #expect(reply["from"] == nil || reply["from"] == BotConfiguration.bound)
            #expect(reply["to"] == "alice@example.test/phone")
            #expect(reply["type"] == "chat")
            #expect(reply.child("thread", "jabber:client")?.text == "t1")
        }
    }

    @Test("text that looks like XML is text (C072)")
    func xmlInText() async throws {
        try await OnlineBot.running { online in
            let text = "</body></message><presence type='unavailable'/>&amp; ]]>"
            online.say("!echo " + text)
            let reply = try await online.wire.expect(body: text)
            #expect(reply.children.count == 1)
            try await online.wire.settle(online.bot)
            #expect(online.wire.sent.count == 1)
        }
    }

    @Test(
        "a handler that throws is told with a code that stands in the log, and the next command works (C162)",
        arguments: [StandardBot.Style.inline, .tasks])
    func failure(style: StandardBot.Style) async throws {
        try await OnlineBot.running(style) { online in
            online.say("!fail")
            let sorry = try await online.wire.expect("an excuse") { $0.name == "message" }
            let code = try #require(sorry.body?.split(separator: " ").last?.dropLast())
            #expect(sorry.body?.contains("Broken") == false)
            let line = try await online.bot.sink.expect("handler failed")
            #expect(line.fields.contains { $0.name == "code" && $0.value == code })
            online.say("!spam 0")
            online.say("!ping")
            try await online.wire.expect(body: "pong")
            try await online.wire.settle(online.bot)
            #expect(online.wire.messages.count == 2)
        }
    }

    @Test("three stanzas and a half in one read, the rest later: four messages in order (C168)")
    func segments() async throws {
        try await OnlineBot.running { online in
            let bytes = (1...4).map { OnlineBot.message("!echo \($0)", id: "s\($0)") }.joined()
            let cut = bytes.utf8.count - 40
            online.wire.connection.sendBytes([Array(bytes.utf8.prefix(cut))])
            try await online.wire.connection.handedOver()
            for number in 1...3 { try await online.wire.expect(body: "\(number)") }
            online.wire.connection.sendBytes([Array(bytes.utf8.dropFirst(cut))])
            try await online.wire.expect(body: "4")
            try await online.wire.settle(online.bot)
            #expect(online.wire.messages.compactMap(\.body) == ["1", "2", "3", "4"])
        }
    }

    @Test(
        "800 commands of 100 persons in one go are answered once each, in order for each person (C160)",
        arguments: [StandardBot.Style.inline, .tasks])
    func burst(style: StandardBot.Style) async throws {
        try await OnlineBot.running(style, level: .info) { online in
            var bodies: [String: [String]] = [:]
            for number in 0..<800 {
                let sender = "user\(number % 100)@example.test/x"
                bodies[sender, default: []].append("\(number)")
                online.say("!echo \(number)", from: sender, id: "b\(number)")
            }
            try await online.wire.settle(online.bot)
            let answered = Dictionary(grouping: online.wire.messages) { $0["to"] ?? "" }.mapValues {
                $0.compactMap(\.body)
            }
            #expect(answered == bodies)
            online.say("!ping")
            try await online.wire.expect(body: "pong")
        }
    }

    @Test("a slow handler holds up its own conversation and nothing else (C161)")
    func slowHandler() async throws {
        try await OnlineBot.running { online in
            online.say("!slow 90", id: "s1")
            online.say("!ping", id: "s2")
            try await online.wire.settle()
            online.say("!ping", from: "bob@example.test/y", id: "s3")
            try await online.wire.expect(body: "pong", to: "bob@example.test/y")
            try await online.wire.settle()
            #expect(online.wire.messages.allSatisfy { $0["to"] == "bob@example.test/y" })
            online.bot.standard.clock.advance(by: .seconds(90))
            try await online.wire.settle(online.bot)
            #expect(online.wire.messages.compactMap(\.body) == ["pong", "done 90", "pong"])
        }
    }

    @Test("words behind a quotation are no command and want no hint")
    func quotation() async throws {
        try await OnlineBot.running { online in
            online.say("> !deploy prod\nplease do not")
            online.say("\u{BB} nice\n\nindeed")
            try await online.wire.settle(online.bot)
            #expect(online.wire.messages == [])
            online.say("> so\n!nothing")
            online.say("please do not")
            try await online.wire.settle(online.bot)
            #expect(
                online.wire.messages.compactMap(\.body) == [
                    "I don't know nothing. !help lists what I can do.",
                    "I don't know please. !help lists what I can do.",
                ])
        }
    }
}
