import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("Values of arguments")
struct ArgumentValueTests {
    struct Sample: Sendable {
        var kind: ArgumentKind
        /// What is typed, and the value or nil.
        var words: [(String, ParsedValue?)]
    }

    static let samples = [
        Sample(
            kind: .integer,
            words: [
                ("5", .integer(5)), ("-5", .integer(-5)), ("+5", .integer(5)), ("007", .integer(7)),
                ("-0", .integer(0)),
                // A minus sign, an en dash, a non-breaking hyphen, full width.
                ("\u{2212}5", .integer(-5)), ("\u{2013}5", .integer(-5)), ("\u{2011}5", .integer(-5)),
                ("\u{FF0D}\u{FF11}\u{FF12}", .integer(-12)), ("\u{FF0B}1", .integer(1)),
                // Arabic, Persian and Devanagari digits.
                ("\u{663}", .integer(3)), ("\u{6F1}\u{6F2}", .integer(12)), ("\u{967}\u{968}", .integer(12)),
                ("\u{200E}5\u{200B}", .integer(5)), ("1\u{2060}0", .integer(10)),
                ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
                // An em dash is what a phone makes of two hyphens.
                ("\u{2014}5", nil), ("--5", nil), ("+-5", nil), ("5-", nil), ("-", nil), ("+", nil), ("", nil),
                ("1_000", nil), ("1,000", nil), ("1.000", nil), ("1 000", nil), ("1'000", nil), ("5.0", nil),
                ("1e3", nil),
                ("0x1F", nil), ("0b1", nil), ("five", nil), ("5s", nil), ("\u{B2}", nil), ("\u{BD}", nil),
                ("\u{4E94}", nil),
                ("1\u{301}", nil), ("1\u{FE0F}\u{20E3}", nil), ("nan", nil), ("inf", nil),
            ]),
        Sample(
            kind: .number,
            words: [
                ("5", .number(5)), ("-2.5", .number(-2.5)), ("\u{2212}2.5", .number(-2.5)), (".5", .number(0.5)),
                ("5.", .number(5)), ("-.5", .number(-0.5)), ("1e3", .number(1_000)), ("1E+3", .number(1_000)),
                ("25e\u{2212}1", .number(2.5)), ("1.e2", .number(100)), ("\u{663}\u{66B}\u{665}", .number(3.5)),
                ("1e-400", .number(0)), ("1e308", .number(1e308)),
                ("9007199254740993", .number(9_007_199_254_740_992)),
                ("1,5", nil), ("1,000", nil), ("1_000", nil), ("1.2.3", nil), ("1e", nil), ("e3", nil), ("1e3.5", nil),
                ("1e3e3", nil), (".", nil), ("-", nil), ("", nil), ("nan", nil), ("NaN", nil), ("inf", nil),
                ("-infinity", nil), ("0x1p3", nil), ("0x10", nil), ("\u{2014}5", nil), ("1e--3", nil), ("50%", nil),
            ]),
        Sample(
            kind: .flag,
            words: [
                ("yes", .flag(true)), ("Yes", .flag(true)), ("Y", .flag(true)), ("on", .flag(true)),
                ("TRUE", .flag(true)),
                ("1", .flag(true)), ("no", .flag(false)), ("n", .flag(false)), ("Off", .flag(false)),
                ("false", .flag(false)), ("0", .flag(false)), ("yes\u{200B}", .flag(true)),
                ("maybe", nil), ("", nil), ("yess", nil), ("2", nil), ("01", nil), ("-1", nil),
            ]),
        Sample(
            kind: .choice(["debug", "Info", "--dry-run", "don't", "\u{C4}RGER", "-v"]),
            words: [
                ("debug", .choice("debug")), ("DEBUG", .choice("debug")), ("info", .choice("Info")),
                ("--dry-run", .choice("--dry-run")), ("\u{2014}dry\u{2011}run", .choice("--dry-run")),
                ("\u{2013}\u{2013}dry-run", .choice("--dry-run")), ("\u{2013}v", .choice("-v")),
                ("don\u{2019}t", .choice("don't")), ("\u{E4}rger", .choice("\u{C4}RGER")),
                ("a\u{308}rger", .choice("\u{C4}RGER")), ("de\u{200B}bug", .choice("debug")),
                ("deb", nil), ("debugs", nil), ("", nil), ("dry-run", nil), ("one of", nil),
            ]),
        Sample(
            kind: .text,
            words: [
                ("nginx", .text("nginx")), ("", .text("")), ("\u{2014}x", .text("\u{2014}x")), ("--x", .text("--x")),
            ]),
    ]

    @Test("a word is a value of its kind, or is refused", arguments: samples)
    func reads(sample: Sample) {
        let argument = ArgumentDescription("it", sample.kind)
        for (word, value) in sample.words {
            #expect((try? argument.value(ofWord: word)) == value, "\(word.debugDescription)")
        }
    }

    @Test(
        "a number that is too large is another problem than none",
        arguments: [
            (ArgumentKind.integer, "9223372036854775808"), (.integer, "-9223372036854775809"),
            (.integer, String(repeating: "9", count: 65_000)), (.number, "1e400"), (.number, "-1e400"),
            (.number, String(repeating: "9", count: 65_000)), (.number, "1e99999999999999999999"),
        ])
    func tooLarge(kind: ArgumentKind, word: String) {
        let argument = ArgumentDescription("it", kind)
        #expect(throws: ArgumentProblem.outOfRange(argument, given: word)) { try argument.value(ofWord: word) }
    }

    @Test(
        "a value has one plain form, however it was typed",
        arguments: [
            (ArgumentKind.integer, "+\u{663}", "3"), (.integer, "\u{2212}007", "-7"), (.number, "5", "5"),
            (.number, "2.50", "2.5"), (.number, "-0", "0"), (.number, "1e3", "1000"), (.number, "1e300", "1e+300"),
            (.flag, "On", "true"), (.flag, "0", "false"), (.choice(["Info"]), "INFO", "Info"),
            (.text, "as Typed", "as Typed"),
        ])
    func plainForm(kind: ArgumentKind, word: String, text: String) throws {
        let value = try ArgumentDescription("it", kind).value(ofWord: word)
        #expect(value.text == text)
        // The plain form is read as the same value.
        #expect(try ArgumentDescription("it", kind).value(ofWord: text).text == text)
    }

    enum Level: String, CaseIterable, ArgumentValue { case debug, info, error }

    @Test("types read the plain form and write it")
    func types() {
        #expect(Int(argumentText: "-7") == -7)
        #expect(Double(argumentText: "2.5") == 2.5)
        #expect(Double(5).argumentText == "5")
        #expect(Bool(argumentText: "true") == true)
        #expect(true.argumentText == "true")
        #expect(String(argumentText: "x") == "x")
        #expect(Level(argumentText: "info") == .info)
        #expect(Level(argumentText: "loud") == nil)
        #expect(Level.argumentKind == .choice(["debug", "info", "error"]))
        #expect(Level.error.argumentText == "error")
        #expect(JID(argumentText: "Carol@Else.Example")?.argumentText == "carol@else.example")
        #expect(JID(argumentText: "a@b@c") == nil)
        #expect(JID(argumentText: "") == nil)
    }
}
