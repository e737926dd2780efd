import Bellhop
import Testing

@Suite("Configuration text")
struct ConfigurationTextTests {
    private func read(_ text: String) throws(JSONFault) -> JSONNode { try ConfigurationText.read(Array(text.utf8)) }

    /// The tree without positions, as JSON.
    static func shape(_ node: JSONNode) -> String {
        switch node.value {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text): text
        case .string(let text): text.debugDescription
        case .array(let elements): "[" + elements.map { shape($0) }.joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\($0.key.debugDescription):\(shape($0.node))" }.joined(separator: ",") + "}"
        }
    }

    @Test(
        "JSON with comments and trailing commas is read",
        arguments: [
            ("{}", "{}"), ("[]", "[]"), (" \t\r\n{ } ", "{}"), ("true", "true"), ("false", "false"), ("null", "null"),
            ("[1, -0, 0.5, 1e3, -12.5E-7]", "[1,-0,0.5,1e3,-12.5E-7]"),
            ("{\"a\": 1, \"b\": [true, null,],}", "{\"a\":1,\"b\":[true,null]}"),
            ("{\"a\": 1, \"a\": 2}", "{\"a\":1,\"a\":2}"),
            ("// c\n{/* d */\"a\"/**/:/***/1/* // */,// e\n}// f", "{\"a\":1}"),
            ("[\"// no comment\", \"/* nor this */\"]", "[\"// no comment\",\"/* nor this */\"]"),
            ("\u{FEFF}{\"a\": 1}", "{\"a\":1}"),
            (
                #""\" \\ \/ \b \f \n \r \t \u00fc \uD83D\uDE00 \u0000""#,
                "\" \\ / \u{8} \u{C} \n \r \t ü 😀 \u{0}".debugDescription
            ),
            ("\"a b#c\\\"'&<>$\\\\\\\\ü\"", "a b#c\"'&<>$\\\\ü".debugDescription),
        ])
    func right(text: String, shape: String) throws {
        #expect(Self.shape(try read(text)) == shape)
    }

    @Test("a value knows its line and its column")
    func positions() throws {
        let node = try read("{\r\n  \"ä😀\": [1,\n\t\"x\"],\n}")
        guard case .object(let members) = node.value, let member = members.first,
            case .array(let elements) = member.node.value
        else {
            Issue.record("no object")
            return
        }
        #expect(node.position == TextPosition(line: 1, column: 1))
        #expect(member.position == TextPosition(line: 2, column: 3))
        #expect(member.node.position == TextPosition(line: 2, column: 9))
        #expect(elements.map(\.position) == [.init(line: 2, column: 10), .init(line: 3, column: 2)])
    }

    @Test(
        "what is no JSON is refused where it is wrong",
        arguments: [
            ("", JSONFault.Kind.empty, 1, 1), (" \n ", .empty, 2, 2), ("{,}", .expectedKey, 1, 2),
            ("[,]", .expectedValue, 1, 2), ("[1,,]", .expectedValue, 1, 4), ("[1 2]", .expectedCommaOrEnd(.list), 1, 4),
            ("[1}", .expectedCommaOrEnd(.list), 1, 3), ("{\"a\" 1}", .expectedColon, 1, 6),
            ("{\"a\":}", .expectedValue, 1, 6),
            ("{\"a\":1", .unclosed(.object, opened: .init(line: 1, column: 1)), 1, 7),
            ("[\n[1,", .unclosed(.list, opened: .init(line: 2, column: 1)), 2, 4), ("}", .expectedValue, 1, 1),
            ("\"a", .unclosedString, 1, 1), ("\"a\nb\"", .lineBreakInString, 1, 1),
            ("\"a\tb\"", .controlCharacterInString, 1, 3), ("\"\\x\"", .unknownEscape, 1, 2),
            ("\"\\", .unknownEscape, 1, 2), ("\"\\u12\"", .incompleteUnicodeEscape, 1, 2),
            ("\"\\u00g0\"", .incompleteUnicodeEscape, 1, 2), ("\"\\uD83D\"", .loneSurrogate, 1, 2),
            ("\"\\uDE00\"", .loneSurrogate, 1, 2), ("\"\\uD83D\\u0041\"", .loneSurrogate, 1, 2),
            ("\"\\uD83D\\uD83D\"", .loneSurrogate, 1, 2), ("\"\\u٣٣٣٣\"", .incompleteUnicodeEscape, 1, 2),
            ("01", .malformedNumber, 1, 1), ("+1", .expectedValue, 1, 1), ("1.", .malformedNumber, 1, 1),
            (".5", .expectedValue, 1, 1), ("-", .malformedNumber, 1, 1), ("1e", .malformedNumber, 1, 1),
            ("30s", .malformedNumber, 1, 1), ("True", .unquotedText, 1, 1), ("nullx", .unquotedText, 1, 1),
            ("'a'", .singleQuotes, 1, 1), ("/* a", .unclosedComment, 1, 1), ("/ a", .expectedValue, 1, 1),
            ("{} x", .textAfterEnd, 1, 4), ("{} {}", .textAfterEnd, 1, 4), ("\u{A0}{}", .expectedValue, 1, 1),
        ])
    func wrong(text: String, kind: JSONFault.Kind, line: Int, column: Int) {
        #expect(throws: JSONFault(kind, at: .init(line: line, column: column))) { try read(text) }
    }

    @Test(
        "bytes that are no UTF-8 are refused where they stand",
        arguments: [
            ([0x7B, 0x0A, 0x22, 0xFF], JSONFault.Kind.notUTF8, 2, 2), ([0xFF, 0xFE, 0x7B, 0x00], .otherEncoding, 1, 1),
            ([0xFE, 0xFF, 0x00, 0x7B], .otherEncoding, 1, 1), ([0x22, 0xED, 0xA0, 0x80, 0x22], .notUTF8, 1, 2),
            ([0x22, 0xC0, 0xAF, 0x22], .notUTF8, 1, 2),
        ] as [([UInt8], JSONFault.Kind, Int, Int)])
    func encoding(bytes: [UInt8], kind: JSONFault.Kind, line: Int, column: Int) {
        #expect(throws: JSONFault(kind, at: .init(line: line, column: column))) { try ConfigurationText.read(bytes) }
    }

    @Test("depth and size have limits")
    func limits() throws {
        let depth = ConfigurationText.depthLimit
        let nested = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        _ = try read(nested(depth))
        #expect(throws: JSONFault(.tooDeep(depth), at: .init(line: 1, column: depth + 1))) {
            try read(nested(depth + 1))
        }
        #expect(throws: JSONFault.self) { try read(String(repeating: "{\"a\":[", count: 100_000)) }
        let large = [UInt8](repeating: 0x20, count: ConfigurationText.sizeLimit + 1)
        #expect(throws: JSONFault(.tooLarge(ConfigurationText.sizeLimit), at: .init(line: 1, column: 1))) {
            try ConfigurationText.read(large)
        }
    }

    @Test("no description of a tree shows its texts")
    func hidden() throws {
        let node = try read("{\"account\": {\"password\": \"hunter2\"}}")
        var dumped = ""
        dump(node, to: &dumped)
        for text in ["\(node)", String(reflecting: node), dumped] { #expect(!text.contains("hunter2")) }
    }

    @Test("no mutation of a configuration traps the reader, and every tree can be checked", arguments: 0..<8)
    func mutations(seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        let original = Array(
            """
            // comment
            {"account": {"jid": "bot@example.org", "password": "a\\u00fc\\uD83D\\uDE00", "server": {"host": "::1", "port": 1}},
             "admins": ["you@example.org",], "subscriptions": {"rules": [{"match": "*@x", "action": "ask", /* c */ "limit": {"count": 1, "per": "1m"}}]},
             "commands": {"loopBrake": false, "inputLimit": 1e9}, "presence": {"priority": -1.5}}
            """.utf8)
        let alphabet =
            Array("{}[]\":,\\/*'u0-+eE.\n\r\t DdFf9".utf8) + [0x00, 0x7F, 0x80, 0xBF, 0xC3, 0xED, 0xF0, 0xFF]
        for _ in 0..<400 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let byte = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = byte
                case 1: bytes.insert(byte, at: place)
                case 2: bytes.remove(at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + 20))
                }
                if bytes.isEmpty { bytes = [byte] }
            }
            var surroundings = FakeSurroundings()
            surroundings.files["bot.json"] = FileContents(bytes: bytes, mode: 0o600)
            let result = ConfigurationLoader(bot: "b", surroundings: surroundings).load(file: "bot.json")
            if case .failure(let report) = result {
                #expect(!report.lines.isEmpty)
                #expect(report.lines.allSatisfy { !$0.contains("\n") })
            }
        }
    }

    @Test("a configuration cut off anywhere is refused and not a trap")
    func prefixes() {
        let text = Array("{\"a\": [1, \"\\u00fc\\uD83D\\uDE00\", /* c */ true, // d\n {\"b\": null}]}".utf8)
        for length in 0..<text.count {
            #expect(throws: JSONFault.self) { try ConfigurationText.read(Array(text[..<length])) }
        }
    }
}

/// A small random source that gives the same numbers for the same seed.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
