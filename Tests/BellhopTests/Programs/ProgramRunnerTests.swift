import FoundationEssentials
import Testing

@testable import Bellhop

@Suite("Programs")
struct ProgramRunnerTests {
    @Test(
        "no word of an argument reaches a shell",
        arguments: [
            "; rm -rf /", "$(touch /tmp/x)", "`id`", "a\nb", "a b  c", "*", "~", "$HOME", "'\"\\", "-rf", "--",
            "ä\u{1F600}", "",
        ])
    func arguments(word: String) async {
        let programs = Marked()
        let report = await ProgramRunner.report(programs.call("printf '%s|' \"$@\"", [word, "end"]))
        #expect(report.ending == .exited(0))
        #expect(report.rest.joined(separator: "\n") == "\(word)|end|")
    }

    @Test("a NUL in an argument or a variable is refused before anything is started")
    func nul() async {
        let programs = Marked()
        #expect(await ProgramRunner.report(programs.call("true", ["a\0b"])).ending == .notStarted(.nul))
        var call = programs.call("true")
        call.environment?["A"] = "\0"
        #expect(await ProgramRunner.report(call).ending == .notStarted(.nul))
    }

    @Test(
        "each end of a program is known",
        arguments: [
            ("exit 0", ProgramEnding.exited(0)), ("exit 1", .exited(1)), ("exit 255", .exited(255)),
            ("exit 126", .exited(126)), ("exit 127", .exited(127)), ("/", .exited(126)),
            ("no-such-program", .exited(127)),
            ("kill -TERM $$", .signalled(15)), ("kill -KILL $$", .signalled(9)), ("kill -SEGV $$", .signalled(11)),
            ("kill -HUP $$", .signalled(1)), ("exec cat /proc/self/status | grep -q 'SigBlk:.*0000$'", .exited(0)),
        ])
    func endings(script: String, ending: ProgramEnding) async {
        let programs = Marked()
        #expect(await ProgramRunner.report(programs.call(script)).ending == ending)
        #expect(programs.left == [])
    }

