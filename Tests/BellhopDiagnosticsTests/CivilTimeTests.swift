import BellhopDiagnostics
import Testing

@Suite("Civil time")
struct CivilTimeTests {
    @Test(
        "a moment is written as RFC 3339 has it",
        arguments: [
            (Int64(0), "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_709_164_800_500, "2024-02-29T00:00:00.500Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (1_796_005_860_123, "2026-11-30T02:31:00.123Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
        ])
    func utc(milliseconds: Int64, text: String) {
        #expect(CivilTime(milliseconds: milliseconds).iso8601 == text)
    }

    @Test(
        "an offset moves the clock and is shown",
        arguments: [
            (3600, "1970-01-01T01:00:00.000+01:00"), (-12_600, "1969-12-31T20:30:00.000-03:30"),
            (50_400, "1970-01-01T14:00:00.000+14:00"),
        ])
    func offset(offset: Int, text: String) {
        #expect(CivilTime(milliseconds: 0, offset: offset).iso8601 == text)
    }

    @Test("no number of milliseconds traps", arguments: [Int64.min, Int64.max, Int64.min + 1, -1000, 999])
    func extremes(milliseconds: Int64) {
        for offset in [-86_400, 0, 86_400] {
            let time = CivilTime(milliseconds: milliseconds, offset: offset)
            #expect((1...12).contains(time.month) && (1...31).contains(time.day))
            #expect((0..<24).contains(time.hour) && (0..<1000).contains(time.millisecond))
        }
    }
}
