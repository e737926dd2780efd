import BellhopDiagnostics
import BellhopSQLite
import BellhopXMPP
import Foundation
import Testing

@testable import BellhopJournal

@Suite("Journal, after a restart")
struct RecoveryTests {
    @Test("received and started commands and unsent messages are left over, oldest first; what is done is not")
    func unfinished() throws {
        let stage = try JournalStage()
        let states: [RowState] = [.handled, .received, .declined, .started, .interrupted, .handled]
        var rows: [RowID] = []
        for (number, state) in states.enumerated() {
            rows.append(try stage.row(stage.incoming("\(number)", id: "\(number)"), state: state))
        }
        let reply = stage.queue(stage.outgoing("reply"), answers: rows[0])
        let bounced = stage.queue(stage.outgoing("bounced"), answers: rows[2])
        stage.journal.mark(bounced.row, .failed, reason: "gone")
        stage.commit()
        try stage.restart()
        let left = try stage.journal.unfinished()
        #expect(left.map(\.row) == [rows[1], rows[3], reply.row])
        #expect(left.map(\.state) == [.received, .started, .queued])
        #expect(left.first?.body == "1")
        for row in left where row.direction == .incoming { stage.journal.mark(row.row, .handled) }
        stage.journal.sent(through: reply.row, account: stage.account, now: stage.now)
        stage.commit()
        try stage.restart()
        #expect(try stage.journal.unfinished().isEmpty)
    }

    @Test("that a message was sent is stored within a second, and with the next commit of some size")
    func sent() throws {
        let stage = try JournalStage()
        let first = stage.queue(stage.outgoing("1"))
        stage.commit()
        #expect(try stage.all().map(\.state) == [.queued])
        stage.journal.sent(through: first.row, account: stage.account, now: stage.now)
        #expect(stage.journal.nextDeadline.map { $0 <= stage.now + .seconds(1) } == true)
        stage.now = try #require(stage.journal.nextDeadline)
        #expect(stage.commit() == .committed)
        #expect(try stage.all().map(\.state) == [.sent])
        #expect(stage.journal.nextDeadline == nil)
        for _ in 0..<10 { _ = stage.queue(stage.outgoing("2")) }
        stage.commit()
        let last = stage.queue(stage.outgoing("3"))
        stage.journal.sent(through: RowID(last.row.number - 1), account: stage.account, now: stage.now)
        for _ in 0..<10 { _ = stage.queue(stage.outgoing("4")) }
        stage.commit()
        #expect(try stage.all().filter { $0.state == .sent }.count == 11)
    }

    @Test("after a break in the same run only what was not sent is left over, committed or not")
    func reconnect() throws {
        let stage = try JournalStage()
        let sent = stage.queue(stage.outgoing("sent"))
        let lost = stage.queue(stage.outgoing("lost with the connection"))
        let failed = stage.queue(stage.outgoing("bounced"))
        stage.commit()
        // Known in memory; stored at the latest a second later.
        stage.journal.sent(through: sent.row, account: stage.account, now: stage.now)
        stage.journal.mark(failed.row, .failed, reason: "gone")
        let fresh = stage.queue(stage.outgoing("of this turn"))
        #expect(try stage.journal.unfinished().map(\.row) == [lost.row, fresh.row])
        stage.commit()
        #expect(try stage.journal.unfinished().map(\.row) == [lost.row, fresh.row])
        stage.journal.sent(through: fresh.row, account: stage.account, now: stage.now)
        #expect(try stage.journal.unfinished().isEmpty)
    }

    @Test("closing stores how far was sent")
    func closing() throws {
        let stage = try JournalStage()
        let queued = stage.queue(stage.outgoing("1"))
        stage.commit()
        stage.journal.sent(through: queued.row, account: stage.account, now: stage.now)
        try stage.restart()
        #expect(try stage.all().map(\.state) == [.sent])
        #expect(try stage.journal.unfinished().isEmpty)
        #expect(stage.journal.nextDeadline == nil)
    }

    @Test("an idle journal wants nothing")
    func idle() throws {
        let stage = try JournalStage()
        #expect(stage.journal.nextDeadline == nil)
        #expect(stage.commit() == .committed)
        let row = try stage.row(stage.incoming("x", id: "1"))
        stage.journal.mark(row, .handled)
        stage.commit()
        while let deadline = stage.journal.nextDeadline {
            #expect(deadline >= stage.now)
            stage.now = deadline
            stage.commit()
        }
        #expect(stage.journal.backlog.isEmpty)
    }

