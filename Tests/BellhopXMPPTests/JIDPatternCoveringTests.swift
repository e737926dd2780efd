import BellhopXMPP
import Testing

@Suite("One pattern within another")
struct JIDPatternCoveringTests {
    static let covered: [(String, String)] = [
        ("a@x.example", "a@x.example"), ("a@x.example", "A@X.Example"), ("*@x.example", "a@x.example"),
        ("x.example", "a@x.example"), ("x.example", "*@x.example"), ("*@x.example", "x.example"), ("*", "a@x.example"),
        ("*", "*"), ("*.example", "x.example"), ("*.example", "*.x.example"), ("?@x.example", "a@x.example"),
        ("a?@x.example", "a?@x.example"), ("**@x.example", "x.example"), ("*a*@x.example", "ba?@x.example"),
        ("*", "**"), ("*@*", "*"),
    ]
    static let open: [(String, String)] = [
        ("a@x.example", "b@x.example"), ("a@x.example", "a@y.example"), ("a@x.example", "x.example"),
        ("a@x.example", "*@x.example"), ("?@x.example", "*@x.example"), ("x.example", "sub.x.example"),
        ("*.example", "*"), ("*.x.example", "x.example"), ("a*@x.example", "*a@x.example"), ("?", "*"),
        ("a?@x.example", "a*@x.example"), ("x.example", "a@x.example.evil.example"), ("*@x.example", "*"),
    ]

    @Test("whoever the second lets in is let in by the first", arguments: covered)
    func covers(wide: String, narrow: String) throws {
        #expect(try JIDPattern(wide).covers(try JIDPattern(narrow)))
    }

    @Test("where somebody would be left out, it does not cover", arguments: open)
    func leaves(wide: String, narrow: String) throws {
        #expect(try !JIDPattern(wide).covers(try JIDPattern(narrow)))
    }

    @Test("a pattern that covers fits everything that the covered one does")
    func sound() throws {
        let patterns = ["*", "?", "a", "a*", "*a", "*a*", "a?", "?a", "ab", "*b?", "a*b", "?*", "**", "*?*"].map(
            Glob.init)
        var texts = [""]
        for _ in 0..<4 { texts += texts.flatMap { text in ["a", "b"].map { text + $0 } } }
        for wide in patterns {
            for narrow in patterns where wide.covers(narrow) {
                for text in texts where narrow.matches(text) {
                    #expect(wide.matches(text), "\(wide.pattern) \(narrow.pattern) \(text)")
                }
            }
        }
    }
}
