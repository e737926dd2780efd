import Bellhop
import Testing

@testable import opsbot

@Suite("log")
struct LogTests {
    private let nginx = UnitName(argumentText: "nginx")

    @Test("the last lines are shown, without the marks between boots")
    func recorded() async throws {
        let programs = try RecordedPrograms("journalctl", prints: "journal")
        let request = try LogRequest(try #require(nginx), lines: 2)
        let lines = try await request.answer(of: .recorded(programs: programs)).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("2026-11-29T23:10:01+0000 web1 systemd[1]: Started nginx.service") == true)
        #expect(lines.last?.contains("[warn] 812#812: conflicting server name") == true)
        #expect(
            programs.calls == [
                [
                    "journalctl", "--quiet", "--no-pager", "--output", "short-iso", "--lines", "2", "--unit",
                    "nginx.service",
                ]
            ])
    }

    @Test("an empty log may be one that the bot may not read")
    func empty() async throws {
        let programs = RecordedPrograms { _ in ProgramResult(.exited(0), lines: ["-- No entries --"]) }
        let said = try await LogRequest(try #require(nginx), lines: 5).answer(of: .recorded(programs: programs))
        #expect(
            said
                == "There is nothing in the log of nginx.service, or I may not read it (the group systemd-journal may)."
        )
    }

    @Test("long lines are cut")
    func long() async throws {
        let programs = RecordedPrograms { _ in
            ProgramResult(.exited(0), lines: [String(repeating: "x", count: 1000), String(repeating: "y", count: 400)])
        }
        let said = try await LogRequest(try #require(nginx), lines: 5).answer(of: .recorded(programs: programs))
        #expect(said == String(repeating: "x", count: 400) + "…\n" + String(repeating: "y", count: 400))
    }

    @Test("only so many lines are shown", arguments: [0, -1, 201, Int.max, Int.min])
    func bounds(lines: Int) async throws {
        let unit = try #require(nginx)
        #expect(await sentence { _ = try LogRequest(unit, lines: lines) } == "I show 1 to 200 lines, not \(lines).")
    }

    @Test("without journalctl there is a sentence")
    func missing() async throws {
        let request = try LogRequest(try #require(nginx), lines: 5)
        let said = await sentence { _ = try await request.answer(of: .recorded()) }
        #expect(said == "There is no journalctl on this machine; units need systemd.")
    }
}
