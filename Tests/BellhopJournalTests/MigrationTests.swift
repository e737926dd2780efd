import BellhopDiagnostics
import BellhopSQLite
import BellhopXMPP
import Testing

@testable import BellhopJournal

@Suite("Journal, migrations")
struct MigrationTests {
    private let scratch = Scratch()
    private static let present = Schema.current.version
    private static let next = present + 1
    private let second = Schema(
        steps: Schema.current.steps + [Schema.Step(version: next, sql: "ALTER TABLE people ADD COLUMN note TEXT")])
    private let broken = Schema(
        steps: Schema.current.steps + [
            Schema.Step(
                version: next, sql: "DELETE FROM messages; CREATE TABLE more (x); INSERT INTO nowhere VALUES (1)")
        ])

    private func open(_ schema: Schema, _ name: String = "j.db") throws -> Journal {
        try Journal(path: scratch.file(name), accounts: [JournalStage.own], log: .silent, schema: schema)
    }

    private func filled() throws {
        let journal = try open(.current)
        let account = try #require(journal.account(JournalStage.own))
        let entry = Entry(account: account, direction: .incoming, peer: "a@b.example", id: "1", body: "kept")
        _ = journal.admit(entry, at: .init(milliseconds: 1))
        journal.close(now: .zero)
    }

    @Test("a step keeps what is there, and leaves a private copy of the old")
    func step() throws {
        try filled()
        let journal = try open(second)
        #expect(try journal.connection.userVersion == Self.next)
        #expect(try journal.connection.text("SELECT body FROM messages") == "kept")
        _ = try journal.connection.integer("SELECT count(note) FROM people")
        journal.close(now: .zero)
        let copy = try Connection(scratch.file("j.db.before-v\(Self.next)"), .read)
        #expect(try copy.userVersion == Self.present)
        #expect(try copy.text("SELECT body FROM messages") == "kept")
        #expect(scratch.mode("j.db.before-v\(Self.next)") == 0o600)
        // The program of yesterday is told both versions.
        #expect(throws: JournalError.newer(path: scratch.file("j.db"), found: Self.next, known: Self.present)) {
            _ = try open(.current)
        }
    }

    @Test("every journal that was ever written becomes one of today, and keeps what is in it", arguments: 1..<present)
    func upgrade(from version: Int64) throws {
        let old = Schema(steps: Schema.current.steps.filter { $0.version <= version })
        let path = scratch.file("j.db")
        let connection = try Connection(path, .create)
        try old.migrate(connection, from: 0)
        try connection.execute(
            """
            INSERT INTO accounts (id, jid) VALUES (1, '\(JournalStage.own)');
            INSERT INTO messages (seq, account, direction, kind, state, received_at, peer, body)
            VALUES (7, 1, 0, 0, 1, 5, 'a@b.example', 'kept')
            """)
        let journal = try open(.current)
        let account = try #require(journal.account(JournalStage.own))
        #expect(try journal.connection.userVersion == Self.present)
        #expect(try journal.connection.text("SELECT body FROM messages") == "kept")
        #expect(try Connection(path + ".before-v\(Self.present)", .read).userVersion == version)
        journal.audit(
            AuditRecord(
                row: RowID(7), account: account, at: Timestamp(milliseconds: 5), jid: "a@b.example", command: "c",
                typed: "c", rule: "admins[0]", outcome: "answered"))
        #expect(journal.commit(now: .zero) == .committed)
        #expect(try JournalReader(path: path).audited(last: 5).map(\.command) == ["c"])
        journal.close(now: .zero)
    }

    @Test("a new journal is not backed up")
    func fresh() throws {
        try open(second).close(now: .zero)
        #expect(scratch.mode("j.db.before-v\(Self.next)") == nil)
    }

    @Test("a step that fails leaves the old version whole")
    func failing() throws {
        try filled()
        do throws(JournalError) {
            _ = try Journal(
                path: scratch.file("j.db"), accounts: [JournalStage.own], log: .silent, schema: broken)
            Issue.record("migrated")
        } catch {
            guard case .migration(_, from: Self.present, to: Self.next, let backup, let reason) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(backup == scratch.file("j.db.before-v\(Self.next)"))
            #expect(reason == "no such table: nowhere")
        }
        let journal = try open(.current)
        #expect(try journal.connection.text("SELECT body FROM messages") == "kept")
        #expect(try journal.connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'more'") == 0)
    }

    @Test("a process killed in the middle of a step leaves the old version whole (C137)")
    func killed() throws {
        try filled()
        // What a killed process leaves is the files as they stand; the pages are made to spill before the end.
        let connection = try Connection(scratch.file("j.db"), .write)
        connection.keepLogOnClose(true)
        try connection.execute(
            """
            PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM messages; CREATE TABLE more (x);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 2000)
            INSERT INTO more SELECT randomblob(500) FROM c; PRAGMA user_version = \(Self.next)
            """)
        try scratch.copy("j.db", to: "killed.db")
        #expect(!scratch.bytes("killed.db-wal").isEmpty)
        connection.rollBack()
        let journal = try open(.current, "killed.db")
        #expect(try journal.connection.userVersion == Self.present)
        #expect(try journal.connection.text("SELECT body FROM messages") == "kept")
        #expect(try journal.connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'more'") == 0)
    }

    @Test("a first step that was interrupted is done again")
    func firstStep() throws {
        let connection = try Connection(scratch.file("j.db"), .create)
        try connection.execute("PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; CREATE TABLE meta (x)")
        try scratch.copy("j.db", to: "killed.db")
        connection.rollBack()
        try open(.current, "killed.db").close(now: .zero)
    }
}
