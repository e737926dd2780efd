import BellhopDiagnostics
import BellhopXMPP
import Synchronization
import Testing

@testable import BellhopJournal

@Suite("Journal, what is too old")
struct RetentionTests {
    private static let day = Duration.seconds(86_400)
    private static let now = Timestamp(milliseconds: 100 * 86_400_000)

    private func stage(window: Int = 4) throws -> JournalStage {
        var options = JournalOptions()
        options.duplicateWindow = window
        return try JournalStage(options)
    }

    /// Sweeps until nothing is too old; how often something was, and when to look again.
    private func sweep(_ stage: JournalStage, keep: Duration = day * 10) throws -> (batches: Int, next: Duration) {
        var batches = 0
        while true {
            let retention = Retention(keep: keep, window: stage.journal.options.duplicateWindow, now: Self.now)
            switch try retention.sweep(stage.journal.connection) {
            case .more: batches += 1
            case .done(let next): return (batches, next)
            }
        }
    }

    /// Commits, however long somebody else has the lock: the journal's clock runs as fast as the test wants.
    private func commit(_ stage: JournalStage) {
        while true {
            switch stage.commit() {
            case .committed, .recovered: return
            case .waiting, .holding, .full: stage.now = stage.journal.nextDeadline ?? stage.now
            }
        }
    }

    private func moment(daysAgo days: Int64) -> Int64 { Self.now.milliseconds - days * 86_400_000 }

    @Test("old rows go in small batches, younger ones stay, and the next look is when one becomes too old")
    func plain() throws {
        let stage = try stage()
        for number in 0..<200 {
            _ = try stage.row(stage.incoming("old", id: "o\(number)"), state: .handled, at: moment(daysAgo: 20))
        }
        for number in 0..<10 {
            _ = try stage.row(stage.incoming("young", id: "y\(number)"), state: .handled, at: moment(daysAgo: 3))
        }
        stage.commit()
        let (batches, next) = try sweep(stage)
        #expect(batches == 4)
        #expect(next == Self.day * 7)
        #expect(try stage.all().map(\.body) == [String?](repeating: "young", count: 10))
        #expect(try stage.reader.check().isEmpty)
    }

    @Test("what a message made run goes with it, and among the newest its words go")
    func audited() throws {
        let stage = try stage(window: 2)
        for number in 0..<10 {
            let row = try stage.row(
                stage.incoming("secret \(number)", id: "o\(number)"), state: .handled, at: moment(daysAgo: 20))
            stage.journal.audit(
                AuditRecord(
                    row: row, account: stage.account, at: Timestamp(milliseconds: 0), jid: "ann@example.org",
                    command: "say",
                    typed: "say secret \(number)", rule: "admins[0]", outcome: "answered"))
        }
        stage.commit()
        _ = try sweep(stage)
        let left = try stage.journal.audited(last: 100)
        #expect(!left.isEmpty && left.count < 10)
        #expect(left.allSatisfy { $0.typed == "say" })
    }

    @Test("what waits to be run or sent stays, whatever its age")
    func waiting() throws {
        let stage = try stage(window: 1)
        _ = try stage.row(stage.incoming("done", id: "1"), state: .handled, at: 1)
        _ = try stage.row(stage.incoming("open", id: "2"), at: 1)
        _ = try stage.row(stage.incoming("begun", id: "3"), state: .started, at: 1)
        let sent = stage.journal.queue(stage.outgoing("sent"), at: Timestamp(milliseconds: 1))
        stage.commit()
        stage.journal.sent(through: sent.row, account: stage.account, now: stage.now)
        stage.now += .seconds(2)
        stage.commit()
        _ = stage.journal.queue(stage.outgoing("queued"), at: Timestamp(milliseconds: 1))
        _ = try stage.row(stage.incoming("young", id: "4"), state: .handled, at: moment(daysAgo: 1))
        stage.commit()
        _ = try sweep(stage)
        #expect(try stage.all().map(\.body) == ["open", "begun", "queued", "young"])
        try stage.restart()
        #expect(try stage.journal.unfinished().map(\.body) == ["open", "begun", "queued"])
    }

