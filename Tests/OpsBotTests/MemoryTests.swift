import Testing

@testable import opsbot

@Suite("memory")
struct MemoryTests {
    @Test("it says what programs can still have, and the swap")
    func recorded() throws {
        let facts = try #require(MemoryFacts(try Machine.recorded().read("/proc/meminfo")))
        #expect(
            facts.report == """
                Memory 35 %: 5.1 GiB of 7.7 GiB available, 4.8 GiB are copies of files.
                Swap 5 %: 100 MiB of 2.0 GiB in use.
                """)
    }

    @Test("no swap is said")
    func swapless() {
        let facts = MemoryFacts("MemTotal: 2048 kB\nMemFree: 512 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n")
        #expect(facts?.report == "Memory 75 %: 512 KiB of 2.0 MiB available, 0 B are copies of files.\nNo swap.")
    }

    @Test(
        "what is no such table is none",
        arguments: [
            "", "MemTotal:", "MemTotal: x kB\nMemAvailable: 1 kB", "MemTotal: 0 kB\nMemAvailable: 0 kB", ":::\n: 1",
        ])
    func strange(text: String) {
        #expect(MemoryFacts(text) == nil)
    }

    @Test("more than there is counts as all there is")
    func overflow() {
        let text =
            "MemTotal: 18446744073709551615 kB\nMemAvailable: 18446744073709551615 kB\nCached: 18446744073709551615 kB\n"
            + "Buffers: 1 kB\nSwapTotal: 1 kB\nSwapFree: 9 kB\n"
        #expect(MemoryFacts(text)?.report.contains("Memory 0 %") == true)
    }
}
