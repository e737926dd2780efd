import Testing

@testable import opsbot

@Suite("uptime")
struct UptimeTests {
    @Test("it says for how long, and the load beside the number of processors")
    func recorded() throws {
        let report = try UptimeReport(.recorded())
        #expect(report.uptime == 1_054_327)
        #expect(
            report.text == """
                Up 12 days 4 h.
                Load 2.31, 2.24, 1.90 (1, 5, 15 minutes) on 2 CPUs; more wants to run than can.
                """)
    }

    @Test("a machine with time to spare is not called busy")
    func calm() throws {
        var report = try UptimeReport(.recorded())
        report.loads = ["3.00", "0.99", "0.10"]
        report.processors = 1
        #expect(report.text.hasSuffix("Load 3.00, 0.99, 0.10 (1, 5, 15 minutes) on 1 CPU."))
    }

    @Test("a machine without such files is answered with a sentence")
    func missing() async {
        let said = await sentence { _ = try UptimeReport(.recorded("nothing")) }
        #expect(said == "/proc/uptime can't be read: there is no such file.")
    }
}
