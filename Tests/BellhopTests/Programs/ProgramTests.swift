import Bellhop
import BellhopTransport
import Testing

@Suite("What handlers ask of the system")
struct ProgramTests {
    @Test(
        "a program's lines, errors and end are handed back",
        arguments: [
            (["printf", "a\\nb\\n"], ProgramResult(.exited(0), lines: ["a", "b"])),
            (["sh", "-c", "echo x; echo y >&2; exit 3"], ProgramResult(.exited(3), lines: ["x"], errors: ["y"])),
            (["sh", "-c", "kill -9 $$"], ProgramResult(.signalled("SIGKILL"))),
            (["no-such-program-here"], ProgramResult(.missing)),
            (["/etc"], ProgramResult(.notStarted("/etc is a folder and no program"))),
            (["printf", "%s", "; rm -rf /"], ProgramResult(.exited(0), lines: ["; rm -rf /"])),
            (["sh", "-c", "cat; echo end"], ProgramResult(.exited(0), lines: ["end"])),
        ])
    func run(arguments: [String], result: ProgramResult) async {
        #expect(await Program.run(arguments) == result)
    }

    @Test("no arguments at all are no program")
    func nothing() async {
        #expect(await Program.run([]).outcome != .exited(0))
    }

    @Test("the limits hold")
    func limits() async {
        #expect(await Program.run(["sleep", "600"], timeLimit: .milliseconds(200)).outcome == .timedOut)
        #expect(await Program.run(["yes"], outputLimit: 10_000).outcome == .tooMuchOutput)
    }

    @Test("of our environment only the search path and the home are handed on")
    func environment() async {
        let result = await Program.run(["sh", "-c", "env | cut -d= -f1 | sort"])
        #expect(Set(result.lines).isSubset(of: ["HOME", "LANG", "PATH", "PWD", "SHLVL", "_", "OLDPWD"]))
        #expect(result.lines.contains("LANG"))
    }

    @Test("a cancelled task ends its program")
    func cancelled() async {
        let task = Task { await Program.run(["sleep", "600"], timeLimit: .seconds(500)) }
        task.cancel()
        #expect(await task.value.outcome == .cancelled)
    }

    @Test("a port that listens is reached, and one that does not is not")
    func reach() async throws {
        let listener = try Listener()
        #expect(
            await Reachability.of(host: "127.0.0.1", port: listener.port, within: .seconds(20))
                == .connected(address: "127.0.0.1"))
        // The port stays the listener's, so that nobody else listens there now.
        listener.close()
        #expect(
            await Reachability.of(host: "127.0.0.1", port: listener.port, within: .seconds(20))
                == .unreachable("127.0.0.1 port \(listener.port): Connection refused"))
    }

    @Test("a name that cannot be found, and a cancelled task, are answered")
    func unreachable() async {
        guard case .unreachable = await Reachability.of(host: "nowhere.invalid", port: 1, within: .seconds(20)) else {
            Issue.record("nowhere was reached")
            return
        }
        let task = Task { await Reachability.of(host: "192.0.2.1", port: 9, within: .seconds(500)) }
        task.cancel()
        guard case .unreachable = await task.value else {
            Issue.record("a documentation address was reached")
            return
        }
    }

    @Test("the disk of the root folder has a size, and a path that is not there has none")
    func space() throws {
        let space = try #require(FileSystemSpace(at: "/"))
        #expect(space.size > 0)
        #expect(space.available <= space.size)
        #expect(FileSystemSpace(at: "/no/such/path") == nil)
    }
}