    @Test("only the end of the log is searched for what is left, however old the oldest open command is")
    func settled() throws {
        let stage = try JournalStage()
        let old = try stage.row(stage.incoming("old", id: "old"))
        for number in 0..<500 { _ = stage.admit(stage.incoming("x", id: "\(number)"), state: .handled) }
        stage.commit()
        #expect(stage.journal.settled.value == old.number)
        try stage.restart()
        #expect(try stage.journal.unfinished().map(\.row) == [old])
        stage.journal.mark(old, .handled)
        stage.commit()
        #expect(stage.journal.settled.value == 502)
        try stage.restart()
        #expect(stage.journal.settled.value == 502)
        #expect(try stage.journal.unfinished().isEmpty)
    }

    @Test("the commands that wait in a conversation, committed or not, oldest first")
    func waiting() throws {
        let stage = try JournalStage()
        var rows: [RowID] = []
        for number in 0..<10 {
            rows.append(try stage.row(stage.incoming("a\(number)", id: "\(number)")))
            _ = stage.admit(stage.incoming("b\(number)", from: "bob@example.org", id: "\(number)"))
            if number == 6 { stage.commit() }
        }
        let journal = stage.journal
        journal.mark(rows[2], .handled)
        journal.mark(rows[8], .started)
        let peer = "alice@example.org"
        #expect(try journal.waiting(peer: peer, after: rows[0], limit: 3).map(\.body) == ["a1", "a3", "a4"])
        #expect(try journal.waiting(peer: peer, after: rows[4], limit: 99).map(\.body) == ["a5", "a6", "a7", "a9"])
        #expect(try journal.waiting(peer: peer, after: rows[9], limit: 99).isEmpty)
        #expect(try journal.waiting(peer: "carol@example.org", after: RowID(0), limit: 99).isEmpty)
        stage.commit()
        #expect(try journal.waiting(peer: peer, after: rows[4], limit: 99).map(\.body) == ["a5", "a6", "a7", "a9"])
        try stage.restart()
        #expect(
            try stage.journal.waiting(peer: peer, after: rows[0], limit: 99).map(\.body)
                == ["a1", "a3", "a4", "a5", "a6", "a7", "a9"])
    }

    @Test("a row number is never given twice, though its row be deleted")
    func deleted() throws {
        let stage = try JournalStage()
        for number in 0..<5 { _ = stage.admit(stage.incoming("x", id: "\(number)"), state: .handled) }
        stage.commit()
        stage.journal.close(now: stage.now)
        try Connection(stage.scratch.file("j.db"), .write).execute("DELETE FROM messages")
        try stage.restart()
        #expect(try stage.row(stage.incoming("x", id: "new")) == RowID(6))
    }

    @Test("a process killed while it writes leaves whole turns, and at least all that it said were in")
    func killed() throws {
        let scratch = Scratch()
        let writer = try Program.writingForever(scratch.file("j.db"))
        var newest: Int64 = 0
        while newest < 4_000, let line = writer.nextLine() { newest = Int64(line) ?? newest }
        writer.kill()
        while let line = writer.nextLine() { newest = Int64(line) ?? newest }
        #expect(newest >= 4_000)
        let journal = try Journal(path: scratch.file("j.db"), accounts: [JournalStage.own], log: .silent)
        let reader = try JournalReader(path: scratch.file("j.db"))
        #expect(try reader.check().isEmpty)
        let rows = try reader.messages(after: RowID(0), limit: 10_000_000)
        // A turn is twenty messages and their answers.
        #expect(rows.count % 40 == 0)
        #expect(rows.last.map { $0.row.number >= newest } == true)
        #expect(rows.map(\.row.number) == Array(1...Int64(rows.count)))
        for pair in stride(from: 0, to: rows.count, by: 2) where rows[pair].body != rows[pair + 1].body {
            Issue.record("row \(pair) and its answer are torn")
        }
        let open = try journal.unfinished().filter { $0.direction == .incoming }
        #expect(open.count == rows.count / 40)
        #expect(open.allSatisfy { $0.body?.hasSuffix("part 7") == true })
    }
}
