import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("Commands with typed arguments", .timeLimit(.minutes(1)))
struct ArgumentTests {
    enum Level: String, CaseIterable, ArgumentValue { case debug, info, error }

    /// A value that says itself what it expects.
    struct Port: ArgumentValue {
        var number: Int
        static var argumentKind: ArgumentKind { .integer }
        static var argumentExpectation: String? { "a port from 1 to 65535" }
        init?(argumentText text: String) {
            guard let number = Int(text), (1...65_535).contains(number) else { return nil }
            self.number = number
        }
        var argumentText: String { "\(number)" }
    }

    /// One that does not.
    struct Even: ArgumentValue {
        var text: String
        init?(argumentText text: String) {
            guard text.count.isMultiple(of: 2) else { return nil }
            self.text = text
        }
    }

    static let bot = Bot {
        Command("restart", "Restart a unit", Arg<String>("unit"), Arg<Int>("grace", "seconds to wait", default: 5)) {
            context, unit, grace in
            "\(unit) after \(grace)"
        }.open().inline()
        Command("level", "Set the level", Arg<Level>("level"), Arg<Level?>("other")) { _, level, other in
            "\(level) \(other.map { "\($0)" } ?? "-")"
        }.open().inline()
        Command("rate", "Set the rate", Arg<Double>("rate", default: 0.5), Arg<Bool>("force", default: false)) {
            _, rate, force in
            "\(rate) \(force)"
        }.open().inline()
        Command("tell", "Tell somebody", Arg<JID>("who", "whom to tell"), Rest("text", "what to say")) { _, who, text in
            "to \(who): \(text)"
        }.open().inline()
        Command("sum", "Add", Arg<[Int]>("numbers")) { _, numbers in
            "\(numbers.reduce(0) { $0 &+ $1 })"
        }.open().inline()
        Command("words", "List", Arg<[String]>("words", default: ["a", "b c"])) { _, words in
            words.joined(separator: "|")
        }.open().inline()
        Command("open", "Open a port", Arg<Port>("port"), Arg<Even?>("name")) { _, port, name in
            "\(port.number) \(name?.text ?? "-")"
        }.open().inline()
        Command("later", "Waits", Arg<Int?>("n")) { _, n in
            await Task.yield()
            return n.map { "\($0)" } ?? "nothing"
        }.open()
    }

    @Test(
        "arguments arrive as values, however they are typed",
        arguments: [
            ("!restart nginx", "nginx after 5"),
            ("!restart nginx 10", "nginx after 10"),
            ("restart \u{201C}my unit\u{201D} \u{2212}1", "my unit after -1"),
            ("!restart it\u{2019}s\n10\n", "it\u{2019}s after 10"),
            ("!restart \"\" 1", " after 1"),
            ("!level Info", "info -"),
            ("!level DEBUG 'error'", "debug error"),
            ("!rate", "0.5 false"),
            ("!rate 2.5 yes", "2.5 true"),
            (
                "!tell carol@else.example first\n  it's \u{201C}so\u{201D}",
                "to carol@else.example: first\n  it's \u{201C}so\u{201D}"
            ),
            ("!sum 1 2 \u{663}", "6"),
            ("!words", "a|b c"),
            ("!words \"x y\" z", "x y|z"),
            ("!open 80", "80 -"),
            ("!open 80 ab", "80 ab"),
        ])
    func values(body: String, answer: String) throws {
        let stage = try Stage(Self.bot)
        stage.hears(body)
        #expect(stage.said() == [answer])
        #expect(stage.ledger.incoming.map(\.state) == ["handled"])
    }

