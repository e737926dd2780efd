import BellhopDiagnostics
import Testing

@Suite("Visible text")
struct VisibleTextTests {
    @Test(
        "lines end at every kind of line break and hold nothing harmful",
        arguments: [
            ("", [""]), ("a", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb", ["a", "b"]), ("a\rb", ["a", "b"]),
            ("a\r\r\nb\n", ["a", "", "b", ""]), ("\ta", ["    a"]), ("\u{1B}[31mred", ["\\u{1b}[31mred"]),
            ("a\u{2028}b", ["a\\u{2028}b"]), ("\u{9B}2J", ["\\u{9b}2J"]), ("👩‍💻 ok", ["👩‍💻 ok"]),
        ])
    func lines(text: String, lines: [String]) {
        #expect(VisibleText.lines(text) == lines)
    }

    @Test(
        "JSON strings escape what could break a line or move a cursor",
        arguments: [
            ("a\"b\\c", "\"a\\\"b\\\\c\""), ("\n\r\t", "\"\\n\\r\\t\""), ("\u{1B}", "\"\\u001b\""),
            ("\u{7F}\u{85}\u{2028}\u{202E}", "\"\\u007f\\u0085\\u2028\\u202e\""), ("ü😀", "\"ü😀\""),
            ("\u{E0001}", "\"\\udb40\\udc01\""),
        ])
    func json(text: String, json: String) {
        #expect(JSONText.string(text) == json)
    }

    @Test("objects and arrays keep their order")
    func nesting() {
        let object = JSONText.object([("b", "1"), ("a", JSONText.array(["true", "null"]))])
        #expect(object == "{\"b\":1,\"a\":[true,null]}")
    }
}
