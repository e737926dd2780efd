import BellhopUnicode
import Testing

@Suite("Local parts (UsernameCaseMapped)")
struct UsernameTests {
    @Test(
        "a local part takes its one form",
        arguments: [
            // RFC 7622 section 3.5, table 1, and RFC 8265 section 3.5.
            ("juliet", "juliet"), ("foo\\20bar", "foo\\20bar"), ("fussball", "fussball"), ("fußball", "fußball"),
            ("π", "π"), ("Σ", "σ"), ("σ", "σ"), ("ς", "ς"),
            // Upper case, ASCII and not.
            ("Alice", "alice"), ("ALICE", "alice"), ("ÄRGER", "ärger"), ("ТЕСТ", "тест"), ("ẞ", "ß"),
            // Sigma does not look at its place in the word.
            ("ΣΑΣ", "σασ"), ("σας", "σας"),
            // Turkish: without a language, dotless i stays itself and dotted capital I keeps its dot.
            ("ı", "ı"), ("I", "i"), ("İ", "i\u{307}"),
            // Width, composition, an Å that is a letter with a ring.
            ("ａｌｉｃｅ", "alice"), ("ＡＬＩＣＥ", "alice"), ("ｱ", "ア"), ("e\u{301}", "é"), ("A\u{30a}", "å"),
            // Right to left, alone and with digits at the end.
            ("אב", "אב"), ("אב1", "אב1"), ("שלום", "שלום"), ("مرحبا", "مرحبا"),
            // All that ASCII allows.
            ("!#$%()*+,-.;=?[\\]^_`{|}~09az", "!#$%()*+,-.;=?[\\]^_`{|}~09az"),
            // Context rules that hold (RFC 5892 appendix A).
            ("l·l", "l·l"), ("͵α", "͵α"), ("א׳", "א׳"), ("ア・イ", "ア・イ"), ("न\u{94d}\u{200d}", "न\u{94d}\u{200d}"),
            ("ب\u{200c}ب", "ب\u{200c}ب"), ("〇", "〇"),
        ])
    func prepared(text: String, expected: String) throws {
        let prepared = try Preparation.usernameCaseMapped(text)
        #expect(scalars(prepared) == scalars(expected))
        #expect(scalars(try Preparation.usernameCaseMapped(prepared)) == scalars(prepared))
    }

    @Test(
        "a local part with a character that may not be there is refused, and the character is named",
        arguments: [
            // RFC 7622 section 3.5, table 2.
            ("\"juliet\"", "\""), ("foo bar", " "), ("henry\u{2163}", "\u{2163}"), ("\u{265a}", "\u{265a}"),
            // The characters that only JIDs forbid, plain and full width.
            ("a&b", "&"), ("a'b", "'"), ("a/b", "/"), ("a:b", ":"), ("a<b", "<"), ("a>b", ">"), ("a@b", "@"),
            ("a＠b", "@"), ("ü@", "@"), ("ü b", " "), ("ａ　ｂ", " "),
            // Controls, symbols, punctuation, spaces, emoji.
            ("a\u{0}", "\u{0}"), ("a\n", "\n"), ("a\u{7f}", "\u{7f}"), ("ü\u{1}", "\u{1}"), ("ü\u{85}", "\u{85}"),
            ("ü\u{a0}", "\u{a0}"), ("a…", "…"), ("a€", "€"), ("a\u{1f600}", "\u{1f600}"), ("a„", "„"),
            // Invisible, private, unassigned, noncharacters.
            ("a\u{200b}", "\u{200b}"), ("a\u{ad}", "\u{ad}"), ("a\u{202e}b", "\u{202e}"), ("a\u{feff}", "\u{feff}"),
            ("a\u{e000}", "\u{e000}"), ("a\u{378}", "\u{378}"),
            // Compatibility forms other than width, and old Hangul.
            ("ﬁ", "ﬁ"), ("K\u{212a}", "\u{212a}"), ("x²", "²"), ("\u{1100}", "\u{1100}"),
            // Exceptions and letters that are no letters.
            ("\u{640}", "\u{640}"), ("ǅ", "ǅ"), ("〱", "〱"),
            // Context rules that do not hold.
            ("a·a", "·"), ("·", "·"), ("l·", "·"), ("͵a", "͵"), ("a׳", "׳"), ("a・b", "・"), ("a\u{200d}b", "\u{200d}"),
            ("a\u{200c}b", "\u{200c}"), ("\u{200c}", "\u{200c}"), ("\u{200d}", "\u{200d}"),
            ("ب\u{661}\u{6f1}", "\u{661}"),
        ] as [(String, Unicode.Scalar)])
    func forbidden(text: String, character: Unicode.Scalar) {
        #expect(throws: PreparationFault.forbidden(character)) { try Preparation.usernameCaseMapped(text) }
    }

    @Test(
        "mixed directions are refused",
        arguments: ["אa", "aא", "1א", "א\u{5d0}a\u{5d0}", "אب1\u{661}", "١٢", "א-", "\u{5b0}א"])
    func bidi(text: String) {
        #expect(throws: PreparationFault.bidi) { try Preparation.usernameCaseMapped(text) }
    }

    @Test("noncharacters are refused", arguments: [UInt32(0xfdd0), 0xfffe, 0xffff, 0x10ffff])
    func noncharacters(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(throws: PreparationFault.forbidden(scalar)) { try Preparation.usernameCaseMapped("a\(scalar)") }
        #expect(throws: PreparationFault.forbidden(scalar)) { try Preparation.opaqueString("a\(scalar)") }
        #expect(throws: PreparationFault.forbidden(scalar)) { try Preparation.saslprep("a\(scalar)b") }
    }

    @Test("an empty local part is refused")
    func empty() {
        #expect(throws: PreparationFault.empty) { try Preparation.usernameCaseMapped("") }
    }

    @Test(
        "names that only look alike stay apart",
        arguments: [("paypal", "p\u{430}ypal"), ("o", "ο"), ("i", "ı"), ("ss", "ß"), ("σ", "ς"), ("a", "á")])
    func confusables(first: String, second: String) throws {
        #expect(try Preparation.usernameCaseMapped(first) != Preparation.usernameCaseMapped(second))
    }

    // All blocks but those of the thousands of Han and Hangul characters, which are all alike.
    @Test(
        "no single character traps, and whatever is accepted stays as it is",
        arguments: [UInt32(0)...0x33ff, 0x9f00...0xac0f, 0xd780...0xffff, 0x10000...0x12fff, 0x16000...0x20010])
    func everyScalar(range: ClosedRange<UInt32>) throws {
        for value in range {
            guard let scalar = Unicode.Scalar(value) else { continue }
            guard let prepared = try? Preparation.usernameCaseMapped(String(scalar)) else { continue }
            let again = try Preparation.usernameCaseMapped(prepared)
            guard scalars(again) != scalars(prepared) else { continue }
            Issue.record("U+\(String(value, radix: 16)) becomes \(scalars(prepared)), then \(scalars(again))")
        }
    }
}

/// The code points, since Swift's own equality takes composed and decomposed letters for the same.
func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }
