import BellhopDiagnostics
import BellhopSQLite
import BellhopXMPP
import Foundation
import Testing

@testable import BellhopJournal

@Suite("Journal, restoring")
struct RestoreTests {
    private func restore(_ stage: JournalStage, _ name: String) -> Result<JournalRestore.Outcome, CopyError> {
        do throws(CopyError) {
            return .success(
                try JournalRestore(journal: stage.scratch.file("j.db")).run(from: stage.scratch.file(name)))
        } catch { return .failure(error) }
    }

    private func backUp(_ stage: JournalStage) throws {
        try JournalBackup(journal: stage.scratch.file("j.db")).write(to: stage.scratch.file("copy"), replacing: true)
    }

    @Test("the backup takes the journal's place, and the journal is kept under another name each time")
    func plain() throws {
        let stage = try JournalStage()
        _ = try stage.row(stage.incoming("old", id: "1"), state: .handled)
        stage.commit()
        try backUp(stage)
        _ = try stage.row(stage.incoming("new", id: "2"), state: .handled)
        stage.commit()
        stage.journal.close(now: stage.now)
        let outcome = try restore(stage, "copy").get()
        #expect(outcome.kept == stage.scratch.file("j.db.before-restore"))
        #expect(outcome.ended == 0)
        #expect(try stage.all().map(\.body) == ["old"])
        #expect(stage.scratch.mode("j.db") == 0o600)
        let kept = try JournalReader(path: stage.scratch.file("j.db.before-restore"))
        #expect(try kept.messages(after: RowID(0), limit: 9).map(\.body) == ["old", "new"])
        #expect(try restore(stage, "j.db.before-restore").get().kept == stage.scratch.file("j.db.before-restore-2"))
        #expect(try stage.all().map(\.body) == ["old", "new"])
        try stage.restart()
        #expect(try stage.journal.connection.text("PRAGMA journal_mode") == "wal")
        #expect(!stage.scratch.names.contains { $0.contains("partial") })
    }

