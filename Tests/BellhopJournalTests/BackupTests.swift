import BellhopDiagnostics
import BellhopSQLite
import BellhopXMPP
import Foundation
import Synchronization
import Testing

@testable import BellhopJournal

@Suite("Journal, backups")
struct BackupTests {
    private func backUp(
        _ stage: JournalStage, to name: String, replacing: Bool = false
    ) -> Result<JournalContents, CopyError> {
        do throws(CopyError) {
            return .success(
                try JournalBackup(journal: stage.scratch.file("j.db")).write(
                    to: stage.scratch.file(name), replacing: replacing))
        } catch { return .failure(error) }
    }

    @Test("a backup is one private file that says what it holds, and nothing is left beside it")
    func plain() throws {
        let stage = try JournalStage()
        for number in 1...5 { _ = try stage.row(stage.incoming("text", id: "\(number)"), at: Int64(number) * 1_000) }
        stage.commit()
        let contents = try backUp(stage, to: "copy").get()
        #expect(contents.messages == 5)
        #expect(contents.version == Schema.current.version)
        #expect(contents.first == Timestamp(milliseconds: 1_000) && contents.last == Timestamp(milliseconds: 5_000))
        #expect(contents.accounts == [JournalStage.own])
        #expect(contents.bytes == Int64(stage.scratch.bytes("copy").count))
        #expect(stage.scratch.mode("copy") == 0o600)
        #expect(stage.scratch.names == ["copy", "j.db", "j.db-lock", "j.db-shm", "j.db-wal"])
        #expect(try Connection(stage.scratch.file("copy"), .read).text("PRAGMA journal_mode") == "delete")
    }

    @Test("a file that is there stays unless it may be replaced, and the journal's own files stay anyway")
    func existing() throws {
        let stage = try JournalStage()
        stage.scratch.write(Array("mine".utf8), "copy")
        #expect(backUp(stage, to: "copy") == .failure(.exists(file: stage.scratch.file("copy"))))
        #expect(stage.scratch.bytes("copy") == Array("mine".utf8))
        #expect(try backUp(stage, to: "copy", replacing: true).get().messages == 0)
        #expect(stage.scratch.mode("copy") == 0o600)
        #expect(unsafe symlink(stage.scratch.file("j.db"), stage.scratch.file("link")) == 0)
        for name in ["j.db", "j.db-wal", "j.db-lock", "link"] {
            let file = stage.scratch.file(name)
            #expect(backUp(stage, to: name, replacing: true) == .failure(.isJournal(file: file)), "\(name)")
        }
    }

    @Test("where a backup cannot be: the folder is named, and nothing is left over")
    func places() throws {
        let stage = try JournalStage()
        guard case .failure(.target(.cannotOpen(_, .directoryMissing(let folder)))) = backUp(stage, to: "none/copy")
        else {
            Issue.record("made")
            return
        }
        #expect(folder == stage.scratch.file("none"))
        let before = stage.scratch.names
        #expect(throws: CopyError.source(.notADatabase(path: stage.scratch.file("text")))) {
            stage.scratch.write(Array(String(repeating: "my notes\n", count: 100).utf8), "text")
            try JournalBackup(journal: stage.scratch.file("text")).write(
                to: stage.scratch.file("copy"), replacing: false)
        }
        #expect(stage.scratch.names == (before + ["text"]).sorted())
    }

    @Test("what is stopped leaves nothing behind")
    func stopped() throws {
        let stage = try JournalStage()
        #expect(throws: CopyError.givenUp) {
            try JournalBackup(journal: stage.scratch.file("j.db")).write(
                to: stage.scratch.file("copy"), replacing: false, while: { false })
        }
        #expect(!stage.scratch.names.contains { $0.hasPrefix("copy") })
    }

    @Test("while messages flow every backup is of one moment: whole, in pairs, and the writer never waits")
    func whileWriting() async throws {
        let stage = try JournalStage()
        let file = stage.scratch.file("j.db")
        let isDone = Atomic(false)
        let backups = Task.detached {
            var all: [JournalContents] = []
            // One more after the last message, so that all of them are in it.
            var isLast = false
            while true {
                let number = all.count
                all.append(try JournalBackup(journal: file).write(to: file + ".copy-\(number)", replacing: false))
                if isLast { return all }
                isLast = isDone.load(ordering: .acquiring)
                await Task.yield()
            }
        }
        for turn in 0..<3_000 {
            let row = try stage.row(stage.incoming("question \(turn)", id: "\(turn)"), state: .handled)
            _ = stage.queue(stage.outgoing("answer \(turn)"), answers: row)
            while case .waiting = stage.commit() {
                // A checkpoint takes its time, and the journal's clock does not know it.
                while stage.journal.checkpointer.isPausing { await Task.yield() }
                stage.now = stage.journal.nextDeadline ?? stage.now
            }
            #expect(stage.journal.health.isClear)
        }
        isDone.store(true, ordering: .releasing)
        let all = try await backups.value
        #expect(all.last?.messages == 6_000)
        for (number, contents) in all.enumerated() {
            #expect(contents.messages % 2 == 0)
            let reader = try JournalReader(path: file + ".copy-\(number)")
            #expect(try reader.check().isEmpty)
            #expect(try reader.messages(after: RowID(0), limit: 10_000).count == contents.messages)
        }
    }
}
