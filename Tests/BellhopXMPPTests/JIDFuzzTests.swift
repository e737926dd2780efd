import BellhopXMPP
import Testing

@Suite("JID, hostile")
struct JIDFuzzTests {
    static let seeds = [
        "alice@example.test/phone", "jürgen@münchen.example/😀", "opsbot@[2001:db8::1]/x", "a@192.0.2.10",
        "xn--mnchen-3ya.example", "\u{5D0}\u{5D1}@\u{5D0}.example/\u{200D}", "@/", "a@b@c/d@e/f", "\u{FF20}\u{FF0F}",
    ]
    static let pieces: [Unicode.Scalar] = [
        "@", "/", ".", "-", " ", "a", "A", "\u{0}", "\u{7F}", "\u{AD}", "\u{300}", "\u{5D0}", "\u{661}", "\u{200C}",
        "\u{200D}", "\u{2100}", "\u{3002}", "\u{FF20}", "\u{FFFD}", "\u{FFFF}", "\u{1F600}", "\u{E0001}", "[", ":", "x",
    ]

    @Test("no input traps, and what is read reads back the same", arguments: 0..<8)
    func mutations(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var readable = 0
        for _ in 0..<1500 {
            var scalars = Array((Self.seeds.randomElement(using: &generator) ?? "").unicodeScalars)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0...scalars.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: scalars.insert(Self.pieces.randomElement(using: &generator) ?? "@", at: place)
                case 1: scalars.removeSubrange(place..<min(place + 1, scalars.count))
                case 2: scalars.insert(contentsOf: scalars[..<place], at: place)
                default: scalars.insert(Unicode.Scalar(UInt8.random(in: 0...255, using: &generator)), at: place)
                }
            }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            _ = try? JID(received: String(text))
            _ = try? JIDPattern(String(text))
            guard let jid = try? JID(String(text)) else { continue }
            readable += 1
            let again = try JID(jid.description)
            #expect(again == jid)
            #expect(again.domain == jid.domain)
            #expect(again.local == jid.local)
            #expect(!jid.domain.utf8.contains(UInt8(ascii: "@")))
            #expect(!jid.domain.utf8.contains(UInt8(ascii: "/")))
        }
        #expect(readable > 100)
    }

    @Test("plain ASCII is read alike with and without the short cut")
    func shortCut() throws {
        var generator = SeededGenerator(seed: 99)
        let letters = Array("abz09-.@/ AZ_:~".unicodeScalars)
        for _ in 0..<3000 {
            var plain = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...10, using: &generator) {
                plain.append(letters.randomElement(using: &generator) ?? "a")
            }
            let text = String(plain)
            // A soft way round: a part that is not ASCII sends the whole address through preparation.
            let detour = text.utf8.contains(UInt8(ascii: "/")) ? text + "é" : text + "/é"
            guard let expected = try? JID(detour) else {
                // Only an empty resource is refused on the short way alone, because the detour fills it.
                #expect((try? JID(text)) == nil)
                continue
            }
            guard let jid = try? JID(text) else {
                #expect(text.last == "/" && text.filter { $0 == "/" }.count == 1)
                continue
            }
            #expect(jid.bareText == expected.bareText)
            #expect(jid.local == expected.local)
        }
    }
}
