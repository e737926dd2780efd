import Testing

@testable import BellhopBot

@Suite("Cutting long texts")
struct TextSplitterTests {
    static func parts(_ text: String, _ characters: Int, bytes: Int = .max / 4) -> [TextSplitter.Part] {
        var splitter = TextSplitter(text)
        var parts: [TextSplitter.Part] = []
        while let part = splitter.next(TextSize(characters: characters, bytes: bytes)) { parts.append(part) }
        return parts
    }

    static func messages(_ text: String, _ characters: Int, bytes: Int = .max / 4) -> [String] {
        parts(text, characters, bytes: bytes).map(\.message).filter { !$0.isEmpty }
    }

    struct Case: Sendable {
        var name: String
        var text: String
        var limit: Int
        var messages: [String]
    }

    private static let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"
    private static let flag = "\u{1F1E9}\u{1F1EA}"

    static let cases = [
        Case(name: "what fits", text: "one\ntwo", limit: 7, messages: ["one\ntwo"]),
        Case(name: "nothing", text: "", limit: 7, messages: []),
        Case(name: "line ends", text: "one\ntwo\nthree\n", limit: 8, messages: ["one\ntwo", "three\n"]),
        Case(name: "CRLF", text: "one\r\ntwo\r\nthree", limit: 8, messages: ["one\r\ntwo", "three"]),
        Case(
            name: "empty lines at the seam", text: "one\ntwo\n\n\n\nthree", limit: 9, messages: ["one\ntwo", "three"]),
        Case(name: "empty lines inside", text: "a\n\n\nb\nccccc", limit: 6, messages: ["a\n\n\nb", "ccccc"]),
        Case(name: "indentation behind a seam", text: "one one\n  two", limit: 9, messages: ["one one", "  two"]),
        Case(name: "words", text: "one two three four", limit: 9, messages: ["one two", "three", "four"]),
        Case(
            name: "a blank at the very end of a part", text: "four five six", limit: 9, messages: ["four five", "six"]),
        Case(name: "a long word", text: "a bcdefghijkl", limit: 6, messages: ["a bcde", "fghijk", "l"]),
        Case(name: "a word that fits into the next", text: "ab cdefgh", limit: 6, messages: ["ab", "cdefgh"]),
        Case(name: "a line that fits into the next", text: "a\nbbbb bb", limit: 7, messages: ["a", "bbbb bb"]),
        Case(
            name: "a short line before one that must be cut anyway", text: "a\nbbb bbb bbb bbb bbb", limit: 8,
            messages: ["a\nbbb", "bbb bbb", "bbb bbb"]),
        Case(
            name: "emoji", text: String(repeating: family, count: 5), limit: 2,
            messages: [family + family, family + family, family]),
        Case(
            name: "flags", text: String(repeating: flag, count: 3), limit: 2, messages: [flag + flag, flag]),
        Case(
            name: "combining marks", text: "e\u{301}e\u{301}e\u{301}", limit: 2,
            messages: ["e\u{301}e\u{301}", "e\u{301}"]),
        Case(name: "from right to left", text: "שלום עולם שלום", limit: 9, messages: ["שלום עולם", "שלום"]),
        Case(name: "nothing but white space", text: "\n \n \n \n", limit: 3, messages: []),
        Case(
            name: "a code block", text: "```swift\nlet a\nlet b\nlet c\n```\nend", limit: 25,
            messages: ["```swift\nlet a\nlet b\n```", "```swift\nlet c\n```\nend"]),
        Case(
            name: "a code block that just fits", text: "```\na\nb\n```\nend", limit: 11,
            messages: ["```\na\nb\n```", "end"]),
        Case(
            name: "no empty block at the end of a part", text: "some words\n```\ncode\n```", limit: 18,
            messages: ["some words", "```\ncode\n```"]),
        Case(
            name: "a block of four backticks holds three", text: "````\n```\nabcdef\n```\nx\n````", limit: 21,
            messages: ["````\n```\nabcdef\n````", "````\n```\nx\n````"]),
        Case(
            name: "empty lines in a block stay", text: "```\na\n\nb\nc\n```", limit: 12,
            messages: ["```\na\n\nb\n```", "```\nc\n```"]),
        Case(
            name: "a block that nobody closes", text: "```\naaaa\nbbbb", limit: 12,
            messages: ["```\naaaa\n```", "```\nbbbb"]),
        Case(
            name: "a long line in a block", text: "```\n0123456789\n```", limit: 14,
            messages: ["```\n012345\n```", "```\n6789\n```"]),
        Case(
            name: "a fence with a word behind it closes nothing", text: "```\na\n``` b", limit: 20,
            messages: ["```\na\n``` b"]),
        Case(name: "inline code is no block", text: "```a``` bb cc", limit: 8, messages: ["```a```", "bb cc"]),
    ]

