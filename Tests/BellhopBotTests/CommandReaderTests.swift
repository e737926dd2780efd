import Testing

@testable import BellhopBot

@Suite("Reading commands")
struct CommandReaderTests {
    struct Sample: Sendable {
        var body: String
        var reading: CommandReading

        init(_ body: String, _ name: String, _ arguments: String, prefixed: Bool = true) {
            self.body = body
            reading = .command(name: name, isPrefixed: prefixed, arguments: arguments)
        }

        init(chat body: String) {
            self.body = body
            reading = .chat
        }
    }

    static let samples = [
        Sample("!ping", "ping", ""),
        Sample("ping", "ping", "", prefixed: false),
        Sample("!echo it's \"half", "echo", "it's \"half"),
        Sample(
            "!args \u{201C}two words\u{201D} \u{2018}x y\u{2019}", "args",
            "\u{201C}two words\u{201D} \u{2018}x y\u{2019}"),
        Sample("!echo\u{A0}hi", "echo", "hi"),
        Sample("!ping\u{A0}\u{A0}", "ping", ""),
        Sample("!args\u{2003}a\u{3000}b", "args", "a\u{3000}b"),
        Sample("!echo\nline 1\n\n  line 2\n", "echo", "line 1\n\n  line 2"),
        Sample("!echo\r\nline 1\r\nline 2\r\n", "echo", "line 1\r\nline 2"),
        Sample("!echo keeps  two and trailing  ", "echo", "keeps  two and trailing  "),
        Sample("  !ping", "ping", ""),
        Sample("\n!ping", "ping", ""),
        Sample("\t!echo x", "echo", "x"),
        Sample("!Ping", "ping", ""),
        Sample("!ECHO MixedCase", "echo", "MixedCase"),
        Sample("!INFO", "info", ""),
        Sample("!\u{C4}RGER x", "\u{E4}rger", "x"),
        Sample("!echo \u{1F469}\u{200D}\u{1F680}", "echo", "\u{1F469}\u{200D}\u{1F680}"),
        Sample(">> !deploy\n\n!ping", "ping", ""),
        Sample("> !deploy prod\nplease do not", "please", "do not", prefixed: false),
        Sample("\u{BB} !deploy\n!ping", "ping", ""),
        Sample(chat: "> !deploy prod"),
        Sample(chat: "!"),
        Sample(chat: "!!"),
        Sample(chat: "!?!"),
        Sample(chat: "! ping"),
        Sample(chat: "!!ping"),
        Sample(chat: "!!!wow"),
        Sample(chat: "?"),
        Sample(chat: ""),
        Sample(chat: " \n\t"),
        Sample(chat: "\u{1F44D}"),
    ]

    @Test("a body is read as a command with its raw text, or as chat", arguments: samples)
    func reads(sample: Sample) {
        #expect(CommandReader(prefix: "!").read(sample.body) == sample.reading)
    }

    @Test("a prefix of several characters is read whole")
    func longPrefix() {
        let reader = CommandReader(prefix: "bot:")
        #expect(reader.read("bot:ping") == .command(name: "ping", isPrefixed: true, arguments: ""))
        #expect(reader.read("bot ping") == .command(name: "bot", isPrefixed: false, arguments: "ping"))
        #expect(reader.read("bot:") == .chat)
    }

    @Test("without a prefix every word can be a command")
    func noPrefix() {
        #expect(
            CommandReader(prefix: "").read("ping x") == .command(name: "ping", isPrefixed: false, arguments: "x"))
    }

    @Test("quoted lines and names cost no more than their length")
    func longBodies() {
        let body = String(repeating: "\n", count: 200_000) + "!ping"
        #expect(CommandReader(prefix: "!").read(body) == .command(name: "ping", isPrefixed: true, arguments: ""))
        #expect(CommandReader(prefix: "!").read(String(repeating: "> !x\n", count: 50_000)) == .chat)
    }
}
