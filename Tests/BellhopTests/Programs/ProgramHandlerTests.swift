import BellhopDiagnostics
import Testing

@testable import Bellhop
@testable import BellhopBot

@Suite("What configured commands hand to programs")
struct ProgramHandlerTests {
    private func handler(
        _ run: [String], _ arguments: [ArgumentDescription], pass: Configuration.ProgramPass = .argv,
        pattern: String? = nil
    ) -> ProgramHandler {
        var command = Configuration.ProgramCommand(name: "look", run: ProgramTemplate(run))
        command.arguments = arguments.map { .init($0, pattern: pattern.flatMap(TextPattern.init)) }
        command.pass = pass
        command.environment = ["TOKEN": Secret("hunter2")]
        return ProgramHandler(
            command: command, timeLimit: .seconds(30), runner: ProgramRunner(atOnce: 1),
            inherited: ["PATH": "/bin"], log: .silent)
    }

    /// The words for a program that gets one text in the place of `{a}`; else what the person is told.
    private func words(_ run: [String], _ value: ParsedValue, _ kind: ArgumentKind = .text) -> [String] {
        do throws(Failure) {
            let values = [ParsedArgument(label: "a", value: value)]
            return try handler(run, [.init("a", kind)]).call(for: "p@x.example", values).arguments
        } catch {
            return [error.sentence]
        }
    }

    @Test("a value fills its places, and each word stays one")
    func places() {
        #expect(words(["x", "{a}"], .text("a b; rm\n-rf")) == ["x", "a b; rm\n-rf"])
        #expect(words(["x", "<{a}|{a}>", "y"], .text("$(id)")) == ["x", "<$(id)|$(id)>", "y"])
        #expect(words(["x", "{a}"], .text("{a}")) == ["x", "{a}"])
        #expect(
            words(["x", "{{a}}", "{", "{ a}", "{{.State}}", "{}", "{a"], .text("v")) == [
                "x", "{a}", "{", "{ a}", "{{.State}}", "{}", "{a",
            ])
        #expect(words(["x", "{a}"], .text("")) == ["x", ""])
        #expect(words(["x", "-n{a}", "{a}", "y"], .absent) == ["x", "y"])
        #expect(words(["x", "{a}"], .integer(5), .integer) == ["x", "5"])
        #expect(words(["x", "{a}"], .flag(true), .flag) == ["x", "true"])
    }

    @Test("a value cannot become an option")
    func options() {
        let refused = ["-rf does not fit A: a value that starts with a dash could be taken for an option."]
        #expect(words(["x", "{a}"], .text("-rf")) == refused)
        #expect(words(["--", "{a}"], .text("-rf")) == refused)
        #expect(words(["x", "{a}", "--"], .text("-rf")) == refused)
        #expect(words(["x", "{a}{a}"], .text("-rf")) == refused)
        #expect(words(["x", "--", "{a}"], .text("-rf")) == ["x", "--", "-rf"])
        // `env` takes the dashes for itself; they are none of what it runs.
        #expect(words(["env", "--", "x", "{a}"], .text("-rf")) == refused)
        #expect(words(["x", "--", "{a}", "{a}"], .text("-r")) == ["x", "--", "-r", "-r"])
        // With a mark upon it, or a joiner behind it, the dash is another character and the same byte.
        for mark in ["\u{301}", "\u{200D}"] {
            #expect(words(["x", "{a}"], .text("-\(mark)rf")) != ["x", "-\(mark)rf"])
        }
        #expect(words(["x", "--name={a}"], .text("-rf")) == ["x", "--name=-rf"])
        #expect(words(["x", "{a}"], .integer(-5), .integer) != ["x", "-5"])
        #expect(words(["x", "{a}"], .choice("-h"), .choice(["-h", "-k"])) == ["x", "-h"])
    }

    @Test("a NUL and what the pattern does not allow are refused")
    func refusals() throws {
        #expect(
            words(["x", "{a}"], .text("a\0b")) == ["A holds a NUL character, which cannot be handed to a program."])
        let ping = handler(["ping", "{host}"], [.init("host", .text)], pattern: "[a-z0-9.-]+|::1")
        for bad in ["a b", "", "a\nb", "a;b", "A", "ä", "::1x", "x::1"] {
            #expect(throws: Failure(ProgramPhrases.doesNotMatch(bad, argument: "host"))) {
                try ping.call(for: "p@x.example", [ParsedArgument(label: "host", value: .text(bad))])
            }
        }
        #expect(
            try ping.call(for: "p@x.example", [.init(label: "host", value: .text("::1"))]).arguments == ["ping", "::1"])
    }

    @Test("an expression that makes other engines run away is answered")
    func patterns() {
        let pattern = TextPattern("(a+)+")
        #expect(pattern?.matches(String(repeating: "a", count: 5000) + "b") == false)
        #expect(pattern?.matches(String(repeating: "a", count: 5000)) == true)
        #expect(TextPattern("(") == nil && TextPattern("a\0") == nil)
    }

    @Test("variables and JSON hold what was written, and secrets of the operator")
    func passing() throws {
        let arguments = [
            ArgumentDescription("a-unit", .text), .init("n", .integer), .init("x", .number), .init("f", .flag),
            .init("o", .text, requirement: .optional),
        ]
        let values = [
            ParsedArgument(label: "a-unit", value: .text("a\"b\n\u{1}")), .init(label: "n", value: .integer(-5)),
            .init(label: "x", value: .number(2.5)), .init(label: "f", value: .flag(true)),
            .init(label: "o", value: .absent),
        ]
        let environment = try handler(["x"], arguments, pass: .environment).call(for: "p@x.example", values)
        #expect(
            environment.environment == [
                "PATH": "/bin", "TOKEN": "hunter2", "BELLHOP_COMMAND": "look", "BELLHOP_SENDER": "p@x.example",
                "BELLHOP_ARG_A_UNIT": "a\"b\n\u{1}", "BELLHOP_ARG_N": "-5", "BELLHOP_ARG_X": "2.5",
                "BELLHOP_ARG_F": "true",
            ])
        #expect(environment.input == [])
        let json = try handler(["x"], arguments, pass: .json).call(for: "p@x.example", values)
        #expect(json.environment == ["PATH": "/bin", "TOKEN": "hunter2"])
        #expect(
            String(decoding: json.input, as: UTF8.self)
                == #"{"command":"look","sender":"p@x.example","arguments":{"a-unit":"a\"b\n\u0001","n":-5,"x":2.5,"f":true,"o":null}}"#
                + "\n")
    }
}
