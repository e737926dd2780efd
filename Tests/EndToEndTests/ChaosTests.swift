import Testing

@Suite("A bot that is killed, cut off and left by its server", .timeLimit(.minutes(4)))
struct ChaosTests {
    @Test("nothing is lost and nothing done twice", arguments: RealServer.Kind.allCases)
    func chaos(kind: RealServer.Kind) async throws {
        let run = try await Product.chaos.run([
            "--seed", "1", "--messages", "100", "--kills", "5", "--cuts", "5", "--server-deaths", "1",
            "--server", kind.rawValue,
        ])
        #expect(run.end == .exited(0), "\(run.output)\n\(run.errors)")
        #expect(run.output.contains("acknowledged to their senders                      100\n"), "\(run.output)")
    }

    @Test("a wrong command line ends with 64 and says how it is used")
    func usage() async throws {
        let wrong = try await Product.chaos.run(["--mesages", "100"])
        #expect(wrong.end == .exited(64))
        #expect(wrong.errors.hasPrefix("chaos: there is no option --mesages\nusage: scripts/chaos "))
        let help = try await Product.chaos.run(["--help"])
        #expect(help.end == .exited(0))
        #expect(help.output.hasPrefix("usage: scripts/chaos "))
    }
}
