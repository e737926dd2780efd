import BellhopDiagnostics
import BellhopSQLite
import BellhopXMPP
import Testing

@testable import BellhopJournal

@Suite("Journal, what waits and what came back")
struct OutboxTests {
    private func query(
        _ stage: JournalStage, to peer: String? = nil, since: Int64 = 0, failedOnly: Bool = false, limit: Int = 100
    ) -> OutboxQuery {
        OutboxQuery(
            account: stage.account, peer: peer, since: Timestamp(milliseconds: since), failedOnly: failedOnly,
            limit: limit)
    }

    private func listed(_ stage: JournalStage, _ query: OutboxQuery) throws -> [String] {
        try stage.journal.outbox(query).messages.map { "\($0.message.row.number) \($0.message.state)" }
    }

    /// A message that was sent and came back.
    private func returned(_ stage: JournalStage, _ body: String = "hello", to peer: String = "alice@example.org")
        throws -> RowID
    {
        let queued = stage.queue(stage.outgoing(body, to: peer))
        stage.journal.departed([queued.row], isAcknowledged: false, account: stage.account, now: stage.now)
        stage.commit()
        #expect(
            stage.journal.fail(id: queued.id, to: peer, reason: "item-not-found", at: JournalStage.later) == queued.row)
        return queued.row
    }

    private func requeue(_ row: RowID, _ stage: JournalStage) throws {
        stage.journal.requeue(try #require(try stage.journal.current(row)), reason: "again")
    }

    @Test(
        "what waits and what came back is listed, this turn's as well as what is in the file", arguments: [false, true])
    func listed(isCommitted: Bool) throws {
        let stage = try JournalStage()
        let failed = try returned(stage)
        _ = stage.queue(stage.outgoing("waits", to: "bob@example.org"))
        if isCommitted { stage.commit() }
        #expect(try listed(stage, query(stage)) == ["1 failed", "2 queued"])
        #expect(try listed(stage, query(stage, failedOnly: true)) == ["1 failed"])
        #expect(try listed(stage, query(stage, to: "bob@example.org")) == ["2 queued"])
        #expect(try listed(stage, query(stage, since: 3_001)) == ["2 queued"])
        let page = try stage.journal.outbox(query(stage, limit: 1))
        #expect(page.messages.map(\.message.row.number) == [2] && page.more == 1)
        #expect(try stage.journal.outbox(query(stage)).messages.first?.failedAt == JournalStage.later)
        #expect(try stage.journal.failedCount(stage.account, since: Timestamp(milliseconds: 0)) == 1)
        #expect(try stage.journal.failedCount(stage.account, since: Timestamp(milliseconds: 3_001)) == 0)
        #expect(failed == RowID(1))
    }

    @Test("a reader in another process sees the same as the writer")
    func reader() throws {
        let stage = try JournalStage()
        _ = try returned(stage)
        let again = try returned(stage)
        _ = stage.queue(stage.outgoing("waits"))
        try requeue(again, stage)
        stage.commit()
        func read(_ since: Int64, failedOnly: Bool = false, limit: Int = 10, of account: String = JournalStage.own)
            throws
            -> OutboxPage
        {
            try stage.reader.outbox(
                of: account, since: Timestamp(milliseconds: since), failedOnly: failedOnly, limit: limit)
        }
        #expect(try read(0) == stage.journal.outbox(query(stage)))
        #expect(try read(0).messages.map(\.message.state) == [.failed, .requeued, .queued])
        #expect(try read(3_001).messages.map(\.message.state) == [.requeued, .queued])
        #expect(try read(0, failedOnly: true).messages.map(\.message.state) == [.failed])
        #expect(try read(0, limit: 2).more == 1)
        #expect(try read(0, of: "nobody@example.org") == OutboxPage())
    }

    @Test("what is sent again is unsent in its old place, over any restart, until it is marked by itself")
    func again() throws {
        let stage = try JournalStage()
        let row = try returned(stage)
        stage.commit()
        // The mark is far behind it.
        let last = stage.queue(stage.outgoing("later"))
        stage.journal.sent(through: last.row, account: stage.account, now: stage.now)
        try stage.restart()
        try requeue(row, stage)
        #expect(try stage.journal.unfinished().map(\.row) == [row])
        stage.commit()
        let waits = stage.queue(stage.outgoing("waits"))
        #expect(try stage.journal.unfinished().map(\.row) == [row, waits.row])
        #expect(try stage.journal.queuedCount(stage.account) == 2)
        for _ in 1...2 {
            try stage.restart()
            #expect(
                try stage.journal.unfinished().map { "\($0.row.number) \($0.state) \($0.body ?? "")" } == [
                    "1 requeued hello", "3 queued waits",
                ])
            #expect(stage.journal.isRequeued(row) && !stage.journal.isRequeued(waits.row))
        }
        stage.journal.sent(through: waits.row, account: stage.account, now: stage.now)
        #expect(try stage.journal.unfinished().map(\.row) == [row])
        stage.journal.departed([row], isAcknowledged: false, account: stage.account, now: stage.now)
        // A kill now would send it once more, so it is stored at once.
        #expect(stage.journal.nextDeadline == stage.now)
        stage.commit()
        #expect(try stage.journal.unfinished().isEmpty && stage.journal.requeued.isEmpty)
        try stage.restart()
        #expect(try stage.journal.unfinished().isEmpty && stage.journal.requeued.isEmpty)
        #expect(try listed(stage, query(stage)).isEmpty)
        let stored = try #require(try stage.journal.message(row))
        #expect(stored.state == .sent && stored.reason == "again" && stored.body == "hello")
    }

    @Test("what was sent again and came back again is listed again, with the later moment")
    func againAndAgain() throws {
        let stage = try JournalStage()
        let row = try returned(stage)
        stage.commit()
        let id = try #require(try stage.journal.message(row)?.id)
        try requeue(row, stage)
        stage.journal.departed([row], isAcknowledged: false, account: stage.account, now: stage.now)
        let moment = Timestamp(milliseconds: 9_000)
        #expect(stage.journal.fail(id: id, to: "alice@example.org", reason: "gone", at: moment) == row)
        stage.commit()
        let page = try stage.journal.outbox(query(stage))
        #expect(page.messages.map(\.failedAt) == [moment])
        #expect(page.messages.first?.message.reason == "gone")
        // A bounce that comes before the message left again leaves nothing to send.
        try requeue(row, stage)
        _ = stage.journal.fail(id: id, to: "alice@example.org", reason: "gone", at: moment)
        #expect(stage.journal.requeued.isEmpty)
        try stage.restart()
        #expect(try stage.journal.unfinished().isEmpty)
        #expect(try listed(stage, query(stage)) == ["1 failed"])
    }

    @Test("what is given up is neither listed nor sent, and says by whom", arguments: [false, true])
    func dropped(isRequeued: Bool) throws {
        let stage = try JournalStage()
        let row = try returned(stage)
        let waits = stage.queue(stage.outgoing("waits"))
        stage.commit()
        if isRequeued { try requeue(row, stage) }
        for row in [row, waits.row] { stage.journal.drop(row, reason: "by ann", now: stage.now) }
        #expect(try stage.journal.unfinished().isEmpty)
        try stage.restart()
        #expect(try stage.journal.unfinished().isEmpty && stage.journal.requeued.isEmpty)
        #expect(try listed(stage, query(stage)).isEmpty)
        #expect(try stage.all().map(\.state) == [.dropped, .dropped])
        #expect(try stage.all().map(\.reason) == ["by ann", "by ann"])
        #expect(try stage.journal.connection.integer("SELECT count(*) FROM outbox") == 0)
    }

    @Test("a text that is not kept goes with what is given up, and cannot be sent again")
    func transient() throws {
        var options = JournalOptions()
        options.keepsBodies = false
        let stage = try JournalStage(options)
        let row = try returned(stage)
        let early = try #require(try stage.journal.current(row))
        #expect(!stage.journal.keepsText(of: early))
        let waits = stage.queue(stage.outgoing("secret"))
        stage.commit()
        stage.journal.drop(waits.row, reason: "by ann", now: stage.now)
        stage.commit()
        #expect(try stage.journal.message(waits.row)?.body == nil)
        #expect(try stage.journal.message(waits.row)?.fullLength == 6)
        try stage.restart(options)
        let late = try #require(try stage.journal.current(row))
        #expect(late.body == nil && !stage.journal.keepsText(of: late))
        #expect(try stage.journal.connection.integer("SELECT count(*) FROM messages WHERE body = 'secret'") == 0)
    }

    @Test("what is sent again is what was sent, however little is kept of what comes in")
    func whole() throws {
        var options = JournalOptions()
        options.bodyLimit = 10
        options.payloadLimit = 5
        let stage = try JournalStage(options)
        let text = String(repeating: "é", count: 70_000)
        var entry = stage.outgoing(text)
        entry.payload = "<long xmlns='urn:example'/>"
        let row = stage.queue(entry).row
        // Before it is committed, behind the commit, and after a restart.
        for step in 0..<3 {
            if step == 1 { stage.commit() }
            if step == 2 { try stage.restart(options) }
            let account = try #require(stage.journal.account(JournalStage.own))
            let again = try #require(try stage.journal.queued(account, after: RowID(0), limit: 1).first)
            #expect(again.row == row)
            #expect(again.body == text)
            #expect(again.fullLength == nil)
            #expect(again.payload == entry.payload)
            #expect(stage.journal.keepsText(of: try #require(try stage.journal.current(row))))
        }
    }

    @Test("a row of an older version whose text was cut is known not to be whole")
    func cut() throws {
        let stage = try JournalStage()
        let row = try returned(stage, "abc")
        try stage.journal.connection.execute("UPDATE messages SET length = 11 WHERE seq = \(row.number)")
        #expect(!stage.journal.keepsText(of: try #require(try stage.journal.current(row))))
    }

    @Test(
        "what came back before there was an outbox is in it after the upgrade, and the log says the new states in words"
    )
    func upgrade() throws {
        let scratch = Scratch()
        let connection = try Connection(scratch.file("j.db"), .create)
        try Schema(steps: Array(Schema.current.steps.prefix(2))).migrate(connection, from: 0)
        try connection.execute(
            """
            INSERT INTO accounts (id, jid, sent) VALUES (1, '\(JournalStage.own)', 9);
            INSERT INTO messages (seq, account, direction, kind, state, received_at, peer, id, body) VALUES
                (7, 1, 1, 0, 9, 5, 'a@b.example', 'x7', 'came back'), (8, 1, 1, 0, 0, 5, 'a@b.example', 'x8', 'sent'),
                (9, 1, 0, 0, 1, 5, 'a@b.example', 'x9', 'handled')
            """)
        let journal = try Journal(path: scratch.file("j.db"), accounts: [JournalStage.own], log: .silent)
        defer { journal.close(now: .zero) }
        let account = try #require(journal.account(JournalStage.own))
        let page = try journal.outbox(OutboxQuery(account: account, since: Timestamp(milliseconds: 5), limit: 10))
        #expect(page.messages.map(\.message.row.number) == [7])
        journal.requeue(try #require(try journal.current(RowID(7))), reason: "again")
        journal.drop(RowID(8), reason: "by ann", now: .zero)
        journal.commit(now: .zero)
        #expect(try connection.text("SELECT state FROM log WHERE seq = 7") == "requeued")
        #expect(try connection.text("SELECT state FROM log WHERE seq = 8") == "dropped")
    }

    @Test("what is to be sent again is never too old, and what came back goes with its row")
    func tooOld() throws {
        var options = JournalOptions()
        options.duplicateWindow = 1
        let stage = try JournalStage(options)
        let again = try returned(stage)
        _ = try returned(stage)
        try requeue(again, stage)
        _ = stage.queue(stage.outgoing("newest"))
        stage.commit()
        let retention = Retention(keep: .seconds(1), window: 1, now: Timestamp(milliseconds: 100_000))
        while case .more = try retention.sweep(stage.journal.connection) {}
        #expect(try stage.journal.unfinished().map(\.row.number) == [1, 3])
        #expect(try stage.journal.connection.integer("SELECT count(*) FROM outbox") == 1)
        #expect(try listed(stage, query(stage)) == ["1 requeued", "3 queued"])
    }

    @Test("what was to be sent again when a backup was made is not sent after it was restored, but listed")
    func restored() throws {
        let stage = try JournalStage()
        let row = try returned(stage)
        try requeue(row, stage)
        stage.commit()
        let file = stage.scratch.file("copy")
        try JournalBackup(journal: stage.scratch.file("j.db")).write(to: file, replacing: true)
        stage.journal.close(now: stage.now)
        #expect(try JournalRestore(journal: stage.scratch.file("j.db")).run(from: file).ended == 1)
        try stage.restart()
        #expect(try stage.journal.unfinished().isEmpty)
        let page = try stage.journal.outbox(query(stage))
        #expect(page.messages.map(\.message.reason) == ["restored from a backup"])
    }

    @Test("nothing of the outbox is left of who is forgotten, and nothing is sent to them any more")
    func forgotten() throws {
        let stage = try JournalStage()
        let alice = try returned(stage)
        let bob = try returned(stage, to: "bob@example.org")
        for row in [alice, bob] { try requeue(row, stage) }
        stage.commit()
        let last = try #require(stage.journal.beginForgetting("alice@example.org", now: stage.now))
        let caretaker = Caretaker(of: stage.journal, keep: nil)
        stage.journal.endForgetting(try caretaker.forgetAndWait("alice@example.org", through: last).get())
        caretaker.finish()
        #expect(try stage.journal.unfinished().map(\.row) == [bob])
        #expect(try stage.journal.connection.integer("SELECT count(*) FROM outbox") == 1)
    }
}
