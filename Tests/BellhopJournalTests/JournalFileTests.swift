import BellhopDiagnostics
import BellhopSQLite
import BellhopXMPP
import Foundation
import Testing

@testable import BellhopJournal

@Suite("Journal, its file")
struct JournalFileTests {
    private let scratch = Scratch()

    private func open(_ name: String, schema: Schema = .current) -> JournalError? {
        do throws(JournalError) {
            let journal = try Journal(
                path: scratch.file(name), accounts: [JournalStage.own], log: .silent, schema: schema)
            journal.close(now: .zero)
            return nil
        } catch { return error }
    }

    private func read(_ name: String) -> JournalError? {
        do throws(JournalError) {
            _ = try JournalReader(path: scratch.file(name))
            return nil
        } catch { return error }
    }

    /// A closed journal with this many rows.
    private func filled(_ name: String, rows: Int) throws {
        let journal = try Journal(path: scratch.file(name), accounts: [JournalStage.own], log: .silent)
        let account = try #require(journal.account(JournalStage.own))
        for number in 0..<rows {
            let entry = Entry(
                account: account, direction: .incoming, peer: "a@b.example", id: "\(number)",
                body: String(repeating: "x", count: 400))
            _ = journal.admit(entry, state: .handled, at: .init(milliseconds: 1))
        }
        #expect(journal.commit(now: .zero) == .committed)
        #expect(journal.close(now: .zero))
    }

