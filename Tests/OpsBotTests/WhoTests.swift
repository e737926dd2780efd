import Bellhop
import Testing

@testable import opsbot

@Suite("who")
struct WhoTests {
    @Test("logins are told with where from")
    func recorded() throws {
        #expect(
            WhoReport(try Recorded.program("who")).text == """
                alice on tty1 since 2026-11-28 21:03
                bob on pts/0 since 2026-11-30 06:58 from 2001:db8::17
                carol on pts/1 since Nov 30 06:59 from desk.example.org
                """)
    }

    @Test("an empty list is said, and a long one is cut")
    func bounds() {
        #expect(WhoReport([]).text == "Nobody is logged in.")
        #expect(WhoReport(["", "x", "x y"]).text == "Nobody is logged in.")
        #expect(WhoReport(["x y (z)"]).text == "x on y since  from z")
        #expect(WhoReport((1...50).map { "u\($0) pts/\($0) today" }).text.hasSuffix("\nand 10 more"))
    }
}
