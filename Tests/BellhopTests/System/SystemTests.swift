import Bellhop
import BellhopDiagnostics
import Foundation
import Testing

@Suite("Files and programs")
struct SystemTests {
    private let system = SystemSurroundings()

    private func run(
        _ arguments: [String], limit: Duration = .seconds(60), size: Int = 1000
    ) -> Result<[UInt8], ConfigurationProblem.CommandFailure> {
        system.run(arguments, timeLimit: limit, sizeLimit: size)
    }

    @Test("a program's output is read, and its arguments pass through no shell")
    func output() {
        #expect(run(["printf", "%s", "a b$HOME;`x`"]) == .success(Array("a b$HOME;`x`".utf8)))
        #expect(run(["cat"]) == .success([]))
    }

    @Test("a program for a password is gone with all that it started")
    func leftovers() {
        let mark = UUID().uuidString
        let script = "(trap '' TERM; sleep 1000 # $1\n) & echo secret"
        #expect(run(["sh", "-c", script, "sh", mark]) == .success(Array("secret\n".utf8)))
        let left = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        #expect(
            !left.contains { entry in
                guard Int(entry) != nil,
                    case .success(let file) = SystemFile.read("/proc/\(entry)/cmdline", limit: 65_536)
                else { return false }
                return String(decoding: file.bytes, as: UTF8.self).contains(mark)
            })
    }

    @Test("a program that fails says how")
    func failures() {
        #expect(run(["false"]) == .failure(.exit(1)))
        #expect(run(["sh", "-c", "kill -9 $$"]) == .failure(.signal(9)))
        #expect(
            run(["/nonexistent/program"])
                == .failure(
                    .notStarted(
                        reason: "there is no /nonexistent/program; install it, or mend its path in the configuration")))
        #expect(run(["sleep", "1000"], limit: .milliseconds(20)) == .failure(.timedOut(.milliseconds(20))))
        #expect(
            run(["sh", "-c", "exec >&-; exec sleep 1000"], limit: .milliseconds(300))
                == .failure(.timedOut(.milliseconds(300))))
        #expect(run(["cat", "/dev/zero"], size: 100) == .failure(.tooMuchOutput(limit: 100)))
    }

    @Test("standard input may be a pipe, of which one line can be read without waiting for its end")
    func pipe() throws {
        let pipe = Pipe()
        let reader = pipe.fileHandleForReading.fileDescriptor
        try pipe.fileHandleForWriting.write(contentsOf: Data("new\nmore\n1234512345".utf8))
        #expect(SystemFile.readFirstLine(reader, limit: 10) == .success(Array("new\n".utf8)))
        #expect(SystemFile.readFirstLine(reader, limit: 5) == .success(Array("more\n".utf8)))
        #expect(SystemFile.readFirstLine(reader, limit: 4) == .failure(.tooLarge(4)))
        try pipe.fileHandleForWriting.close()
        #expect(try SystemFile.readStandardInput(reader, limit: 10).get().bytes == Array("12345".utf8))
        #expect(SystemFile.readFirstLine(reader, limit: 10) == .success([]))
    }

    @Test("a file is read with its mode, through a link with that of what it points to")
    func files() throws {
        try TemporaryFolder.with { folder in
            #expect(SystemFile.create(folder + "/a", [1, 2]).isSuccess)
            #expect(try system.read(folder + "/a", limit: 2).get() == FileContents(bytes: [1, 2], mode: 0o600))
            try FileManager.default.createSymbolicLink(atPath: folder + "/b", withDestinationPath: folder + "/a")
            #expect(try system.read(folder + "/b", limit: 2).get().mode == 0o600)
            #expect(system.read(folder + "/a", limit: 1) == .failure(.tooLarge(1)))
            #expect(system.read(folder + "/none", limit: 1) == .failure(.notFound))
            #expect(system.read(folder, limit: 1) == .failure(.other("Is a directory")))
            #expect(!SystemFile.create(folder + "/a", []).isSuccess)
            #expect(!SystemFile.create(folder + "/b", []).isSuccess)
            #expect(SystemFile.exists(folder + "/b") && !SystemFile.exists(folder + "/c"))
        }
    }

    @Test("variables come from the environment")
    func variables() {
        #expect(system.variable("PATH")?.isEmpty == false)
        #expect(system.variable("BELLHOP_NO_SUCH_VARIABLE") == nil)
    }

    @Test("the local clock is less than a day away from UTC")
    func offset() {
        #expect(abs(WallClock.localOffset(atMilliseconds: WallClock.milliseconds())) < 86_400)
        _ = WallClock.localOffset(atMilliseconds: .max)
        _ = WallClock.localOffset(atMilliseconds: .min)
    }
}

extension Result {
    fileprivate var isSuccess: Bool { (try? get()) != nil }
}