    @Test("a new journal is private, in WAL mode, and marked as ours")
    func fresh() throws {
        let journal = try Journal(path: scratch.file("j.db"), accounts: [JournalStage.own], log: .silent)
        for name in ["j.db", "j.db-wal", "j.db-shm", "j.db-lock"] { #expect(scratch.mode(name) == 0o600, "\(name)") }
        let connection = try Connection(scratch.file("j.db"), .read)
        #expect(try connection.text("PRAGMA journal_mode") == "wal")
        #expect(try connection.applicationID == 0x4268_6F70)
        #expect(try connection.userVersion == Schema.current.version)
        journal.close(now: .zero)
    }

    @Test("a second instance learns the first one's number, and gets in after it")
    func second() throws {
        let first = try Journal(path: scratch.file("j.db"), accounts: [JournalStage.own], log: .silent)
        let number = ProcessInfo.processInfo.processIdentifier
        #expect(open("j.db") == .alreadyRunning(path: scratch.file("j.db"), pid: number))
        first.close(now: .zero)
        #expect(open("j.db") == nil)
    }

    @Test("an empty file counts as new (C130)")
    func empty() {
        scratch.write([], "j.db")
        #expect(open("j.db") == nil)
        #expect(read("j.db") == nil)
    }

    @Test("what is not a journal is refused and stays byte for byte as it was (C130, C137)")
    func foreign() throws {
        scratch.write(Array(String(repeating: "my notes\n", count: 100).utf8), "text")
        scratch.write(Array("x".utf8), "short")
        try Connection(scratch.file("other"), .create).execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        try Connection(scratch.file("versioned"), .create).execute("CREATE TABLE t (x); PRAGMA user_version = 1")
        try Connection(scratch.file("marked"), .create).execute(
            "PRAGMA application_id = 7; PRAGMA user_version = 1")
        try filled("newer", rows: 3)
        try Connection(scratch.file("newer"), .write).execute("PRAGMA user_version = 999")
        try filled("zero", rows: 3)
        try Connection(scratch.file("zero"), .write).execute("PRAGMA user_version = 0")
        let expected: [(String, JournalError)] = [
            ("text", .notADatabase(path: scratch.file("text"))),
            ("short", .notADatabase(path: scratch.file("short"))),
            ("other", .notAJournal(path: scratch.file("other"))),
            ("versioned", .notAJournal(path: scratch.file("versioned"))),
            ("marked", .notAJournal(path: scratch.file("marked"))),
            ("newer", .newer(path: scratch.file("newer"), found: 999, known: Schema.current.version)),
            ("zero", .notAJournal(path: scratch.file("zero"))),
        ]
        for (name, error) in expected {
            let before = scratch.bytes(name)
            #expect(open(name) == error, "\(name)")
            #expect(read(name) == error, "\(name)")
            #expect(scratch.bytes(name) == before, "\(name)")
        }
    }

    @Test("a newer journal whose writer was killed stays as it was too, its log included")
    func newerWithLog() throws {
        let journal = try Journal(path: scratch.file("j.db"), accounts: [JournalStage.own], log: .silent)
        let newer = Schema.current.version + 1
        try journal.connection.execute("PRAGMA user_version = \(newer)")
        try scratch.copy("j.db", to: "killed")
        let (file, log) = (scratch.bytes("killed"), scratch.bytes("killed-wal"))
        #expect(!log.isEmpty)
        #expect(open("killed") == .newer(path: scratch.file("killed"), found: newer, known: Schema.current.version))
        #expect(scratch.bytes("killed") == file)
        #expect(scratch.bytes("killed-wal") == log)
    }

    @Test("the first hundred bytes overwritten: refused, not repaired (C130)")
    func damagedHead() throws {
        try filled("j.db", rows: 100)
        var bytes = scratch.bytes("j.db")
        bytes.replaceSubrange(0..<100, with: [UInt8](repeating: 0xA5, count: 100))
        scratch.write(bytes, "j.db")
        #expect(open("j.db") == .notADatabase(path: scratch.file("j.db")))
        #expect(scratch.bytes("j.db") == bytes)
    }

    @Test("a page in the middle overwritten: refused (C130)", arguments: [2_000, 12_000])
    func damagedMiddle(rows: Int) throws {
        try filled("j.db", rows: rows)
        var bytes = scratch.bytes("j.db")
        #expect((bytes.count > JournalFile.wholeCheckBytes) == (rows > 2_000))
        // One page of a small file; of a large one, of which only a sample is read, a run of them.
        let pages = rows > 2_000 ? 64 : 1
        let start = bytes.count / 2 / 8_192 * 8_192
        bytes.replaceSubrange(start..<start + pages * 8_192, with: [UInt8](repeating: 0xA5, count: pages * 8_192))
        scratch.write(bytes, "j.db")
        guard case .damaged(let path, let finding) = open("j.db") else {
            Issue.record("opened")
            return
        }
        #expect(path == scratch.file("j.db"))
        #expect(!finding.isEmpty)
        #expect(scratch.bytes("j.db") == bytes)
        // Whoever wants to know more reads all of it.
        let findings = (try? JournalReader(path: path).check()) ?? ["refused"]
        #expect(!findings.isEmpty)
    }

    @Test("a file cut short: refused")
    func truncated() throws {
        try filled("j.db", rows: 2_000)
        let bytes = [UInt8](scratch.bytes("j.db").dropLast(300_000))
        scratch.write(bytes, "j.db")
        guard case .damaged = open("j.db") else {
            Issue.record("opened")
            return
        }
        #expect(scratch.bytes("j.db") == bytes)
    }

    @Test("where the file cannot be: directory and file are told apart (C133)")
    func places() throws {
        #expect(
            open("none/j.db")
                == .cannotOpen(path: scratch.file("none/j.db-lock"), .directoryMissing(scratch.file("none"))))
        try FileManager.default.createDirectory(atPath: scratch.file("d.db"), withIntermediateDirectories: true)
        #expect(open("d.db") == .cannotOpen(path: scratch.file("d.db"), .isDirectory))
        do throws(JournalError) {
            _ = try Journal(path: "/sys/j.db", accounts: [], log: .silent)
            Issue.record("opened")
        } catch { #expect(error == .cannotOpen(path: "/sys/j.db-lock", .directoryNotWritable("/sys"))) }
        #expect(read("none.db") == .cannotOpen(path: scratch.file("none.db"), .fileMissing))
    }

    @Test(
        "a directory that cannot be written, and a file that cannot (C133)",
        .disabled(if: geteuid() == 0, "root may write anywhere"))
    func permissions() throws {
        try filled("j.db", rows: 1)
        unsafe chmod(scratch.file("j.db"), 0o400)
        #expect(open("j.db") == .cannotOpen(path: scratch.file("j.db"), .fileNotWritable))
        #expect(read("j.db") == nil)
        unsafe chmod(scratch.path, 0o500)
        #expect(read("j.db") == nil)
        unsafe chmod(scratch.path, 0o700)
    }

    @Test("two names of one file have one lock")
    func links() throws {
        let first = try JournalStage()
        let link = first.scratch.file("link.db")
        #expect(unsafe symlink(first.scratch.file("j.db"), link) == 0)
        #expect(throws: JournalError.alreadyRunning(path: link, pid: getpid())) {
            try Journal(path: link, accounts: [JournalStage.own], log: .silent)
        }
    }

    @Test("a pipe is no journal, and nobody waits for its writer")
    func pipe() {
        #expect(unsafe mkfifo(scratch.file("pipe"), 0o600) == 0)
        #expect(open("pipe") == .notADatabase(path: scratch.file("pipe")))
        #expect(read("pipe") == .notADatabase(path: scratch.file("pipe")))
    }
}
