import BellhopSQLite
import Testing

@testable import BellhopJournal

@Suite("Journal, messages that have left")
struct DepartureTests {
    private func states(_ stage: JournalStage) throws -> [RowState] { try stage.all().map(\.state) }

    private func queue(_ count: Int, _ stage: JournalStage) -> [RowID] {
        (0..<count).map { stage.queue(stage.outgoing("text \($0)")).row }
    }

    /// Lets the marks become due.
    private func commit(_ stage: JournalStage) {
        stage.now += .seconds(2)
        stage.commit()
    }

    @Test("acknowledged in order, one mark does for all")
    func inOrder() throws {
        let stage = try JournalStage()
        let rows = queue(3, stage)
        stage.commit()
        stage.journal.departed(Array(rows.prefix(2)), isAcknowledged: true, account: stage.account, now: stage.now)
        commit(stage)
        #expect(try states(stage) == [.acknowledged, .acknowledged, .queued])
        #expect(try stage.journal.connection.integer("SELECT count(*) FROM messages WHERE state = 0") == 3)
        try stage.restart()
        #expect(try stage.journal.unfinished().map(\.row) == [rows[2]])
    }

    @Test("what overtakes others is marked by itself, and nothing before it is forgotten")
    func outOfOrder() throws {
        let stage = try JournalStage()
        let rows = queue(4, stage)
        stage.commit()
        stage.journal.departed([rows[1], rows[3]], isAcknowledged: true, account: stage.account, now: stage.now)
        commit(stage)
        #expect(try states(stage) == [.queued, .acknowledged, .queued, .acknowledged])
        try stage.restart()
        #expect(try stage.journal.unfinished().map(\.row) == [rows[0], rows[2]])
        stage.journal.departed([rows[0]], isAcknowledged: true, account: stage.account, now: stage.now)
        commit(stage)
        try stage.restart()
        #expect(try stage.journal.unfinished().map(\.row) == [rows[2]])
        stage.journal.departed([rows[2]], isAcknowledged: true, account: stage.account, now: stage.now)
        commit(stage)
        #expect(try states(stage) == Array(repeating: .acknowledged, count: 4))
    }

    @Test("what was only written says so, before and behind acknowledgements")
    func written() throws {
        let stage = try JournalStage()
        let rows = queue(3, stage)
        stage.journal.departed([rows[0]], isAcknowledged: false, account: stage.account, now: stage.now)
        commit(stage)
        #expect(try states(stage) == [.sent, .queued, .queued])
        stage.journal.departed([rows[1]], isAcknowledged: true, account: stage.account, now: stage.now)
        stage.journal.departed([rows[2]], isAcknowledged: false, account: stage.account, now: stage.now)
        commit(stage)
        #expect(try states(stage).suffix(2) == [.acknowledged, .sent])
        try stage.restart()
        #expect(try stage.journal.unfinished().isEmpty)
    }

    @Test("a bounce ends a message that waits for its acknowledgement, and those behind it are not held up")
    func bounced() throws {
        let stage = try JournalStage()
        let rows = queue(2, stage)
        let id = stage.journal.identifier(rows[0], 0)
        stage.commit()
        #expect(stage.journal.fail(id: id, to: "alice@example.org", reason: "gone", at: JournalStage.later) == rows[0])
        stage.journal.departed([rows[1]], isAcknowledged: true, account: stage.account, now: stage.now)
        commit(stage)
        #expect(try states(stage) == [.failed, .acknowledged])
        // Its own acknowledgement, which comes later, changes nothing.
        stage.journal.departed([rows[0]], isAcknowledged: true, account: stage.account, now: stage.now)
        commit(stage)
        #expect(try states(stage) == [.failed, .acknowledged])
        try stage.restart()
        #expect(try stage.journal.unfinished().isEmpty)
    }

    @Test("rows that are unknown or were never stored change nothing")
    func unknown() throws {
        let stage = try JournalStage()
        let rows = queue(1, stage)
        stage.journal.departed(
            [.unstored, RowID(77), RowID(-4)], isAcknowledged: true, account: stage.account, now: stage.now)
        commit(stage)
        #expect(try states(stage) == [.queued])
        #expect(try stage.journal.unfinished().map(\.row) == rows)
    }

    @Test("a stream whose queue has shrunk is kept together with the mark of what was acknowledged")
    func streamAndMark() throws {
        let stage = try JournalStage()
        let rows = queue(3, stage)
        stage.journal.keepStream("three in the queue", account: stage.account)
        stage.commit()
        stage.journal.departed(Array(rows.prefix(2)), isAcknowledged: true, account: stage.account, now: stage.now)
        stage.journal.keepStream("one in the queue", account: stage.account)
        stage.commit()
        // As a process that is killed now leaves it.
        let connection = stage.journal.connection
        #expect(try stage.journal.keptStream(account: stage.account) == "one in the queue")
        #expect(try connection.integer("SELECT acknowledged FROM accounts") == rows[1].number)
        #expect(try connection.integer("SELECT sent FROM accounts") == rows[1].number)
    }

    @Test("the stream is kept with the rows of its turn, or not at all")
    func stream() throws {
        let stage = try JournalStage()
        #expect(try stage.journal.keptStream(account: stage.account) == nil)
        _ = queue(1, stage)
        stage.journal.keepStream("one", account: stage.account)
        #expect(try stage.journal.keptStream(account: stage.account) == nil, "before the commit")
        stage.commit()
        stage.journal.keepStream("two", account: stage.account)
        stage.journal.keepStream("three", account: stage.account)
        stage.commit()
        try stage.restart()
        #expect(try stage.journal.keptStream(account: stage.account) == "three")
        stage.journal.keepStream(nil, account: stage.account)
        stage.commit()
        try stage.restart()
        #expect(try stage.journal.keptStream(account: stage.account) == nil)
    }
}