    @Test("each text is cut where a person would", arguments: cases)
    func cut(example: Case) {
        #expect(Self.messages(example.text, example.limit) == example.messages, "\(example.name)")
    }

    @Test("a single monstrous character is cut between its scalars")
    func monster() {
        let text = "a" + String(repeating: "\u{301}", count: 10_000) + "b"
        #expect(text.count == 2)
        let parts = Self.parts(text, 100, bytes: 400)
        #expect(parts.count > 50)
        #expect(parts.allSatisfy { $0.message.utf8.count <= 400 })
        #expect(parts.map(\.piece).joined().unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test("bytes bound a part as characters do")
    func bytes() {
        let text = String(repeating: Self.family, count: 100)
        let messages = Self.messages(text, 2_000, bytes: 100)
        #expect(messages.allSatisfy { $0 == String(repeating: Self.family, count: 5) })
        #expect(messages.count == 20)
    }

    @Test("100,000 characters in one line")
    func oneLine() {
        let text = String(repeating: "x", count: 100_000)
        let messages = Self.messages(text, 2_000, bytes: 8_000)
        #expect(messages.count == 50)
        #expect(messages.joined() == text)
    }

    @Test("a fence is three to sixteen backticks, and its word is kept unless it is very long")
    func fences() {
        #expect(CodeFence(opening: "```")?.opening == "```\n")
        #expect(CodeFence(opening: "  ```` swift  4")?.opening == "````swift\n")
        #expect(CodeFence(opening: "``` " + String(repeating: "s", count: 25))?.opening == "```\n")
        for line in ["``", "    ```", "```a`", "x```", String(repeating: "`", count: 17)] {
            #expect(CodeFence(opening: line[...]) == nil, "\(line)")
        }
        #expect(CodeFence(opening: "````")?.isClosed(by: "```") == false)
        #expect(CodeFence(opening: "```")?.isClosed(by: "````  ") == true)
    }

    /// Pieces of which texts are put together that are hard to cut.
    private static let pieces = [
        "a", "word", " ", "  ", "\n", "\n\n", "\r\n", "\t", "```\n", "```swift\n", "\n```\n", "````\n", "`x", family,
        flag,
        "e\u{301}", "שלום", "\u{202E}", "\u{2028}", "\u{200D}", "\u{301}", "<&>", "0123456789012345678901234567890",
    ]

    @Test("whatever the text and the limit: the pieces are the text, no message is too long, every block is closed")
    func property() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<3_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                text += Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)]
            }
            let limit = TextSize(
                characters: Int.random(in: 60...100, using: &random), bytes: Int.random(in: 100...400, using: &random))
            let parts = Self.parts(text, limit.characters, bytes: limit.bytes)
            #expect(
                parts.map(\.piece).joined().unicodeScalars.elementsEqual(text.unicodeScalars),
                "\(text.debugDescription)")
            for part in parts {
                #expect(TextSize(part.message).fits(in: limit), "\(limit) \(text.debugDescription)")
            }
            // What starts in the middle of a line may look like a fence and is none.
            for (part, before) in zip(parts.dropFirst().dropLast(), parts)
            where before.piece.last?.isNewline == true {
                #expect(Self.isClosed(part.message), "\(limit) \(text.debugDescription)")
            }
            // Only white space at seams and the fences put there are not the text's own.
            #expect(Self.letters(parts.map(\.message).joined()) == Self.letters(text), "\(text.debugDescription)")
        }
    }

    private static func letters(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { !$0.properties.isWhitespace && !"`swift".unicodeScalars.contains($0) }
    }

    private static func isClosed(_ message: String) -> Bool {
        var fence: CodeFence?
        for line in message.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            fence = CodeFence.after(line, inside: fence)
        }
        return fence == nil
    }
}
