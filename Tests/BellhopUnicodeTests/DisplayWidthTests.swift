import BellhopUnicode
import Testing

@Suite("Display width")
struct DisplayWidthTests {
    @Test(
        "text takes so many columns",
        arguments: [
            ("", 0), ("hello", 5), ("a\tb\u{1b}", 2), ("\r\n", 0), ("é", 1), ("e\u{301}", 1), ("Größe", 5),
            ("日本語", 6), ("ｗ", 2), ("ｱ", 1), ("한글", 4), ("\u{1112}\u{1161}\u{11ab}", 2), ("日a", 3),
            ("😀", 2), ("👩🏽‍💻", 2), ("👨‍👩‍👧‍👦", 2), ("👍🏿", 2), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("❤️", 2), ("❤", 1),
            ("1️⃣", 2), ("#", 1), ("©", 1), ("a\u{200b}b", 2), ("a\u{ad}", 1), ("\u{301}", 0), ("\u{85}", 0),
            ("क्षि", 3), ("שָׁלוֹם", 4), ("…", 1), ("→", 1), ("café 😀!", 8),
        ])
    func widths(text: String, columns: Int) {
        #expect(Preparation.displayWidth(text) == columns)
    }
}
