import BellhopXMPP
import Testing

@Suite("AddressCache")
struct AddressCacheTests {
    @Test(
        "an address is read as without it, the first time and every other",
        arguments: [
            "alice@example.test", "alice@example.test/phone", "Alice@Example.TEST/Phone", "example.test", "",
            "@example.test", "alice@", "alice@example.test/\u{212A}", "alice@example.test/K", "müller@example.test",
            "alice@example.test/" + String(repeating: "x", count: 400),
        ])
    func sameAsReading(text: String) {
        var cache = AddressCache()
        let expected = try? JID(received: text)
        for _ in 0..<3 { #expect(cache.jid(text) == expected) }
    }

    @Test("texts that are equal to Swift and differ in their bytes are not mixed up")
    func equivalents() {
        var cache = AddressCache()
        // The Kelvin sign is canonically equivalent to K.
        let plain = "alice@example.test/K"
        let kelvin = "alice@example.test/\u{212A}"
        #expect(plain == kelvin)
        for text in [plain, kelvin, plain, kelvin] {
            #expect(
                cache.jid(text)?.resource.map { Array($0.utf8) }
                    == (try? JID(received: text))?.resource.map { Array($0.utf8) })
        }
    }

    @Test("many more persons than there are places are all told apart")
    func crowd() {
        var cache = AddressCache()
        for _ in 0..<2 {
            for number in 0..<5_000 {
                #expect(cache.jid("person\(number)@example.test/r")?.local == "person\(number)")
            }
        }
    }
}
