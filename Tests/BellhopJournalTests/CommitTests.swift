import BellhopSQLite
import BellhopXMPP
import Testing

@testable import BellhopJournal

@Suite("Journal, a disk that takes nothing")
struct CommitTests {
    private func locked(_ stage: JournalStage) throws -> Connection {
        let other = try Connection(stage.scratch.file("j.db"), .write)
        try other.execute("BEGIN EXCLUSIVE")
        return other
    }

    @Test("locked for a moment: the bytes wait and nothing is said (C129)")
    func moment() throws {
        let stage = try JournalStage()
        let start = stage.now
        let other = try locked(stage)
        _ = stage.admit(stage.incoming("!ping", id: "1"))
        #expect(stage.commit() == .waiting(since: start))
        let deadline = try #require(stage.journal.nextDeadline)
        #expect(deadline > start)
        #expect(deadline <= start + .milliseconds(2))
        stage.now = deadline
        #expect(stage.commit() == .waiting(since: start))
        try other.execute("COMMIT")
        stage.now = try #require(stage.journal.nextDeadline)
        #expect(stage.commit() == .committed)
        #expect(try stage.all().map(\.body) == ["!ping"])
        #expect(stage.lines.messages.isEmpty)
    }

    @Test("locked for long: the bot goes on after 250 ms, says so once, and writes all in order later (C129)")
    func long() throws {
        let stage = try JournalStage()
        let start = stage.now
        let other = try locked(stage)
        var outcomes: [CommitOutcome] = []
        for number in 0..<40 {
            let row = try stage.row(stage.incoming("in \(number)", id: "\(number)"))
            stage.journal.mark(row, .handled)
            _ = stage.queue(stage.outgoing("out \(number)"), answers: row)
            stage.now = start + .milliseconds(100 * number)
            outcomes.append(stage.commit())
        }
        #expect(outcomes[0...2].allSatisfy { $0 == .waiting(since: start) })
        #expect(outcomes[3...].allSatisfy { $0 == .holding })
        #expect(stage.lines.messages.count == 1)
        #expect(stage.lines.messages.first?.contains("If it is killed now") == true)
        try other.execute("COMMIT")
        stage.now = try #require(stage.journal.nextDeadline)
        #expect(stage.commit() == .recovered)
        #expect(stage.commit() == .committed)
        #expect(stage.lines.messages.count == 2)
        #expect(try stage.all().map(\.body) == (0..<40).flatMap { ["in \($0)", "out \($0)"] })
        #expect(try stage.all().filter { $0.direction == .incoming }.allSatisfy { $0.state == .handled })
    }

    @Test("a short lock after a long one has its patience again")
    func again() throws {
        let stage = try JournalStage()
        for _ in 0..<2 {
            let other = try locked(stage)
            let start = stage.now
            _ = stage.admit(stage.incoming("x"))
            #expect(stage.commit() == .waiting(since: start))
            stage.now += .milliseconds(300)
            #expect(stage.commit() == .holding)
            try other.execute("COMMIT")
            stage.now += .seconds(2)
            #expect(stage.commit() == .recovered)
        }
        #expect(stage.lines.messages.count == 4)
    }

    @Test("with memory used up new commands are refused, and answers still find room")
    func memory() throws {
        var options = JournalOptions()
        options.heldRows = 8
        let stage = try JournalStage(options)
        let other = try locked(stage)
        for number in 0..<8 {
            #expect(stage.admit(stage.incoming("x", id: "\(number)")) == .new(RowID(Int64(number) + 1)))
            stage.commit()
            stage.now += .milliseconds(100)
        }
        #expect(stage.commit() == .full)
        #expect(stage.journal.isFull)
        #expect(stage.admit(stage.incoming("y", id: "y")) == .refused)
        let first = stage.queue(stage.outgoing("declined"))
        let second = stage.queue(stage.outgoing("declined"))
        let third = stage.queue(stage.outgoing("declined"))
        #expect(first.row != .unstored)
        #expect(second.row != .unstored)
        #expect(third.row == .unstored)
        #expect(Set([first.id, second.id, third.id]).count == 3)
        stage.journal.mark(third.row, .failed, reason: "nothing")
        let greeted = try stage.journal.greetOnce(
            "new@example.test", account: stage.account, at: Timestamp(milliseconds: 0))
        #expect(!greeted)
        try other.execute("COMMIT")
        stage.now += .seconds(2)
        #expect(stage.commit() == .recovered)
        // What was refused may come again.
        #expect(stage.admit(stage.incoming("y", id: "y")) != .refused)
        stage.commit()
        let rows = try stage.all()
        #expect(rows.map(\.row) == rows.map(\.row).sorted())
        #expect(rows.map(\.body) == Array(repeating: "x", count: 8) + ["declined", "declined", "y"])
    }

    @Test("held bytes count as well as rows")
    func heldBytes() throws {
        var options = JournalOptions()
        options.heldBytes = 100_000
        let stage = try JournalStage(options)
        let other = try locked(stage)
        _ = stage.admit(stage.incoming("x", id: "0"))
        stage.commit()
        var number = 0
        while !stage.journal.isFull, number < 1_000 {
            number += 1
            _ = stage.admit(stage.incoming(String(repeating: "x", count: 1_000), id: "\(number)"))
        }
        #expect((60..<100).contains(number))
        try other.execute("COMMIT")
    }

    @Test("a full disk: the bot goes on, and the journal too once there is room (C132)")
    func diskFull() throws {
        let stage = try JournalStage()
        _ = stage.admit(stage.incoming("before", id: "b"))
        stage.commit()
        let pages = try #require(try stage.journal.connection.integer("PRAGMA page_count"))
        _ = try stage.journal.connection.integer("PRAGMA max_page_count = \(pages)")
        for number in 0..<50 {
            _ = stage.admit(stage.incoming(String(repeating: "x", count: 1_000), id: "\(number)"))
            stage.commit()
            stage.now += .milliseconds(50)
        }
        #expect(stage.journal.health.isHolding)
        #expect(stage.commit() == .holding)
        #expect(try stage.all().first?.body == "before")
        _ = try stage.journal.connection.integer("PRAGMA max_page_count = 100000")
        stage.now += .seconds(2)
        #expect(stage.commit() == .recovered)
        #expect(try stage.all().count == 51)
        #expect(stage.lines.messages.count == 2)
        #expect(!stage.journal.connection.isInTransaction)
    }

    @Test("what is held when the journal is closed is written, or reported as lost")
    func closing() throws {
        let stage = try JournalStage()
        let other = try locked(stage)
        _ = stage.admit(stage.incoming("x", id: "1"))
        stage.commit()
        try other.execute("COMMIT")
        #expect(stage.journal.close(now: stage.now))
        try stage.restart()
        #expect(try stage.all().count == 1)
        let again = try locked(stage)
        _ = stage.admit(stage.incoming("y", id: "2"))
        #expect(!stage.journal.close(now: stage.now))
        try again.execute("COMMIT")
    }

    @Test("no line holds a body")
    func privacy() throws {
        let stage = try JournalStage()
        let other = try locked(stage)
        _ = stage.admit(stage.incoming("a secret", id: "1"))
        stage.commit()
        stage.now += .milliseconds(300)
        stage.commit()
        #expect(!stage.lines.messages.isEmpty)
        #expect(!stage.lines.everything.contains("secret"))
        try other.execute("COMMIT")
    }
}