    @Test("what cannot be started says why")
    func starts() async throws {
        func ending(_ arguments: [String], folder: String? = nil) async -> ProgramEnding {
            var call = ProgramCall(arguments, timeLimit: .seconds(60), outputLimit: 1000)
            call.environment = ["PATH": ProgramSearch.standardPath]
            call.folder = folder
            return await ProgramRunner.report(call).ending
        }
        let folder = FileManager.default.temporaryDirectory.path + "/bellhop-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, text, mode) in [
            ("plain", "#!/bin/sh\n", 0o644), ("text", "hello\n", 0o755), ("lost", "#!/no/such/shell\n", 0o755),
        ] {
            try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder + "/" + name)
        }
        #expect(await ending(["no-such-program"]) == .notStarted(.notFound(program: "no-such-program")))
        #expect(await ending(["/no/such/program"]) == .notStarted(.notFound(program: "/no/such/program")))
        #expect(await ending([""]) == .notStarted(.notFound(program: "")))
        #expect(await ending([]) == .notStarted(.notFound(program: "")))
        #expect(await ending(["/"]) == .notStarted(.isFolder(path: "/")))
        #expect(await ending([folder + "/plain"]) == .notStarted(.notExecutable(path: folder + "/plain")))
        #expect(await ending([folder + "/text"]) == .notStarted(.noProgram(path: folder + "/text")))
        #expect(await ending([folder + "/lost"]) == .notStarted(.noProgram(path: folder + "/lost")))
        #expect(
            await ending(["true"], folder: "/no/such")
                == .notStarted(.folder(path: "/no/such", reason: "No such file or directory")))
        #expect(
            await ending(["true"], folder: folder + "/plain")
                == .notStarted(.folder(path: folder + "/plain", reason: "Not a directory")))
    }

    @Test("a program has a clean environment, no terminal, no descriptor of ours and a session of its own")
    func surroundings() async {
        let programs = Marked()
        let environment = await ProgramRunner.report(programs.call("exec /usr/bin/env"))
        #expect(
            environment.rest.map { String($0.prefix { $0 != "=" }) }.sorted() == ["BELLHOP_MARK", "PATH", "PWD"])
        let descriptors = await ProgramRunner.report(programs.call("ls /proc/$$/fd"))
        #expect(descriptors.rest == ["0", "1", "2"])
        #expect(await ProgramRunner.report(programs.call("exec 3</dev/tty")).ending == .exited(2))
        let session = await ProgramRunner.report(programs.call("cut -d ' ' -f 1,5,6 /proc/$$/stat"))
        let numbers = session.rest.first?.split(separator: " ") ?? []
        #expect(numbers.count == 3 && Set(numbers).count == 1, "\(numbers)")
    }

    @Test("a program works in its folder, and reads what it is given, or nothing")
    func input() async {
        let programs = Marked()
        var call = programs.call("pwd; cat")
        call.folder = "/usr"
        #expect(await ProgramRunner.report(call).rest == ["/usr"])
        call.input = Array("eins\nzwei".utf8)
        #expect(await ProgramRunner.report(call).rest == ["/usr", "eins", "zwei"])
        var large = programs.call("wc -c")
        large.input = [UInt8](repeating: 0x61, count: 1_000_000)
        #expect(await ProgramRunner.report(large).rest == ["1000000"])
        var deaf = programs.call("exec <&-; sleep 0.05; echo deaf")
        deaf.input = large.input
        #expect(await ProgramRunner.report(deaf).rest == ["deaf"])
    }

    @Test("10 MB of output are cut at the limit, and the program is stopped")
    func outputLimit() async {
        let programs = Marked()
        let report = await ProgramRunner.report(
            programs.call("yes 0123456789 | head -c 10000000; sleep 1000", output: 11_000))
        #expect(report.ending == .outputLimit)
        #expect(report.rest.count == 1000 && report.rest.allSatisfy { $0 == "0123456789" })
        #expect(await ProgramRunner.report(programs.call("yes >&2", output: 11_000)).ending == .outputLimit)
        #expect(await ProgramRunner.report(programs.call("printf 0123456789", output: 10)).ending == .exited(0))
        #expect(programs.left == [])
    }

    @Test(
        "past its time limit a program is gone with all that it started",
        arguments: [
            "sleep 1000", "trap '' TERM; while :; do sleep 1; done",
            "trap '' TERM INT HUP; sleep 1000 & sleep 1000 & wait",
            "exec >&- 2>&-; sleep 1000", "(trap '' TERM; sleep 1000) & (sleep 1000 &) ; wait",
            "timeout 1000 sleep 1000 & set -m; sleep 1000 & wait", "sleep 1000 | sleep 1000",
            "kill -STOP $$",
        ])
    func timeLimit(script: String) async {
        let programs = Marked()
        var limit = Duration.milliseconds(300)
        var report = ProgramRunner.Report(ending: .exited(0))
        // On a busy machine a program may not even begin within its limit; the next one has more.
        while report.rest != ["up"], limit < .seconds(60) {
            report = await ProgramRunner.report(programs.call("echo up; " + script, limit: limit))
            #expect(report.ending == .timedOut)
            #expect(programs.left == [])
            limit *= 2
        }
        #expect(report.rest == ["up"])
    }

    @Test(
        "what a program leaves behind is ended with it",
        arguments: [
            "sleep 1000 & echo done", "(sleep 1000 &); echo done",
            "trap '' TERM; (sleep 1000 & sleep 1000 &) & echo done",
            "timeout 1000 sleep 1000 & echo done", "set -m 2>&-; sleep 1000 & echo done",
        ])
    func leftovers(script: String) async {
        let programs = Marked()
        let report = await ProgramRunner.report(programs.call(script))
        #expect(report == .init(ending: .exited(0), rest: ["done"]))
        #expect(programs.left == [])
    }

    @Test("who leaves the session, as a service does, is let go and keeps nobody waiting")
    func detached() async throws {
        let programs = Marked()
        let report = await ProgramRunner.report(programs.call("setsid sleep 1000 & echo $!"))
        #expect(report.ending == .exited(0))
        for process in programs.left { _ = await ProgramRunner.report(programs.call("kill -KILL $1", [process])) }
    }

    @Test("cancelling the task ends the program")
    func cancelling() async {
        let programs = Marked()
        let started = AsyncStream.makeStream(of: [String].self)
        let task = Task {
            await ProgramRunner(atOnce: 1).run(programs.call("trap '' TERM; echo up; sleep 1000; sleep 1000")) {
                started.continuation.yield($0)
            }
        }
        var lines = started.stream.makeAsyncIterator()
        #expect(await lines.next() == ["up"])
        #expect(programs.left != [])
        task.cancel()
        #expect(await task.value?.ending == .cancelled)
        #expect(programs.left == [])
    }

    @Test("lines are handed on while the program runs, and its errors are kept apart")
    func streaming() async {
        let programs = Marked()
        let heard = AsyncStream.makeStream(of: [String].self)
        let task = Task {
            await ProgramRunner(atOnce: 1).run(
                programs.call("echo one; echo two; echo oops >&2; sleep 1000 & wait $!; echo three")
            ) { heard.continuation.yield($0) }
        }
        var lines = heard.stream.makeAsyncIterator()
        #expect(await lines.next() == ["one", "two"])
        // Somebody else ends what the program waits for, once it is there: the lines came before it did.
        var sleeper: String?
        while sleeper == nil { sleeper = programs.left.first { Self.name(of: $0) == "sleep" } }
        _ = await ProgramRunner.report(Marked().call("kill -KILL $1", [sleeper ?? ""]))
        let report = await task.value
        #expect(report?.rest == ["three"] && report?.hasSpoken == true)
        #expect(report?.errors.first == "oops")
        let errors = await ProgramRunner.report(programs.call("for i in $(seq 20); do echo $i >&2; done; exit 3"))
        #expect(errors.ending == .exited(3))
        #expect(errors.errors == (13...20).map(String.init))
    }

    @Test("only so many programs run at once, and who waits too long or in vain is told so")
    func queue() async {
        let programs = Marked()
        let runner = ProgramRunner(atOnce: 1)
        let heard = AsyncStream.makeStream(of: [String].self)
        let first = Task {
            await runner.run(programs.call("echo up; sleep 1000")) { heard.continuation.yield($0) }
        }
        var lines = heard.stream.makeAsyncIterator()
        #expect(await lines.next() == ["up"])
        #expect(await runner.run(programs.call("true", limit: .milliseconds(50))) { _ in } == nil)
        let second = Task { await runner.run(programs.call("echo second")) { _ in } }
        let third = Task { await runner.run(programs.call("echo third")) { _ in } }
        third.cancel()
        #expect(await third.value?.ending == .cancelled)
        first.cancel()
        #expect(await first.value?.ending == .cancelled)
        #expect(await second.value?.rest == ["second"])
    }

    @Test("more may run from one moment to the next, and with fewer allowed those that run already count")
    func allowance() async {
        let programs = Marked()
        let runner = ProgramRunner(atOnce: 1)
        let heard = AsyncStream.makeStream(of: [String].self)
        var lines = heard.stream.makeAsyncIterator()
        let first = Task { await runner.run(programs.call("echo up; sleep 1000")) { heard.continuation.yield($0) } }
        #expect(await lines.next() == ["up"])
        let second = Task { await runner.run(programs.call("echo up; sleep 1000")) { heard.continuation.yield($0) } }
        runner.allow(atOnce: 2)
        #expect(await lines.next() == ["up"])
        runner.allow(atOnce: 1)
        #expect(await runner.run(programs.call("true", limit: .milliseconds(50))) { _ in } == nil)
        first.cancel()
        #expect(await first.value?.ending == .cancelled)
        // One still runs, and more are not allowed.
        #expect(await runner.run(programs.call("true", limit: .milliseconds(50))) { _ in } == nil)
        second.cancel()
        #expect(await second.value?.ending == .cancelled)
        #expect(await runner.run(programs.call("echo third")) { _ in }?.rest == ["third"])
    }

    private static func name(of process: String) -> String {
        guard case .success(let file) = SystemFile.read("/proc/\(process)/comm", limit: 100) else { return "" }
        return String(decoding: file.bytes.dropLast(), as: UTF8.self)
    }
}
