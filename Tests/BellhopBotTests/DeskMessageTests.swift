import BellhopXML
import BellhopXMPP
import Testing

@testable import BellhopBot

/// The bot of most tests: like the one of the shared cases.
let opsBot = Bot {
    Command("ping", "Answer pong") { _ in "pong" }.open().inline()
    Command("echo", "Say something back", Rest("text")) { _, text in text }.open().inline()
    Command("deploy", "Deploy", Rest("name")) { _, name in "deployed \(name)" }.inline()
    Command("info", "Info") { _ in "info" }.open().inline()
    Command("spam", "Many answers", Arg<Int>("count")) { context, count in
        for number in 0..<max(0, count) { context.reply("\(number)") }
        return "done"
    }.open().inline()
    Command("fail", "Throw") { _ -> String in throw Mishap() }.open().inline()
    Command("sorry", "Throw kindly") { _ -> String in throw Failure("The lift is broken.") }.open().inline()
    Command("nothing", "Say nothing") { _ in "" }.open().inline()
}

let echoBot = Bot {
    Command("echo", "Say something back", Rest("text")) { _, text in text }.open().inline()
    Otherwise { _, text in text }.open().inline()
}

struct Mishap: Error {}

@Suite("Messages at the desk", .timeLimit(.minutes(1)))
struct DeskMessageTests {
    @Test("the reply goes to the full address that asked, same type, same thread")
    func reply() throws {
        let stage = try Stage(opsBot)
        stage.hears("!ping", Element("thread", namespace: "jabber:client").with(text: "t1"))
        stage.hears("!ping", from: "alice@example.test/psi", type: nil)
        let replies = stage.chat.messages
        #expect(replies.map(\.to.description) == ["alice@example.test/phone", "alice@example.test/psi"])
        #expect(replies.map(\.type) == [.chat, .normal])
        #expect(replies.map(\.thread) == ["t1", nil])
        #expect(replies.map(\.body) == ["pong", "pong"])
        #expect(stage.ledger.incoming.map(\.state) == ["handled", "handled"])
        #expect(Set(replies.map(\.id)).count == 2)
    }

    struct Line: Sendable {
        var sender = "alice@example.test/phone"
        var body: String
        var said: [String]
        var state: String
        var reason: String?
    }

    static let lines = [
        Line(body: "!echo hello 17", said: ["hello 17"], state: "handled"),
        Line(body: "echo hello 17", said: ["hello 17"], state: "handled"),
        Line(
            body: "!deploy prod", said: ["Sorry, you may not do that here."], state: "declined",
            reason: "not permitted"),
        Line(sender: "admin@example.test/desk", body: "!deploy prod", said: ["deployed prod"], state: "handled"),
        Line(
            sender: "admin@else.example/desk", body: "!deploy prod", said: ["Sorry, you may not do that here."],
            state: "declined", reason: "not permitted"),
        Line(sender: "Admin@Example.Test/a", body: "!deploy prod", said: ["deployed prod"], state: "handled"),
        Line(body: "!accept 7", said: ["Sorry, you may not do that here."], state: "declined", reason: "not permitted"),
        Line(
            body: "!nope x", said: ["I don't know nope. !help lists what I can do."], state: "declined",
            reason: "unknown command"),
        Line(
            body: "hello there", said: ["I don't know hello. !help lists what I can do."], state: "declined",
            reason: "unknown command"),
        Line(body: "!!", said: [], state: "declined", reason: "not a command"),
        Line(body: "!echo", said: ["TEXT is missing.\nUsage: !echo TEXT"], state: "handled"),
        Line(body: "!ping me", said: ["\u{201C}me\u{201D} is more than I understand.\nUsage: !ping"], state: "handled"),
        Line(body: "!sorry", said: ["The lift is broken."], state: "handled"),
        Line(body: "!nothing", said: [], state: "handled"),
        Line(body: "!spam 3", said: ["0", "1", "2", "done"], state: "handled"),
        Line(body: "> !deploy prod\n!ping", said: ["pong"], state: "handled"),
        Line(
            body: "!fail", said: ["Something went wrong here. The operator finds it in the log under E1."],
            state: "handled"),
    ]

    @Test("each message has its answer and its row", arguments: lines)
    func answers(line: Line) throws {
        let stage = try Stage(opsBot)
        stage.hears(line.body, from: line.sender)
        #expect(stage.said() == line.said)
        #expect(stage.ledger.incoming.map(\.state) == [line.state])
        #expect(stage.ledger.incoming.map(\.reason) == [line.reason])
        #expect(stage.ledger.outgoing.map(\.body) == line.said)
        #expect(stage.desk.nextDeadline == nil)
    }

    @Test("an error is told with a code, and stands in the log in full with that code")
    func errors() throws {
        let stage = try Stage(opsBot)
        stage.hears("!fail")
        let line = stage.sink.lines.first { $0.hasPrefix("error handler failed") }
        #expect(line?.contains("code=E1 handler=fail peer=alice@example.test") == true)
        #expect(line?.contains("Mishap") == true)
        stage.hears("!ping")
        #expect(stage.said().last == "pong")
    }

    @Test("Otherwise gets the body exactly as typed, a prefixed unknown name gets the hint")
    func otherwise() throws {
        let stage = try Stage(echoBot)
        let bodies = ["hello\r\nyou\n", "  !", "> quoted", "\u{A0}x\u{1F44D}", "!!wow", "what's up"]
        for body in bodies { stage.hears(body) }
        #expect(stage.said() == bodies)
        stage.hears("!wow")
        #expect(stage.said() == ["I don't know wow. !help lists what I can do."])
    }