    @Test("among the newest rows the texts go, and duplicates are found after a restart all the same")
    func window() throws {
        let stage = try stage(window: 4)
        for number in 1...6 {
            let entry = stage.incoming("text \(number)", id: "\(number)", archiveID: number == 6 ? "archived" : nil)
            _ = try stage.row(entry, state: .handled, at: 1)
        }
        stage.commit()
        #expect(try sweep(stage).batches == 1)
        #expect(try stage.all().map(\.body) == [nil, nil, nil, nil])
        #expect(try stage.all().map(\.fullLength) == [6, 6, 6, 6])
        var options = JournalOptions()
        options.duplicateWindow = 4
        try stage.restart(options)
        #expect(stage.admit(stage.incoming("text 5", id: "5")) == .duplicate(of: RowID(5)))
        #expect(stage.admit(stage.incoming("text 6", id: "6", archiveID: "archived")) == .duplicate(of: RowID(6)))
        // Clients that count from 1 again use an id for another message.
        #expect(stage.admit(stage.incoming("something else", id: "5")) == .new(RowID(7)))
        #expect(stage.admit(stage.incoming("text 5", from: "bob@example.org", id: "5")) == .new(RowID(8)))
    }

    @Test("a row from before the clock was set back is found behind younger ones")
    func clock() throws {
        let stage = try stage(window: 1)
        _ = try stage.row(stage.incoming("young", id: "1"), state: .handled, at: moment(daysAgo: 1))
        _ = try stage.row(stage.incoming("old", id: "2"), state: .handled, at: moment(daysAgo: 50))
        _ = try stage.row(stage.incoming("young", id: "3"), state: .handled, at: moment(daysAgo: 1))
        stage.commit()
        _ = try sweep(stage)
        #expect(try stage.all().map(\.body) == ["young", "young"])
    }

    @Test("decided requests go, those that wait stay, and no number is given twice")
    func requests() throws {
        let stage = try stage()
        for (number, name) in ["ann", "bea", "cid"].enumerated() {
            _ = stage.journal.request(
                from: "\(name)@x.example", account: stage.account, at: Timestamp(milliseconds: 1))
            if number != 1 {
                stage.journal.decide(Int64(number + 1), .accepted, by: "a", at: Timestamp(milliseconds: 2))
            }
        }
        stage.commit()
        _ = try sweep(stage)
        #expect(try stage.reader.requests(nil).map(\.jid) == ["bea@x.example", "cid@x.example"])
        try stage.restart()
        #expect(
            stage.journal.request(from: "dan@x.example", account: stage.account, at: Timestamp(milliseconds: 3)).0
                .number
                == 4)
    }

    @Test("it works beside the writer, which never waits for longer than a moment")
    func besideTheWriter() async throws {
        let stage = try stage(window: 16)
        for number in 0..<2_000 {
            _ = try stage.row(stage.incoming("old \(number)", id: "o\(number)"), state: .handled, at: 1)
        }
        stage.commit()
        let caretaker = Caretaker(of: stage.journal, keep: Self.day * 10) { Self.now }
        caretaker.start()
        var turn = 0
        while !stage.lines.messages.contains("Old messages were deleted.") {
            turn += 1
            _ = try stage.row(
                stage.incoming("new", id: "n\(turn)"), state: .handled, at: Self.now.milliseconds)
            commit(stage)
            // Without a pause the writer has the lock nearly all the time, and the other may not get it for a minute.
            try await Task.sleep(for: .milliseconds(1))  // waits for a fact: the log line
        }
        caretaker.finish()
        #expect(stage.journal.health.isClear)
        #expect(try stage.all().compactMap(\.body) == [String](repeating: "new", count: turn))
        #expect(try stage.reader.check().isEmpty)
    }
}
