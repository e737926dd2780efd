import Bellhop
import Testing

@testable import opsbot

@Suite("unit, failed and restart")
struct UnitTests {
    private func name(_ text: String) throws -> UnitName { try #require(UnitName(argumentText: text)) }

    @Test(
        "a unit's state is said in a few lines",
        arguments: [
            (
                "show-nginx", "nginx",
                """
                nginx.service: active (running) for 3 days 11 h
                A high performance web server and a reverse proxy server
                enabled, process 812, 3 tasks, memory 12.4 MiB
                """
            ),
            (
                "show-failed", "backup",
                """
                backup.service: failed (exit-code 1) for 42 s
                Nightly backup
                static, restarted by itself 5 times
                """
            ),
            ("show-unknown", "nosuch", "There is no unit nosuch.service on this machine."),
            (
                "show-timer", "logrotate.timer",
                """
                logrotate.timer: active (waiting) for 12 days 4 h
                Daily rotation of log files
                enabled
                """
            ),
            (
                "show-masked", "cups",
                """
                cups.service: inactive (dead)
                cups.service
                not loaded properly: masked, org.freedesktop.systemd1.UnitMasked "Unit cups.service is masked."
                masked
                """
            ),
        ])
    func report(recording: String, unit: String, text: String) async throws {
        let programs = try RecordedPrograms("systemctl", prints: recording)
        let facts = try await UnitFacts(try name(unit), on: .recorded(programs: programs))
        #expect(facts.report(of: try name(unit), uptime: 1_054_327) == text)
        let call = try #require(programs.calls.first)
        #expect(call.suffix(2) == ["--", try name(unit).text])
    }

    @Test("a unit that changed after the clock was read has no age", arguments: [nil, 0, 754_326] as [UInt64?])
    func young(uptime: UInt64?) throws {
        let facts = UnitFacts(try Recorded.program("show-nginx"))
        #expect(facts.report(of: try name("nginx"), uptime: uptime).hasPrefix("nginx.service: active (running)\n"))
    }

    @Test("strange answers are answered", arguments: [[], [""], ["="], ["LoadState"], ["\0=\0"]])
    func strange(lines: [String]) throws {
        #expect(UnitFacts(lines).report(of: try name("x"), uptime: 1) == "systemctl says nothing about x.service.")
    }

    @Test("failed units are listed with what they are")
    func failed() throws {
        #expect(
            FailedReport(try Recorded.program("failed")).text == """
                3 units have failed:
                backup.service: Nightly backup
                systemd-networkd-wait-online.service: Wait for Network to be Configured
                orphan.mount
                """)
        #expect(FailedReport([]).text == "No unit has failed.")
        #expect(FailedReport(["", "x"]).text == "No unit has failed.")
        let many = FailedReport((1...100).map { "u\($0).service loaded failed failed U" }).text
        #expect(many.hasPrefix("100 units have failed:"))
        #expect(many.hasSuffix("\nand 60 more"))
    }

    @Test("only units of the list are restarted, and what they do then is said")
    func restart() async throws {
        let shown = try Recorded.program("show-nginx")
        let programs = RecordedPrograms { arguments in
            ProgramResult(.exited(0), lines: arguments.contains("restart") ? [] : shown)
        }
        let order = try RestartOrder(try name("nginx"), allowed: [try name("nginx"), try name("backup.timer")])
        let said = try await order.carryOut(on: .recorded(programs: programs))
        #expect(said.hasPrefix("Restarted. nginx.service: active (running) for 3 days 11 h\n"))
        #expect(
            programs.calls.first == ["systemctl", "--no-ask-password", "--no-pager", "restart", "--", "nginx.service"])
        #expect(programs.calls.count == 2)
    }

    @Test("a unit that is not on the list is not restarted, and the sentence says which are")
    func refused() async throws {
        let nobody = await sentence { _ = try RestartOrder(try name("sshd"), allowed: []) }
        #expect(
            nobody
                == "sshd.service may not be restarted from here; none may, until the operator lists some in bot.restart."
        )
        let others = await sentence {
            _ = try RestartOrder(try name("nginx.socket"), allowed: [try name("nginx"), try name("backup.timer")])
        }
        #expect(
            others == "nginx.socket may not be restarted from here; these may: nginx.service, backup.timer.")
    }

    @Test("a restart that fails says what systemd says")
    func failing() async throws {
        let programs = RecordedPrograms { _ in
            ProgramResult(
                .exited(1), errors: ["Failed to restart nginx.service: Interactive authentication required."])
        }
        let order = try RestartOrder(try name("nginx"), allowed: [try name("nginx")])
        let said = await sentence { _ = try await order.carryOut(on: .recorded(programs: programs)) }
        #expect(
            said
                == "systemctl failed with exit code 1: Failed to restart nginx.service: Interactive authentication required."
        )
    }

    @Test("a restarted unit that nothing more is known of is restarted all the same")
    func silent() async throws {
        let programs = RecordedPrograms { arguments in
            ProgramResult(.exited(arguments.contains("restart") ? 0 : 1))
        }
        let order = try RestartOrder(try name("nginx"), allowed: [try name("nginx")])
        #expect(try await order.carryOut(on: .recorded(programs: programs)) == "Restarted nginx.service.")
    }

    @Test("without systemd there is a sentence")
    func missing() async throws {
        let said = await sentence { _ = try await UnitFacts(try name("nginx"), on: .recorded()) }
        #expect(said == "There is no systemctl on this machine; units need systemd.")
    }
}
