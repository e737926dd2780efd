import BellhopSQLite
import Glibc
import Testing

@testable import BellhopJournal

@Suite("Journal, checkpoints")
struct CheckpointTests {
    private func options() -> JournalOptions {
        var options = JournalOptions()
        options.checkpointBytes = 256 << 10
        options.restartBytes = 1 << 20
        return options
    }

    /// Writes turns until `bytes` of bodies are in, waiting out the moments in which the log is started over.
    private func write(_ bytes: Int, _ stage: JournalStage, from name: Int = 0) -> Int {
        let body = String(repeating: "x", count: 2_000)
        var peak = 0
        for turn in 0..<bytes / 20_000 {
            for part in 0..<10 { _ = stage.admit(stage.incoming(body, id: "\(name).\(turn).\(part)"), state: .handled) }
            while case .waiting = stage.commit() {
                // However long the checkpointer's thread had to wait for a processor, the journal's clock stands still.
                while stage.journal.checkpointer.isPausing { sched_yield() }
                stage.now = stage.journal.nextDeadline ?? stage.now
            }
            peak = max(peak, stage.journal.connection.loggedPages * 4_096)
        }
        return peak
    }

    @Test("the log stays short under continuous writing, and is empty after closing")
    func bounded() throws {
        let stage = try JournalStage(options())
        let peak = write(20 << 20, stage)
        #expect(peak > 256 << 10)
        // One transaction more than the limit.
        #expect(peak < 3 << 19, "\(peak)")
        stage.journal.close(now: stage.now)
        #expect(stage.scratch.bytes("j.db-wal").isEmpty)
        try stage.restart(options())
        #expect(try stage.reader.check().isEmpty)
    }

    @Test("somebody who reads for long makes the log grow, and it is short again when they are done")
    func reader() throws {
        let stage = try JournalStage(options())
        _ = stage.admit(stage.incoming("seen", id: "1"))
        stage.commit()
        let reader = try Connection(stage.scratch.file("j.db"), .read)
        try reader.execute("BEGIN")
        #expect(try reader.integer("SELECT count(*) FROM messages") == 1)
        let held = write(6 << 20, stage, from: 1)
        #expect(held >= 6 << 20)
        #expect(try reader.integer("SELECT count(*) FROM messages") == 1)
        try reader.execute("COMMIT")
        _ = write(12 << 20, stage, from: 2)
        #expect(stage.journal.connection.loggedPages * 4_096 < 12 << 20)
        #expect(stage.journal.health.isClear)
    }
}
