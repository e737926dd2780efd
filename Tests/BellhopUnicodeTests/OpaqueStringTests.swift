import BellhopUnicode
import Testing

@Suite("Resources (OpaqueString)")
struct OpaqueStringTests {
    @Test(
        "a resource keeps its case and takes its one form",
        arguments: [
            // RFC 7622 section 3.5, table 1, and RFC 8265 section 4.3.
            ("foo", "foo"), ("foo bar", "foo bar"), ("foo@bar", "foo@bar"), ("\u{265a}", "\u{265a}"),
            ("b@example.net", "b@example.net"), ("Correct Horse Battery Staple", "Correct Horse Battery Staple"),
            ("πßå", "πßå"), ("Jack of \u{2666}s", "Jack of \u{2666}s"), ("foo\u{1680}bar", "foo bar"),
            ("foo\u{a0}bar\u{3000}", "foo bar "), ("e\u{301}", "é"), ("henry\u{2163}", "henry\u{2163}"),
            (" \"&'/:<>@~", " \"&'/:<>@~"), ("ｗｉｄｅ", "ｗｉｄｅ"),
            // Emoji in all their forms, with joiners, skins and flags, older and newer than any table.
            ("\u{1f600}", "\u{1f600}"), ("\u{1f469}\u{1f3fd}\u{200d}\u{1f4bb}", "\u{1f469}\u{1f3fd}\u{200d}\u{1f4bb}"),
            ("\u{2764}\u{fe0f}", "\u{2764}\u{fe0f}"), ("\u{1f1e9}\u{1f1ea}", "\u{1f1e9}\u{1f1ea}"),
            ("\u{1faea}", "\u{1faea}"), ("\u{1fbff}", "\u{1fbff}"), ("\u{378}", "\u{378}"), ("\u{e000}", "\u{e000}"),
            ("אa1", "אa1"), ("\u{200b}", "\u{200b}"),
        ])
    func prepared(text: String, expected: String) throws {
        let prepared = try Preparation.opaqueString(text)
        #expect(scalars(prepared) == scalars(expected))
        #expect(scalars(try Preparation.opaqueString(prepared)) == scalars(prepared))
    }

    @Test(
        "control characters are refused and named",
        arguments: [
            ("my cat is a \tby", "\t"), ("\u{0}", "\u{0}"), ("a\u{7f}", "\u{7f}"), ("ü\u{7f}", "\u{7f}"),
            ("ü\n", "\n"), ("a\u{85}", "\u{85}"),
        ] as [(String, Unicode.Scalar)])
    func forbidden(text: String, character: Unicode.Scalar) {
        #expect(throws: PreparationFault.forbidden(character)) { try Preparation.opaqueString(text) }
    }

    @Test("an empty resource is refused")
    func empty() {
        #expect(throws: PreparationFault.empty) { try Preparation.opaqueString("") }
    }
}

@Suite("Passwords (SASLprep)")
struct SASLprepTests {
    @Test(
        "a password takes its one form",
        arguments: [
            // RFC 4013 section 3.
            ("I\u{ad}X", "IX"), ("user", "user"), ("USER", "USER"), ("\u{aa}", "a"), ("\u{2168}", "IX"),
            // Mapped to a space, and to nothing.
            ("a\u{a0}b", "a b"), ("a\u{3000}b", "a b"), ("p\u{200b}q", "p q"), ("a\u{feff}b", "ab"),
            // NFKC.
            ("e\u{301}", "é"), ("ﬁ", "fi"), ("ｗ", "w"), ("pass wörd", "pass wörd"), (" !\"#~", " !\"#~"),
            // Unknown to Unicode 3.2.
            ("\u{1f600}", "\u{1f600}"), ("a\u{221}b", "a\u{221}b"),
            // Right to left at both ends.
            ("אב", "אב"), ("\u{627}1\u{628}", "\u{627}1\u{628}"),
        ])
    func prepared(text: String, expected: String) throws {
        #expect(scalars(try Preparation.saslprep(text)) == scalars(expected))
    }

    @Test(
        "prohibited characters are refused and named",
        arguments: [
            ("\u{7}", "\u{7}"), ("a\u{7f}", "\u{7f}"), ("ü\u{7}", "\u{7}"), ("ü\u{80}b", "\u{80}"),
            ("a\u{e000}b", "\u{e000}"), ("a\u{fffd}", "\u{fffd}"), ("a\u{200e}", "\u{200e}"),
            ("a\u{2ff0}", "\u{2ff0}"), ("a\u{e0001}b", "\u{e0001}"),
        ] as [(String, Unicode.Scalar)])
    func forbidden(text: String, character: Unicode.Scalar) {
        #expect(throws: PreparationFault.forbidden(character)) { try Preparation.saslprep(text) }
    }

    @Test("mixed directions are refused", arguments: ["\u{627}1", "אa", "aא", "\u{627}a\u{628}"])
    func bidi(text: String) {
        #expect(throws: PreparationFault.bidi) { try Preparation.saslprep(text) }
    }

    @Test("nothing is refused, before and after", arguments: ["", "\u{ad}", "\u{feff}\u{ad}"])
    func empty(text: String) {
        #expect(throws: PreparationFault.empty) { try Preparation.saslprep(text) }
    }

    @Test("text that grows when it is normalised fits")
    func growth() throws {
        // One character of 18 in its compatibility form.
        let ligature = String(repeating: "\u{fdfa}", count: 100)
        #expect(try Preparation.saslprep(ligature).unicodeScalars.count == 1800)
    }
}
