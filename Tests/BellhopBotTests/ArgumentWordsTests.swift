import Testing

@testable import BellhopBot

@Suite("Words of arguments", .timeLimit(.minutes(1)))
struct ArgumentWordsTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var text: String
        var words: [String]

        init(_ text: String, _ words: String...) {
            self.text = text
            self.words = words
        }

        var testDescription: String { text.debugDescription }
    }

    static let blanks = [
        Sample(""),
        Sample(" \t\r\n\u{A0}\u{3000}"),
        Sample("one", "one"),
        Sample("one two  three", "one", "two", "three"),
        Sample(
            "\u{2003}a\u{3000}b\u{A0}c\u{202F}d\u{85}e\u{2028}f\u{2029}g\r\nh\ti\u{B}j\u{1680}k ",
            "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"),
        // A space that carries a combining mark is still a space.
        Sample("a \u{301}b", "a", "\u{301}b"),
        Sample("\u{1F469}\u{200D}\u{1F680} \u{1F1E9}\u{1F1EA}", "\u{1F469}\u{200D}\u{1F680}", "\u{1F1E9}\u{1F1EA}"),
    ]

    static let quotations = [
        Sample(
            "\u{201C}two words\u{201D} \u{2018}x y\u{2019} \u{201E}deutsch\u{201C} \u{AB}fr\u{BB} plain",
            "two words", "x y", "deutsch", "fr", "plain"),
        Sample("\"a b\" 'c d' `e f`", "a b", "c d", "e f"),
        Sample(
            "\u{201E}pol ski\u{201D} \u{201D}sven ska\u{201D} \u{2019}suo mi\u{2019} \u{201A}ein fach\u{2018}",
            "pol ski", "sven ska", "suo mi", "ein fach"),
        Sample(
            "\u{AB}\u{A0}mon dieu\u{202F}\u{BB} \u{BB}um gekehrt\u{AB} \u{BB}suo mi\u{BB} \u{2039} a b \u{203A}",
            "mon dieu", "um gekehrt", "suo mi", "a b"),
        Sample(
            "\u{203A}c d\u{2039} \u{300C}\u{65E5} \u{672C}\u{300D} \u{300E}x y\u{300F} \u{301D}p q\u{301F}",
            "c d", "\u{65E5} \u{672C}", "x y", "p q"),
        Sample(
            "\u{FF02}w i\u{FF02} \u{FF07}d e\u{FF07} \u{201F}h i\u{201D} \u{201B}j k\u{2019}",
            "w i", "d e", "h i", "j k"),
        // Phones that turn only one of the two marks.
        Sample("\"a b\u{201D} c", "a b", "c"),
        Sample("\u{201C}a b\" c", "a b", "c"),
        Sample("'a b\u{2019} x", "a b", "x"),
        Sample("\u{2018}c d'", "c d"),
        // The mark that belongs to the opening one is looked for first.
        Sample("\u{201C}say \"hi\" now\u{201D}", "say \"hi\" now"),
        Sample("\u{201C}a b\u{201C}", "a b"),
        // A quotation may hold marks of another family, line breaks, and nothing.
        Sample("\"it's 'so'\" 'say \"hi\"'", "it's 'so'", "say \"hi\""),
        Sample("\"a\n b\" c", "a\n b", "c"),
        Sample("\"\" '' x", "", "", "x"),
        Sample("\" \"", " "),
    ]

    static let letters = [
        Sample("it's", "it's"),
        Sample("it\u{2019}s a \"b c\"", "it\u{2019}s", "a", "b c"),
        Sample("'it's mine' dogs'", "it's mine", "dogs'"),
        Sample("\u{2018}it\u{2019}s mine\u{2019} x", "it\u{2019}s mine", "x"),
        Sample("'a b", "'a", "b"),
        Sample("\u{201C}a b", "\u{201C}a", "b"),
        Sample("a\"b c\"d 6'2\" 5\" tall", "a\"b", "c\"d", "6'2\"", "5\"", "tall"),
        Sample("\"a\"b c", "\"a\"b", "c"),
        Sample("\"", "\""),
        Sample("'", "'"),
        Sample("a ' b", "a", "'", "b"),
        Sample("name=\"x y\"", "name=\"x", "y\""),
        Sample("\u{2019}twas \u{201C}so", "\u{2019}twas", "\u{201C}so"),
        Sample("rock'n'roll", "rock'n'roll"),
    ]

    static let backslashes = [
        Sample(#"C:\dir\new \\host\share"#, #"C:\dir\new"#, #"\\host\share"#),
        Sample(#""C:\dir name""#, #"C:\dir name"#),
        Sample(#""say \"hi\" now" x"#, #"say "hi" now"#, "x"),
        Sample(#"'it\'s' "it\'s""#, "it's", #"it\'s"#),
        Sample("\u{201C}a \\\u{201D} b\u{201D}", "a \u{201D} b"),
        Sample(#"a\ b \"c d\""#, #"a\"#, "b", #"\"c"#, #"d\""#),
        // The backslash takes the closing mark away, so nothing closes, and all of it is as typed.
        Sample(#""C:\dir\""#, #""C:\dir\""#),
        Sample(#""a\\" b" c"#, #"a\" b"#, "c"),
        Sample(#""a\n\t""#, #"a\n\t"#),
        Sample("\\", "\\"),
    ]

    static let unseen = [
        Sample("\u{FEFF}nginx\u{200B} \u{200E}b\u{200F}", "nginx", "b"),
        Sample("\u{200B} \u{2060}"),
        Sample("\u{202A}\"a b\"\u{202C} c", "a b", "c"),
        Sample("\u{2068}one\u{2069} two\u{AD}", "one", "two"),
        // Inside a word or a quotation they stay: only what copying adds at the ends is known to mean nothing.
        Sample("a\u{200B}b \"\u{200B}\"", "a\u{200B}b", "\u{200B}"),
        Sample(
            "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}",
            "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}"),
    ]

    @Test("a text falls into words", arguments: blanks + quotations + letters + backslashes + unseen)
    func splits(sample: Sample) {
        #expect(Self.words(of: sample.text) == sample.words)
    }

    @Test("what is left behind words is as typed, with line breaks, indentation and quotation marks")
    func rest() throws {
        for (text, words, rest) in [
            ("one two\n  three 'x'\n", 1, "two\n  three 'x'\n"),
            ("\"a b\"\n\u{2014} it's  \u{201C}so\u{201D}", 1, "\u{2014} it's  \u{201C}so\u{201D}"),
            ("all of\r\nit", 0, "all of\r\nit"),
            ("one", 1, nil),
            ("one  \n", 1, nil),
            ("", 0, nil),
        ] as [(String, Int, String?)] {
            var reader = ArgumentReader(text)
            for _ in 0..<words { _ = reader.nextWord() }
            #expect(reader.takeRest() == rest)
            #expect(reader.takeRest() == nil)
            #expect(reader.nextWord() == nil)
        }
    }

    @Test(
        "marks that nothing closes are not searched again and again",
        arguments: [
            "\"a ", "'a ", "\u{201C}a ", "\u{201E}\u{2018}\u{AB} ", "\"\\\" ", "\\ ", "\u{200B}", "\u{200B} ", "\"a\" ",
            "\u{301D} \" \u{201E} ' `a ", "a\u{301}",
        ])
    func hostile(piece: String) {
        let count = 65_536 / piece.utf8.count
        let words = Self.words(of: String(repeating: piece, count: count))
        #expect(words.count <= 65_536)
        #expect(words.map(\.utf8.count).reduce(0, +) <= 65_536)
    }

    @Test("no order of marks, blanks and backslashes loses a letter or stops the reader")
    func everyOrder() {
        let alphabet = ["a", " ", "\"", "'", "\u{201C}", "\u{201D}", "\\", "\u{200B}"]
        for number in 0..<alphabet.count * alphabet.count * alphabet.count * alphabet.count * alphabet.count {
            var rest = number
            var text = ""
            for _ in 0..<5 {
                text += alphabet[rest % alphabet.count]
                rest /= alphabet.count
            }
            let words = Self.words(of: text)
            #expect(words.joined().unicodeScalars.count { $0 == "a" } == text.unicodeScalars.count { $0 == "a" })
        }
    }

    private static func words(of text: String) -> [String] {
        var reader = ArgumentReader(text)
        var words: [String] = []
        while let word = reader.nextWord() { words.append(word) }
        return words
    }
}
