import Testing

@testable import opsbot

@Suite("top")
struct TopTests {
    @Test("it tells who was busy between two looks, and who is large")
    func recorded() throws {
        let first = Machine.recorded()
        let report = TopReport(from: try ProcessTable(first), to: try ProcessTable(.recorded("later")))
        #expect(
            report.text(count: 3, of: first) == """
                Busiest:
                116 % postgres (1033)
                25 % newcomer (2200)
                11 % nginx: worker (812)
                Largest:
                160 MiB postgres (1033)
                24.3 MiB nginx: worker (812)
                12.0 MiB systemd (1)
                """)
    }

    @Test("a process that has taken the number of another begins anew, and one that ended has no size")
    func reused() throws {
        let report = TopReport(from: try ProcessTable(.recorded()), to: try ProcessTable(.recorded("later")))
        let newcomer = try #require(report.rows.first { $0.number == 2200 })
        #expect(newcomer.name == "newcomer")
        #expect(newcomer.use == 25)
        #expect(report.text(count: 9, of: .recorded()).contains("ended: newcomer (2200)"))
    }

    @Test("a look that is no later than the other shows nobody busy")
    func backwards() throws {
        let later = try ProcessTable(.recorded("later"))
        let text = TopReport(from: later, to: try ProcessTable(.recorded())).text(count: 2, of: .recorded())
        #expect(text.hasPrefix("No process was busy for the last second.\nLargest:\n"))
        #expect(TopReport(from: later, to: later).rows.allSatisfy { $0.use == 0 })
    }

    @Test("a name may hold blanks and brackets")
    func names() throws {
        let table = try ProcessTable(.recorded())
        #expect(table.processes[940]?.name == "tricky) S 1 (name")
        #expect(table.processes[940]?.ticks == 200)
        #expect(table.processors == Processors(count: 2, ticks: 3_322_419))
    }

    @Test(
        "strange lines are no process",
        arguments: ["", "1", "1 (a) S", ")(", "1 (a", "1 (a) S 1 1 1 0 -1 0 0 0 0 0 x 1 0 0 20 0 1 0 5 6 7 8"])
    func strange(line: String) {
        #expect(ProcessTable.Process(line) == nil)
    }

    @Test("huge and negative numbers do no harm")
    func numbers() throws {
        let line = "1 (a) S 1 1 1 0 -1 0 0 0 0 0 18446744073709551615 2 0 0 20 0 1 0 5 6 -7 8"
        let process = try #require(ProcessTable.Process(line))
        #expect(process == .init(name: "a", start: 5, ticks: 1, pages: 0))
    }
}
