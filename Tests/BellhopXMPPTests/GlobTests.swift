import BellhopXMPP
import Testing

@Suite("Glob and JIDPattern")
struct GlobTests {
    static let fitting: [(pattern: String, text: String)] = [
        ("", ""), ("*", ""), ("*", "anything"), ("**", "x"), ("a", "a"), ("a*", "a"), ("*a", "bca"), ("a*c", "abbbc"),
        ("a?c", "abc"), ("?", "é"), ("?", "😀"), ("*?", "😀"), ("a*b*c", "aXbXbYc"), ("*.example", "a.b.example"),
        ("*aab", "aaaab"), ("é*", "éa"), ("*é?", "aéé😀"),
    ]
    static let unfitting: [(pattern: String, text: String)] = [
        ("", "a"), ("a", ""), ("?", ""), ("a", "ab"), ("a*", "ba"), ("*a", "ab"), ("a?c", "ac"), ("a?c", "abbc"),
        ("??", "é"), ("?*?", "😀"), ("*.example", "example"), ("A", "a"), ("a*b*c", "acb"), ("e\u{301}", "é"),
    ]

    @Test("a pattern fits", arguments: fitting)
    func fits(pattern: String, text: String) {
        #expect(Glob(pattern).matches(text))
    }

    @Test("a pattern does not fit", arguments: unfitting)
    func doesNotFit(pattern: String, text: String) {
        #expect(!Glob(pattern).matches(text))
    }

    @Test("many stars do not make a long text cost more than pattern times text")
    func noBlowUp() {
        let text = String(repeating: "a", count: 3000)
        #expect(!Glob(String(repeating: "*a", count: 300) + "*b").matches(text))
        #expect(!Glob(String(repeating: "a*", count: 300) + "b").matches(text))
        #expect(Glob(String(repeating: "*", count: 3000)).matches(text))
    }

    static let people: [(pattern: String, jid: String, fits: Bool)] = [
        ("example.test", "alice@example.test", true),
        ("example.test", "alice@example.test/phone", true),
        ("example.test", "eve@sub.example.test", false),
        ("example.test", "eve@example.test.evil.example", false),
        ("example.test", "eve@notexample.test", false),
        ("*.example.test", "eve@sub.example.test", true),
        ("*.example.test", "eve@example.test", false),
        ("*", "anybody@anywhere.example", true),
        ("*", "anywhere.example", true),
        ("alice@example.test", "alice@example.test/x", true),
        ("Alice@Example.TEST", "alice@example.test", true),
        ("*@Example.ORG", "alice@example.org", true),
        ("*@example.org", "example.org", false),
        ("*@*", "alice@example.org", true),
        ("user?@spam.example", "user1@spam.example", true),
        ("user?@spam.example", "user12@spam.example", false),
        ("*@*.EXAMPLE", "a@b.example", true),
        ("*@MÜNCHEN.example", "a@xn--mnchen-3ya.example", true),
        ("*@*.MÜNCHEN.example", "a@b.münchen.example", true),
        ("JÜRGEN@*", "jürgen@b.example", true),
        ("192.0.2.*", "a@192.0.2.10", true),
    ]

    @Test("with an @ a pattern is held against the bare address, without one against the domain", arguments: people)
    func fitsPeople(pattern: String, jid: String, fits: Bool) throws {
        #expect(try JIDPattern(pattern).matches(JID(jid)) == fits)
    }

    @Test("a pattern that can fit nothing is refused")
    func refused() {
        #expect(throws: JIDError.empty) { try JIDPattern("") }
        #expect(throws: JIDError.forbidden(.domain, "/")) { try JIDPattern("alice@example.test/phone") }
        #expect(throws: JIDError.emptyPart(.domain)) { try JIDPattern("alice@") }
        #expect(throws: JIDError.emptyPart(.local)) { try JIDPattern("@example.test") }
        #expect(throws: JIDError.forbidden(.local, " ")) { try JIDPattern("a b@*") }
        #expect(throws: JIDError.forbidden(.domain, " ")) { try JIDPattern("*. x") }
        #expect(throws: JIDError.forbidden(.domain, "@")) { try JIDPattern("a@b@*") }
        #expect(throws: JIDError.emptyPart(.domain)) { try JIDPattern("*..example") }
        #expect(throws: JIDError.invalidDomain) { try JIDPattern("exa mple.test") }
    }
}
