import BellhopSQLite
import Foundation
import Testing

@Suite("Connection")
struct ConnectionTests {
    private let scratch = Scratch()

    private func opened(_ name: String = "a.db") throws -> Connection {
        let connection = try Connection(scratch.file(name), .create)
        try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, x)")
        return connection
    }

    @Test("a new file and what SQLite puts beside it can be read by nobody else")
    func privateFiles() throws {
        let connection = try opened()
        try connection.execute("INSERT INTO t VALUES (1, 'x')")
        #expect(scratch.mode("a.db") == 0o600)
        #expect(scratch.mode("a.db-wal") == 0o600)
        #expect(scratch.mode("a.db-shm") == 0o600)
    }

    @Test("a locked database is busy at once, and free afterwards")
    func busy() throws {
        let first = try opened()
        let second = try Connection(scratch.file("a.db"), .write)
        try first.execute("BEGIN EXCLUSIVE")
        #expect(throws: DatabaseError.self) { try second.execute("BEGIN IMMEDIATE") }
        do throws(DatabaseError) {
            try second.execute("BEGIN IMMEDIATE")
        } catch { #expect(error.kind == .busy) }
        try first.execute("COMMIT")
        try second.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (1, 2); COMMIT")
        #expect(try first.integer("SELECT x FROM t") == 2)
    }

    @Test("a text file is no database, and stays as it is")
    func textFile() throws {
        let path = scratch.file("notes.txt")
        let text = String(repeating: "These are my notes, not a database.\n", count: 40)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let connection = try Connection(path, .create)
        do throws(DatabaseError) {
            _ = try connection.userVersion
            Issue.record("read")
        } catch { #expect(error.kind == .notADatabase) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test("why a file cannot be opened is told apart")
    func openFaults() throws {
        #expect(kind(scratch.file("none/a.db"), .create) == .directoryMissing(scratch.file("none")))
        #expect(kind(scratch.file("none.db"), .read) == .fileMissing)
        #expect(kind(scratch.path, .write) == .isDirectory)
        // Nobody, not even root, makes a file there.
        #expect(kind("/sys/a.db", .create) == .directoryNotWritable("/sys"))
    }

    private func kind(_ path: String, _ access: Connection.Access) -> DatabaseError.OpenFault? {
        do throws(DatabaseError) {
            _ = try Connection(path, access)
            return nil
        } catch {
            guard case .cannotOpen(path, let fault) = error.kind else { return nil }
            return fault
        }
    }

    @Test("a full database says so, and works again with room")
    func full() throws {
        let connection = try opened()
        _ = try connection.integer("PRAGMA max_page_count = 3")
        do throws(DatabaseError) {
            for _ in 0..<100 { try connection.execute("INSERT INTO t (x) VALUES (zeroblob(2000))") }
            Issue.record("never full")
        } catch { #expect(error.kind == .full) }
        _ = try connection.integer("PRAGMA max_page_count = 1000")
        try connection.execute("INSERT INTO t (x) VALUES (zeroblob(2000))")
    }

    @Test("a transaction that throws leaves nothing")
    func rollback() throws {
        let connection = try opened()
        #expect(throws: DatabaseError.self) {
            try connection.transaction { () throws(DatabaseError) in
                try connection.execute("INSERT INTO t VALUES (1, 1)")
                try connection.execute("INSERT INTO nowhere VALUES (1)")
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    }

    @Test("a backup is a whole copy of mode 0600")
    func backup() throws {
        let connection = try opened()
        try connection.execute("INSERT INTO t (x) VALUES ('kept'); PRAGMA user_version = 7")
        try connection.backUp(to: scratch.file("b.db"))
        let copy = try Connection(scratch.file("b.db"), .read)
        #expect(try copy.text("SELECT x FROM t") == "kept")
        #expect(try copy.userVersion == 7)
        #expect(scratch.mode("b.db") == 0o600)
    }

    @Test("a passive checkpoint copies what is logged, a restart lets the log start over")
    func checkpoint() throws {
        let connection = try opened()
        connection.watchLog()
        try connection.execute("INSERT INTO t (x) VALUES (1)")
        #expect(connection.loggedPages > 0)
        let done = try connection.checkpoint(.restart)
        #expect(done.logged == done.copied)
        #expect(!done.wasBusy)
        try connection.execute("INSERT INTO t (x) VALUES (1)")
        #expect(connection.loggedPages < done.logged)
        #expect(try connection.checkpoint(.truncate).logged == 0)
    }

    @Test("another thread can end a long call")
    func interrupt() async throws {
        let connection = try opened()
        let interrupt = connection.interrupt
        let pressing = Task.detached {
            while !Task.isCancelled {
                interrupt()
                await Task.yield()
            }
        }
        do throws(DatabaseError) {
            _ = try connection.integer(
                "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c")
            Issue.record("ended by itself")
        } catch { #expect(error.kind == .interrupted) }
        pressing.cancel()
        await pressing.value
    }

    @Test("a read-only connection refuses to write")
    func readOnly() throws {
        _ = try opened()
        let reader = try Connection(scratch.file("a.db"), .read)
        do throws(DatabaseError) {
            try reader.execute("INSERT INTO t VALUES (9, 9)")
            Issue.record("written")
        } catch { #expect(error.kind == .readOnly) }
    }

    @Test("a path with the characters that mean something in a URI opens immutably")
    func immutable() throws {
        let name = "odd ?name#100%.db"
        do {
            let connection = try Connection(scratch.file(name), .create)
            try connection.execute("CREATE TABLE t (x); INSERT INTO t VALUES (5)")
        }
        let reader = try Connection(scratch.file(name), .readImmutable)
        #expect(try reader.integer("SELECT x FROM t") == 5)
    }
}
