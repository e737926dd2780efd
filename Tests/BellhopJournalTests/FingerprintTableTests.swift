import Testing

@testable import BellhopJournal

@Suite("FingerprintTable")
struct FingerprintTableTests {
    @Test("it answers as a dictionary does, while it grows and after it was emptied")
    func likeDictionary() {
        var table = FingerprintTable(capacity: 0)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2 {
            var expected: [UInt64: Int64] = [:]
            for row in 0..<3_000 as Range<Int64> {
                // Few different low bits, so that keys compete for the same places.
                let key = generator.next() & 0xFFFF_0000_0000_00FF | 1
                table.insert(key, row)
                expected[key] = row
            }
            #expect(table.count == expected.count)
            #expect(expected.allSatisfy { table[$0.key] == $0.value })
            #expect(table[0xFFFF_FFFF_FFFF_FFFE] == nil)
            table.removeAll()
            #expect(table.count == 0)
            #expect(expected.keys.allSatisfy { table[$0] == nil })
        }
    }

    @Test("no fingerprint is taken for an empty place")
    func zero() {
        var table = FingerprintTable(capacity: 4)
        #expect(table[0] == nil)
        table.insert(0, 7)
        #expect(table[0] == 7)
        #expect(table.count == 1)
    }
}
