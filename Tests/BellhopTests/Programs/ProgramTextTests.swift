import Testing

@testable import Bellhop

@Suite("What programs print")
struct ProgramTextTests {
    private static func lines(_ bytes: [UInt8], by step: Int) -> [String] {
        var text = ProgramText()
        var rest = bytes[...]
        while !rest.isEmpty {
            text.add(rest.prefix(step))
            rest = rest.dropFirst(step)
        }
        text.finish()
        return text.takeLines()
    }

    @Test(
        "lines are made readable, whatever pieces they come in",
        arguments: [
            ("a\nb\n", ["a", "b"]), ("a\n\nb", ["a", "", "b"]), ("", []), ("\n", [""]), ("a\r\nb\r\n", ["a", "b"]),
            ("10%\r20%\r100%\ndone\n", ["100%", "done"]), ("a\tb", ["a\tb"]), ("a\u{8}b", ["b"]), ("\u{8}a", ["a"]),
            ("\u{1B}[1;31mred\u{1B}[0m\n", ["red"]), ("\u{1B}]0;title\u{7}text", ["text"]),
            ("\u{1B}]8;;http://x\u{1B}\\link\u{1B}]8;;\u{1B}\\", ["link"]), ("\u{1B}(Bplain\u{1B}=", ["plain"]),
            ("\u{1B}[31\nnext", ["", "next"]), ("\u{1B}]never closed\nnext", ["", "next"]), ("\u{1B}", []),
            ("a\u{0}b\u{7}c\u{7F}", ["abc"]), ("a\u{202E}b\u{9B}31mc", ["ab31mc"]),
            ("grün €\u{1F600}", ["grün €\u{1F600}"]),
            ("x\u{85}y", ["xy"]),
        ])
    func lines(text: String, expected: [String]) {
        for step in [1, 2, 3, 1000] { #expect(Self.lines(Array(text.utf8), by: step) == expected) }
    }

    @Test("what is no UTF-8 is repaired")
    func repair() {
        #expect(
            Self.lines([0x61, 0xFF, 0x62, 0x0A, 0xC3, 0x0A, 0xE2, 0x82], by: 1) == [
                "a\u{FFFD}b", "\u{FFFD}", "\u{FFFD}",
            ])
    }

    @Test("an endless line is broken between characters")
    func longLines() {
        let lines = Self.lines(Array(String(repeating: "ä", count: 20_000).utf8), by: 1000)
        #expect(lines.count == 3)
        #expect(lines.joined() == String(repeating: "ä", count: 20_000))
    }
}