    @Test("words behind a quotation get no hint, a command behind one runs, and Otherwise hears them")
    func quotation() throws {
        let stage = try Stage(opsBot)
        stage.hears("> !ping\nplease do not")
        #expect(stage.said() == [])
        stage.hears(" \n\u{BB} so\n!wow")
        stage.hears("> so\nping")
        #expect(stage.said() == ["I don't know wow. !help lists what I can do.", "pong"])
        let echo = try Stage(echoBot)
        echo.hears("> so\nhm")
        #expect(echo.said() == ["> so\nhm"])
    }

    @Test("Otherwise that is not open answers admins only")
    func closedOtherwise() throws {
        let stage = try Stage(Bot { Otherwise { _, text in text }.inline() })
        stage.hears("hi")
        stage.hears("hi", from: "admin@example.test/desk")
        #expect(stage.said() == ["Sorry, you may not do that here.", "hi"])
    }

    @Test("help lists only what this person may run")
    func help() throws {
        let bot = Bot {
            Command("echo", "Say something back", Rest("text", default: "")) { _, text in text }.open().inline()
            Command("deploy", "Roll out", Arg<String>("name")) { _, name in name }
        }
        let publicHelp = """
            !help [COMMAND]: What I can do
            !more: What follows of a long answer
            !cancel [all]: Stop what I am doing for you
            !whoami: As whom I know you
            """
        let stage = try Stage(bot)
        stage.hears("!help")
        stage.hears("help deploy")
        stage.hears("!help !ECHO")
        stage.hears("help", from: "admin@example.test/desk")
        #expect(
            stage.said() == [
                "!echo [TEXT]: Say something back\n" + publicHelp,
                "I don't know deploy. !help lists what I can do.",
                "!echo [TEXT]: Say something back\nTEXT: all that follows; optional",
                """
                !echo [TEXT]: Say something back
                !deploy NAME: Roll out
                \(publicHelp)
                To look after me: !accept, !deny, !requests, !outbox, !why, !audit, !status, !doctor, !pause, !resume, !reload, !presence.
                !help NAME says more of each.
                """,
            ])
    }

    @Test("hints stop after three within a minute, and a real command is still answered")
    func hintLimit() throws {
        let stage = try Stage(opsBot)
        for _ in 0..<20 {
            stage.hears("Sorry, unknown command", from: "otherbot@example.test/x")
            stage.pass(.milliseconds(500))
        }
        let hints = stage.chat.messages.filter { $0.to.bareText == "otherbot@example.test" }
        #expect(
            hints.map(\.body)
                == Array(repeating: "I don't know sorry,. Did you mean !sorry? !help lists what I can do.", count: 3))
        _ = stage.said()
        stage.hears("!ping", from: "otherbot@example.test/x")
        #expect(stage.said() == ["pong"])
        stage.pass(.seconds(60))
        stage.hears("what now", from: "otherbot@example.test/x")
        #expect(stage.said().count == 1)
    }

    @Test("the same message runs once, the same id from another person runs too")
    func duplicates() throws {
        let stage = try Stage(opsBot)
        stage.hears("!ping", id: "d1")
        stage.hears("!ping", id: "d1")
        stage.hears("!ping", from: "bob@example.test/y", id: "d1")
        #expect(stage.said() == ["pong", "pong"])
    }

    @Test("a text that is too long is declined with one sentence")
    func tooLong() throws {
        let stage = try Stage(opsBot)
        stage.hears("!echo " + String(repeating: "a", count: 250_000))
        #expect(stage.said() == ["That message is too long for me; I read up to 64 KiB."])
        #expect(stage.ledger.incoming.map(\.reason) == ["too long"])
        stage.hears("!ping")
        #expect(stage.said() == ["pong"])
    }

    @Test("when the ledger is full, commands are declined with a sentence")
    func full() throws {
        let stage = try Stage(opsBot)
        stage.ledger.isFull = true
        stage.hears("!ping")
        #expect(stage.said() == ["I cannot take commands at the moment. Please try again later."])
        stage.ledger.isFull = false
        stage.hears("!ping")
        #expect(stage.said() == ["pong"])
    }

    @Test("a run may send a thousand answers; what is beyond is told and left out")
    func tooManyAnswers() throws {
        let stage = try Stage(opsBot)
        stage.hears("!spam 1500")
        let said = stage.said()
        #expect(said.count == 1_002)
        #expect(said[999] == "999")
        #expect(said[1_000] == "There was more to say than I may send at once; the rest is left out.")
        #expect(said[1_001] == "done")
    }

    @Test("a message with extension elements and no body reaches OnMessage, which can answer in kind")
    func payload() throws {
        let bot = Bot {
            OnMessage { context in
                let voice = context.message.stanza.child("voice", "urn:example:voice")
                context.reply(
                    "", payloads: [Element("heard", namespace: "urn:example:voice").with("time", voice?["voiceTime"])])
            }.open().inline()
        }
        let stage = try Stage(bot)
        stage.hears(nil, Element("voice", namespace: "urn:example:voice").with("voiceTime", "3"))
        #expect(stage.chat.messages.map(\.body) == [nil])
        #expect(stage.chat.messages.first?.payloads.first?["time"] == "3")
        #expect(stage.ledger.incoming.map(\.state) == ["handled"])
    }
}
