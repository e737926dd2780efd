import BellhopDiagnostics
import BellhopXMPP
import Glibc
import Testing

@testable import BellhopJournal

@Suite("Journal, texts that are not kept")
struct TextTests {
    private func stage(bodies: Bool = false) throws -> JournalStage { try JournalStage(Self.options(bodies: bodies)) }

    private static func options(bodies: Bool) -> JournalOptions {
        var options = JournalOptions()
        options.keepsBodies = bodies
        return options
    }

    private func send(_ queued: Queued, _ stage: JournalStage) {
        stage.journal.sent(through: queued.row, account: stage.account, now: stage.now)
        stage.now += .seconds(2)
        stage.commit()
    }

    /// Lets the minute pass after which the log is emptied, and waits for it.
    private func wipe(_ stage: JournalStage) throws {
        stage.now += Journal.wipeDelay
        #expect(stage.journal.nextDeadline.map { $0 <= stage.now } == true)
        stage.commit()
        // Behind the one that was asked for, on the same queue.
        #expect(stage.journal.checkpointer.emptyAndWait(patience: .zero))
        #expect(stage.journal.nextDeadline == nil)
    }

    @Test("a message that is handled in its turn never has its text in a file; its answer has until it is sent")
    func inline() throws {
        let stage = try stage()
        let row = try stage.row(stage.incoming("QUESTION", id: "1", payload: "<x xmlns='PAYLOAD'/>"))
        stage.journal.mark(row, .handled)
        let answer = stage.queue(stage.outgoing("ANSWER"), answers: row)
        stage.commit()
        #expect(stage.scratch.files(holding: "QUESTION").isEmpty)
        #expect(stage.scratch.files(holding: "PAYLOAD").isEmpty)
        #expect(stage.scratch.files(holding: "ANSWER") == ["j.db-wal"])
        send(answer, stage)
        #expect(try stage.all().map(\.body) == [nil, nil])
        #expect(try stage.all().map(\.fullLength) == [8, 6])
        #expect(try stage.all().map(\.state) == [.handled, .sent])
        try wipe(stage)
        #expect(stage.scratch.files(holding: "ANSWER").isEmpty)
    }

    @Test("a command that has to run after a restart keeps its text until it has run, a message until it is sent")
    func restart() throws {
        let stage = try stage()
        let open = try stage.row(stage.incoming("COMMAND", id: "1"))
        _ = stage.queue(stage.outgoing("UNSENT"))
        stage.commit()
        try stage.restart(Self.options(bodies: false))
        #expect(try stage.journal.unfinished().map(\.body) == ["COMMAND", "UNSENT"])
        stage.journal.mark(open, .handled)
        stage.commit()
        #expect(try stage.all().map(\.body) == [nil, "UNSENT"])
        send(Queued(row: RowID(2), id: ""), stage)
        #expect(try stage.all().map(\.body) == [nil, nil])
        stage.journal.close(now: stage.now)
        #expect(stage.scratch.files(holding: "COMMAND").isEmpty && stage.scratch.files(holding: "UNSENT").isEmpty)
    }

    @Test("a duplicate is found after a restart by sender, id and length")
    func duplicates() throws {
        let stage = try stage()
        _ = try stage.row(stage.incoming("naïve", id: "1"), state: .handled)
        stage.commit()
        #expect(stage.admit(stage.incoming("naïve", id: "1")) == .duplicate(of: RowID(1)))
        try stage.restart(Self.options(bodies: false))
        #expect(stage.admit(stage.incoming("naïve", id: "1")) == .duplicate(of: RowID(1)))
        #expect(stage.admit(stage.incoming("another", id: "1")) == .new(RowID(2)))
    }

    @Test("as long as texts are kept, nothing is done for those that are not")
    func kept() throws {
        let stage = try stage(bodies: true)
        let row = try stage.row(stage.incoming("QUESTION", id: "1"))
        stage.journal.mark(row, .handled)
        send(stage.queue(stage.outgoing("ANSWER"), answers: row), stage)
        #expect(try stage.all().map(\.body) == ["QUESTION", "ANSWER"])
        #expect(stage.journal.wipeDue == nil && stage.journal.transient.isEmpty && stage.journal.unsentTexts.isEmpty)
    }

    @Test("who asks that a message is not stored finds neither it nor its answer kept (XEP-0334)")
    func noStore() throws {
        let stage = try stage(bodies: true)
        var entry = stage.incoming("SECRET", id: "1")
        entry.isTransient = true
        let row = try stage.row(entry)
        let other = try stage.row(stage.incoming("PLAIN", id: "2"), state: .handled)
        stage.commit()
        try stage.restart(Self.options(bodies: true))
        #expect(try stage.journal.message(row)?.body == "SECRET")
        stage.journal.mark(row, .handled)
        let answer = stage.queue(stage.outgoing("SECRET, too"), answers: row)
        let plain = stage.queue(stage.outgoing("PLAIN, too"), answers: other)
        stage.commit()
        #expect(answer.row < plain.row)
        send(plain, stage)
        #expect(try stage.all().map(\.body) == [nil, "PLAIN", nil, "PLAIN, too"])
        try wipe(stage)
        #expect(stage.scratch.files(holding: "SECRET").isEmpty)
        try stage.restart(Self.options(bodies: true))
        #expect(stage.admit(stage.incoming("SECRET", id: "1")) == .duplicate(of: row))
    }
}