    @Test(
        "what does not fit is answered with one sentence and the usage",
        arguments: [
            ("!restart", "UNIT is missing.\nUsage: !restart UNIT [GRACE]"),
            (
                "!restart nginx soon",
                "GRACE must be a whole number, not \u{201C}soon\u{201D}.\nUsage: !restart UNIT [GRACE]"
            ),
            (
                "!restart nginx 99999999999999999999",
                "\u{201C}99999999999999999999\u{201D} is too large a number for GRACE.\nUsage: !restart UNIT [GRACE]"
            ),
            (
                "!restart my unit",
                "GRACE must be a whole number, not \u{201C}unit\u{201D}.\nUsage: !restart UNIT [GRACE]"
            ),
            (
                "!restart nginx 5 now\nor never",
                "\u{201C}now\u{2026}\u{201D} is more than I understand.\nUsage: !restart UNIT [GRACE]"
            ),
            ("!level", "LEVEL is missing: one of debug, info, error.\nUsage: !level LEVEL [OTHER]"),
            (
                "!level loud",
                "LEVEL must be one of debug, info, error, not \u{201C}loud\u{201D}.\nUsage: !level LEVEL [OTHER]"
            ),
            (
                "!rate 1,5",
                "RATE must be a number like 2.5, not \u{201C}1,5\u{201D}.\nUsage: !rate [RATE] [FORCE]"
            ),
            (
                "!rate 1 maybe",
                "FORCE must be yes or no, not \u{201C}maybe\u{201D}.\nUsage: !rate [RATE] [FORCE]"
            ),
            (
                "!tell a@b@c hi",
                "WHO must be an address like name@example.org, not \u{201C}a@b@c\u{201D}.\nUsage: !tell WHO TEXT"
            ),
            ("!tell carol@else.example", "TEXT is missing.\nUsage: !tell WHO TEXT"),
            ("!sum", "NUMBERS is missing.\nUsage: !sum NUMBERS..."),
            (
                "!sum 1 two 3",
                "NUMBERS must be a whole number, not \u{201C}two\u{201D}.\nUsage: !sum NUMBERS..."
            ),
            (
                "!open 0",
                "PORT must be a port from 1 to 65535, not \u{201C}0\u{201D}.\nUsage: !open PORT [NAME]"
            ),
            ("!open 80 abc", "\u{201C}abc\u{201D} does not fit NAME.\nUsage: !open PORT [NAME]"),
        ])
    func sentences(body: String, answer: String) throws {
        let stage = try Stage(Self.bot)
        stage.hears(body)
        #expect(stage.said() == [answer])
        #expect(stage.ledger.incoming.map(\.state) == ["handled"])
    }

