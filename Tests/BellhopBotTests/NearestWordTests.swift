import BellhopBot
import Testing

@Suite("Nearest word")
struct NearestWordTests {
    private let words = ["account", "admins", "presence", "jid", "env", "limitPerDomain"]

    @Test(
        "a slip of the finger is recognised, another word is not",
        arguments: [
            ("admns", "admins"), ("adminss", "admins"), ("amdins", "admins"), ("ADMINS", "admins"), ("jdi", "jid"),
            ("limit_per_domain", "limitPerDomain"), ("acount", "account"), ("presense", "presence"), ("evn", "env"),
            ("x", nil), ("", nil), ("user", nil), ("administrators", nil), ("ab", nil),
        ] as [(String, String?)])
    func nearest(word: String, found: String?) {
        #expect(NearestWord.find(word, among: words) == found)
    }

    @Test("very long words are not compared")
    func long() {
        #expect(NearestWord.find(String(repeating: "a", count: 100_000), among: words) == nil)
    }
}