    @Test("while a bot runs nothing is restored")
    func running() throws {
        let stage = try JournalStage()
        try backUp(stage)
        let before = stage.scratch.bytes("j.db")
        #expect(
            restore(stage, "copy")
                == .failure(.target(.alreadyRunning(path: stage.scratch.file("j.db"), pid: getpid()))))
        #expect(stage.scratch.bytes("j.db") == before)
    }

    @Test("what is no sound backup changes nothing")
    func unsound() throws {
        let stage = try JournalStage()
        for number in 0..<200 { _ = try stage.row(stage.incoming("kept \(number)", id: "\(number)"), state: .handled) }
        stage.commit()
        try backUp(stage)
        stage.journal.close(now: stage.now)
        var bytes = stage.scratch.bytes("copy")
        bytes.replaceSubrange(bytes.count / 2..<bytes.count / 2 + 4_096, with: [UInt8](repeating: 0xA5, count: 4_096))
        stage.scratch.write(bytes, "damaged")
        stage.scratch.write(Array(String(repeating: "my notes\n", count: 100).utf8), "text")
        try Connection(stage.scratch.file("other"), .create).execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        try stage.scratch.copy("copy", to: "newer")
        try Connection(stage.scratch.file("newer"), .write).execute("PRAGMA user_version = 999")
        let before = stage.scratch.bytes("j.db")
        for (name, wanted) in [
            ("text", JournalError.notADatabase(path: stage.scratch.file("text"))),
            ("other", .notAJournal(path: stage.scratch.file("other"))),
            ("newer", .newer(path: stage.scratch.file("newer"), found: 999, known: Schema.current.version)),
            ("none", .cannotOpen(path: stage.scratch.file("none"), .fileMissing)),
        ] { #expect(restore(stage, name) == .failure(.source(wanted)), "\(name)") }
        guard case .failure(.source(.damaged)) = restore(stage, "damaged") else {
            Issue.record("restored")
            return
        }
        #expect(restore(stage, "j.db") == .failure(.isJournal(file: stage.scratch.file("j.db"))))
        #expect(stage.scratch.bytes("j.db") == before)
        #expect(!stage.scratch.names.contains { $0.contains("before") || $0.contains("partial") })
    }

    @Test("what waited in the backup is ended, and new messages get ids that were never given")
    func waiting() throws {
        let stage = try JournalStage()
        _ = try stage.row(stage.incoming("open", id: "1"))
        _ = try stage.row(stage.incoming("begun", id: "2"), state: .started)
        let sent = stage.queue(stage.outgoing("sent"))
        stage.commit()
        stage.journal.sent(through: sent.row, account: stage.account, now: stage.now)
        stage.now += .seconds(2)
        stage.commit()
        let queued = stage.queue(stage.outgoing("queued"))
        stage.commit()
        try backUp(stage)
        stage.journal.close(now: stage.now)
        #expect(try restore(stage, "copy").get().ended == 3)
        #expect(try stage.all().map(\.state) == [.interrupted, .interrupted, .sent, .failed])
        try stage.restart()
        #expect(try stage.journal.unfinished().isEmpty)
        let fresh = stage.queue(stage.outgoing("fresh"))
        #expect(fresh.id.prefix(MessageIdentifier.tagLength) != queued.id.prefix(MessageIdentifier.tagLength))
    }

    @Test("a journal whose bot was killed is kept with the rows that were only in its log")
    func killed() throws {
        let stage = try JournalStage()
        try backUp(stage)
        _ = try stage.row(stage.incoming("in the log", id: "1"), state: .handled)
        stage.commit()
        let other = try JournalStage()
        other.journal.close(now: other.now)
        try FileManager.default.removeItem(atPath: other.scratch.file("j.db"))
        for part in ["j.db", "j.db-wal", "copy"] { other.scratch.write(stage.scratch.bytes(part), part) }
        #expect(try restore(other, "copy").get().contents.messages == 0)
        let kept = try JournalReader(path: other.scratch.file("j.db.before-restore"))
        #expect(try kept.messages(after: RowID(0), limit: 9).map(\.body) == ["in the log"])
    }

    @Test("a damaged journal is kept as it is, its log beside it")
    func damaged() throws {
        let stage = try JournalStage()
        try backUp(stage)
        stage.journal.close(now: stage.now)
        let noise = Array(String(repeating: "noise", count: 2_000).utf8)
        stage.scratch.write(noise, "j.db")
        stage.scratch.write(noise, "j.db-wal")
        _ = try restore(stage, "copy").get()
        #expect(stage.scratch.bytes("j.db.before-restore") == noise)
        #expect(try stage.all().isEmpty)
        try stage.restart()
    }

    @Test("a backup of an older version is brought up to date when the bot starts")
    func older() throws {
        let stage = try JournalStage()
        let connection = try Connection(stage.scratch.file("copy"), .create)
        try Schema(steps: Array(Schema.current.steps.prefix(1))).migrate(connection, from: 0)
        try connection.execute(
            """
            INSERT INTO accounts (id, jid) VALUES (1, '\(JournalStage.own)');
            INSERT INTO messages (seq, account, direction, kind, state, received_at, peer, body)
                VALUES (1, 1, 0, 0, 1, 1000, 'alice@example.org', 'old');
            """)
        stage.journal.close(now: stage.now)
        #expect(try restore(stage, "copy").get().contents.version == 1)
        try stage.restart()
        #expect(try stage.journal.connection.userVersion == Schema.current.version)
        #expect(try stage.all().map(\.body) == ["old"])
    }

    @Test("the stream of that time is not resumed")
    func stream() throws {
        let stage = try JournalStage()
        let row = stage.queue(stage.outgoing("arrived")).row
        stage.commit()
        stage.journal.departed([row], isAcknowledged: true, account: stage.account, now: stage.now)
        stage.journal.keepStream("<stream/>", account: stage.account)
        stage.commit()
        try backUp(stage)
        stage.journal.close(now: stage.now)
        _ = try restore(stage, "copy").get()
        try stage.restart()
        #expect(try stage.journal.keptStream(account: stage.account) == nil)
        #expect(try stage.all().map(\.state) == [.acknowledged])
    }
}