    @Test(
        "what was given is shown shortened, on one line, whatever it is",
        arguments: [
            (String(repeating: "x", count: 5_000), String(repeating: "x", count: 60) + "\u{2026}"),
            ("\"x\ny\"", "x\u{2026}"),
            (
                "x" + String(repeating: "\u{301}", count: 5_000),
                "x" + String(repeating: "\u{301}", count: 59) + "\u{2026}"
            ),
        ])
    func shortened(given: String, shown: String) throws {
        let stage = try Stage(Self.bot)
        stage.hears("!sum \(given)")
        #expect(
            stage.said() == ["NUMBERS must be a whole number, not \u{201C}\(shown)\u{201D}.\nUsage: !sum NUMBERS..."])
    }

    @Test("a handler that awaits gets its arguments, and its usage, all the same")
    func suspending() async throws {
        let stage = try Stage(Self.bot)
        stage.hears("!later 7")
        await stage.turn()
        stage.hears("!later x")
        await stage.turn()
        stage.hears("!later")
        await stage.turn()
        #expect(
            stage.said() == ["7", "N must be a whole number, not \u{201C}x\u{201D}.\nUsage: !later [N]", "nothing"])
    }

    @Test(
        "help says how a command is typed, and each argument with its kind, default and choices",
        arguments: [
            (
                "restart",
                """
                !restart UNIT [GRACE]: Restart a unit
                UNIT: a word, or several in quotes
                GRACE: seconds to wait (a whole number; default 5)
                """
            ),
            (
                "level",
                """
                !level LEVEL [OTHER]: Set the level
                LEVEL: one of debug, info, error
                OTHER: one of debug, info, error; optional
                """
            ),
            (
                "rate",
                """
                !rate [RATE] [FORCE]: Set the rate
                RATE: a number like 2.5; default 0.5
                FORCE: yes or no; default false
                """
            ),
            (
                "!tell",
                """
                !tell WHO TEXT: Tell somebody
                WHO: whom to tell (an address like name@example.org)
                TEXT: what to say (all that follows)
                """
            ),
            ("\u{201C}sum\u{201D}", "!sum NUMBERS...: Add\nNUMBERS: a whole number; once or more"),
            ("words", "!words [WORDS...]: List\nWORDS: a word, or several in quotes; once or more; default a b c"),
            (
                "open",
                "!open PORT [NAME]: Open a port\nPORT: a port from 1 to 65535\nNAME: a word, or several in quotes; optional"
            ),
        ])
    func help(name: String, text: String) throws {
        let stage = try Stage(Self.bot)
        stage.hears("!help \(name)")
        #expect(stage.said() == [text])
    }

    @Test("arguments that are declared at run time go through the same parser")
    func atRunTime() async throws {
        let bot = Bot {
            Command(
                "run", "Run it",
                arguments: [
                    ArgumentDescription("unit", .choice(["nginx", "ssh"])),
                    ArgumentDescription("lines", .integer, requirement: .defaulted("10")),
                    ArgumentDescription("rate", .number, requirement: .optional),
                    ArgumentDescription("flag", .flag, requirement: .optional),
                    ArgumentDescription("note", .rest, requirement: .optional),
                ]
            ) { _, values in
                values.map { "\($0.label)=\($0.text)" }.joined(separator: " ") + " \(values.map(\.value))"
            }.open()
            Command("all", "", arguments: [ArgumentDescription("n", .integer, repeats: true)]) { _, values in
                "\(values.map(\.value))"
            }.open()
        }
        #expect(bot.problems() == [])
        let stage = try Stage(bot)
        for (body, answer) in [
            (
                "!run NGINX",
                "unit=nginx lines=10 rate= flag= note= "
                    + "\([ParsedValue.choice("nginx"), .integer(10), .absent, .absent, .absent])"
            ),
            (
                "!run ssh \u{2013}3 1.50 on it's\nso",
                "unit=ssh lines=-3 rate=1.5 flag=true note=it's\nso "
                    + "\([ParsedValue.choice("ssh"), .integer(-3), .number(1.5), .flag(true), .text("it's\nso")])"
            ),
            (
                "!run vim",
                "UNIT must be one of nginx, ssh, not \u{201C}vim\u{201D}.\nUsage: !run UNIT [LINES] [RATE] [FLAG] [NOTE]"
            ),
            (
                "!run",
                "UNIT is missing: one of nginx, ssh.\nUsage: !run UNIT [LINES] [RATE] [FLAG] [NOTE]"
            ),
            ("!all 1 2", "\([ParsedValue.list([.integer(1), .integer(2)])])"),
        ] {
            stage.hears(body)
            await stage.turn()
            #expect(stage.said() == [answer])
        }
    }

    @Test("an unknown name is answered with the nearest that this person may run, and betrays no other")
    func suggestions() throws {
        let bot = Bot {
            Command("restart", "Restart") { _ in "x" }
            Command("status", "Status") { _ in "x" }.open()
        }
        let hint = "!help lists what I can do."
        for (body, person, answer) in [
            ("!statsu", "alice@example.test/phone", "I don't know statsu. Did you mean !status? \(hint)"),
            ("hepl", "alice@example.test/phone", "I don't know hepl. Did you mean !help? \(hint)"),
            ("!restrat", "bob@example.test/phone", "I don't know restrat. \(hint)"),
            ("!help restrat", "bob@example.test/phone", "I don't know restrat. \(hint)"),
            ("!help restart", "bob@example.test/phone", "I don't know restart. \(hint)"),
            ("!help statu", "bob@example.test/phone", "I don't know statu. Did you mean !status? \(hint)"),
            ("!acept", "bob@example.test/phone", "I don't know acept. \(hint)"),
            ("!restrat", "admin@example.test/desk", "I don't know restrat. Did you mean !restart? \(hint)"),
            ("!acept", "admin@example.test/desk", "I don't know acept. Did you mean !accept? \(hint)"),
        ] {
            let stage = try Stage(bot)
            stage.hears(body, from: person)
            #expect(stage.said() == [answer], "\(body) of \(person)")
        }
    }
}
