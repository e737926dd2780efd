import BellhopSQLite
import BellhopXMPP
import Testing

@testable import BellhopJournal

@Suite("Journal, audit")
struct AuditTests {
    private func record(
        _ stage: JournalStage, _ row: RowID, at moment: Int64 = 1_000, outcome: String = "started"
    ) -> AuditRecord {
        AuditRecord(
            row: row, account: stage.account, at: Timestamp(milliseconds: moment), jid: "ann@example.org",
            command: "restart", typed: "restart \u{1F980} '\"; DROP TABLE audit", rule: "roles.ops[2]",
            outcome: outcome)
    }

    @Test("a run is noted, goes on and ends, each with the commit of its message's state")
    func run() throws {
        let stage = try JournalStage()
        let row = try stage.row(stage.incoming("restart"), state: .started)
        stage.journal.audit(record(stage, row))
        #expect(try stage.journal.audited(last: 5).map(\.outcome) == ["started"])
        #expect(try stage.reader.audited(last: 5) == [])
        stage.commit()
        #expect(try stage.reader.audited(last: 5) == [record(stage, row)])
        stage.journal.mark(row, .handled)
        stage.journal.closeAudit(row, "failed", code: "E1", duration: 320)
        #expect(try stage.journal.audited(last: 5).map(\.code) == ["E1"])
        #expect(try stage.reader.audited(last: 5).map(\.outcome) == ["started"])
        stage.commit()
        var done = record(stage, row, outcome: "failed")
        done.code = "E1"
        done.duration = 320
        #expect(try stage.reader.audited(last: 5) == [done])
        #expect(try stage.all().map(\.state) == [.handled])
    }

    @Test("a quick run is one row to write")
    func quick() throws {
        let stage = try JournalStage()
        let row = try stage.row(stage.incoming("restart"), state: .handled)
        stage.journal.audit(record(stage, row))
        stage.journal.closeAudit(row, "answered", code: nil, duration: 0)
        #expect(stage.journal.backlog.orders.count == 1)
        stage.commit()
        #expect(try stage.reader.audited(last: 5).map(\.outcome) == ["answered"])
    }

    @Test("the newest are read, oldest first, from a moment on")
    func selection() throws {
        let stage = try JournalStage()
        for number in 1...5 {
            let row = try stage.row(stage.incoming("\(number)", id: "m\(number)"))
            stage.journal.audit(record(stage, row, at: Int64(number) * 1_000))
            if number == 3 { stage.commit() }
        }
        let rows = [3, 4, 5].map { RowID($0) }
        #expect(try stage.journal.audited(last: 3).map(\.row) == rows)
        stage.commit()
        #expect(try stage.reader.audited(last: 3).map(\.row) == rows)
        let since = Timestamp(milliseconds: 4_000)
        #expect(try stage.reader.audited(last: 3, since: since).map(\.row) == Array(rows.suffix(2)))
        #expect(try stage.reader.audited(last: -1) == [])
    }

    @Test("what was never noted, or has no row, is left alone")
    func nothing() throws {
        let stage = try JournalStage()
        stage.journal.closeAudit(RowID(7), "answered", code: nil, duration: 1)
        stage.journal.audit(record(stage, .unstored))
        stage.journal.closeAudit(.unstored, "answered", code: nil, duration: 1)
        stage.commit()
        #expect(try stage.reader.audited(last: 5) == [])
    }

    @Test("a message that is run again has one entry")
    func again() throws {
        let stage = try JournalStage()
        let row = try stage.row(stage.incoming("restart"), state: .started)
        stage.journal.audit(record(stage, row))
        stage.commit()
        stage.journal.audit(record(stage, row, at: 9_000))
        stage.commit()
        #expect(try stage.reader.audited(last: 5).map(\.at.milliseconds) == [9_000])
    }

    @Test("while the disk takes nothing the audit waits in memory, and is shown and written later")
    func held() throws {
        let stage = try JournalStage()
        let row = try stage.row(stage.incoming("restart"))
        stage.commit()
        let pages = try #require(try stage.journal.connection.integer("PRAGMA page_count"))
        _ = try stage.journal.connection.integer("PRAGMA max_page_count = \(pages)")
        for number in 2...400 {
            let row = try stage.row(stage.incoming(String(repeating: "x", count: 500), id: "m\(number)"))
            stage.journal.audit(record(stage, row))
        }
        stage.commit()
        stage.now += .seconds(1)
        #expect(stage.commit() == .holding)
        #expect(try stage.journal.audited(last: 1_000).count == 399)
        _ = try stage.journal.connection.integer("PRAGMA max_page_count = 100000")
        stage.now += .seconds(2)
        #expect(stage.commit() == .recovered)
        #expect(try stage.reader.audited(last: 1_000).count == 399)
        #expect(row == RowID(1))
    }
}
