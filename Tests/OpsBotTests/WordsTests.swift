import Testing

@testable import opsbot

@Suite("Amounts, times and shares")
struct WordsTests {
    @Test(
        "bytes are said in a few digits and a unit",
        arguments: [
            (0, "0 B"), (1, "1 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (10_240, "10.0 KiB"),
            (102_348, "99.9 KiB"), (102_400, "100 KiB"), (1_023_999, "1000 KiB"), (1_048_575, "1.0 MiB"),
            (1_048_576, "1.0 MiB"), (13_029_376, "12.4 MiB"), (1_073_741_824, "1.0 GiB"),
            (98 * 1_073_741_824, "98.0 GiB"), (120 * 1_073_741_824, "120 GiB"), (1_099_511_627_776, "1.0 TiB"),
            (UInt64.max, "16.0 EiB"),
        ] as [(UInt64, String)])
    func bytes(amount: UInt64, text: String) {
        #expect(ByteText.show(amount) == text)
    }

    @Test(
        "times are said in their two largest parts",
        arguments: [
            (0, "0 s"), (59, "59 s"), (60, "1 min"), (61, "1 min 1 s"), (3599, "59 min 59 s"), (3600, "1 h"),
            (16_647, "4 h 37 min"), (86_400, "1 day"), (1_054_327, "12 days 4 h"),
            (UInt64.max, "213503982334601 days 7 h"),
        ] as [(UInt64, String)])
    func times(seconds: UInt64, text: String) {
        #expect(TimeText.show(seconds: seconds) == text)
    }

    @Test(
        "shares are rounded up and never leave 0 to 100",
        arguments: [
            (0, 0, 0), (5, 0, 0), (0, 10, 0), (1, 1_000_000, 1), (1, 2, 50), (899, 1000, 90), (901, 1000, 91),
            (10, 10, 100),
            (11, 10, 100), (UInt64.max, UInt64.max, 100), (UInt64.max, 1, 100),
        ] as [(UInt64, UInt64, Int)])
    func shares(part: UInt64, whole: UInt64, percent: Int) {
        #expect(Share(part, of: whole).percent == percent)
        #expect(Share(part, of: whole).description == "\(percent) %")
    }
}
