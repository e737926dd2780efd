import BellhopXMPP
import Testing

@Suite("Timestamp")
struct TimestampTests {
    static let readable: [(text: String, milliseconds: Int64)] = [
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59.999Z", -1),
        ("2026-01-02T03:04:05.678Z", 1_767_323_045_678),
        ("2026-01-02T03:04:05Z", 1_767_323_045_000),
        ("2026-01-02T03:04:05.6Z", 1_767_323_045_600),
        ("2026-01-02T03:04:05.6789999999999999Z", 1_767_323_045_678),
        ("2026-01-02T05:04:05+02:00", 1_767_323_045_000),
        ("2026-01-01T19:34:05-07:30", 1_767_323_045_000),
        ("2026-01-02T03:04:05+00:00", 1_767_323_045_000),
        ("2000-02-29T00:00:00Z", 951_782_400_000),
        ("2016-12-31T23:59:60Z", 1_483_228_800_000),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ]

    @Test("a moment is read", arguments: readable)
    func reads(text: String, milliseconds: Int64) {
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    static let unreadable = [
        "", "Z", "2026", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02 03:04:05Z", "2026-01-02T03:04Z",
        "2026-13-02T03:04:05Z", "2026-00-02T03:04:05Z", "2026-02-29T03:04:05Z", "1900-02-29T00:00:00Z",
        "2026-01-00T03:04:05Z", "2026-01-32T03:04:05Z", "2026-04-31T03:04:05Z", "2026-01-02T24:00:00Z",
        "2026-01-02T03:60:05Z", "2026-01-02T03:04:61Z", "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05,1Z",
        "2026-01-02T03:04:05Zx", "2026-01-02T03:04:05+2:00", "2026-01-02T03:04:05+02", "2026-01-02T03:04:05+14:01",
        "2026-01-02T03:04:05+02:60", "2026-01-02T03:04:05+02:00Z", "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z",
        "-026-01-02T03:04:05Z", "2026-01-02T03:04:05.1234567", "20260102T03:04:05", "２０２６-01-02T03:04:05Z",
        "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "2026-01-02T03:04:05 Z", " 2026-01-02T03:04:05Z",
        "9999999999999999999999999999999999999999Z", "2026-01-02T03:04:05.", "2026-01-02T03:04:05+",
    ]

    @Test("everything else is no moment", arguments: unreadable)
    func refuses(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test("every cut of a moment is read or refused, without a trap")
    func cuts() {
        let text = "2026-01-02T03:04:05.678+02:00"
        for length in 0..<text.utf8.count { #expect(Timestamp(String(text.prefix(length))) == nil) }
    }

    @Test("a moment is written in UTC with three decimals")
    func writes() {
        #expect(Timestamp(milliseconds: 0).description == "1970-01-01T00:00:00.000Z")
        #expect(Timestamp(milliseconds: 1_767_323_045_678).description == "2026-01-02T03:04:05.678Z")
        #expect(Timestamp(milliseconds: -1).description == "1969-12-31T23:59:59.999Z")
    }

    @Test("a moment beyond the calendar is written as the nearest inside")
    func clamps() {
        #expect(Timestamp(milliseconds: .max).description == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(milliseconds: .min).description == "0001-01-01T00:00:00.000Z")
    }

    @Test("what is written reads back, over all the years", arguments: 0..<4)
    func roundTrip(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<2000 {
            let milliseconds = Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &generator)
            let timestamp = Timestamp(milliseconds: milliseconds)
            #expect(Timestamp(timestamp.description) == timestamp)
        }
    }

    @Test("moments are counted with, and the ends hold")
    func arithmetic() {
        let moment = Timestamp(milliseconds: 1000)
        #expect(Timestamp(milliseconds: 3500) - moment == .milliseconds(2500))
        #expect(moment + .milliseconds(1500) == Timestamp(milliseconds: 2500))
        #expect(moment - .seconds(2) == Timestamp(milliseconds: -1000))
        #expect(Timestamp(milliseconds: .max) + .seconds(1) == Timestamp(milliseconds: .max))
        #expect(Timestamp(milliseconds: .min) - .seconds(1) == Timestamp(milliseconds: .min))
        #expect(Timestamp(milliseconds: .min) < moment + .seconds(-Int64.max))
        #expect(Timestamp(milliseconds: .max) - Timestamp(milliseconds: .min) > .seconds(1))
    }
}
