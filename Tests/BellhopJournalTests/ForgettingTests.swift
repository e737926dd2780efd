import BellhopDiagnostics
import BellhopSQLite
import BellhopXMPP
import Glibc
import Synchronization
import Testing

@testable import BellhopJournal

@Suite("Journal, forgetting somebody")
struct ForgettingTests {
    private static let person = "mallory@secret.example"
    private static let text = "FORGETME"

    private func forget(_ stage: JournalStage) throws -> Forgetting.Outcome {
        let last = try #require(stage.journal.beginForgetting(Self.person, now: stage.now))
        let caretaker = Caretaker(of: stage.journal, keep: nil)
        defer { caretaker.finish() }
        let outcome = try caretaker.forgetAndWait(Self.person, through: last).get()
        stage.journal.endForgetting(outcome)
        return outcome
    }

    /// Fills a journal with conversations, late bounces and changed states, from which SQLite moves rows about.
    private func fill(_ stage: JournalStage, turns: Int, seed: UInt64) throws {
        var state = seed
        func random(_ limit: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % limit)
        }
        var open: [RowID] = []
        for turn in 0..<turns {
            let isTheirs = random(3) == 0
            let peer = isTheirs ? Self.person : "p\(random(7))@example.org"
            let word = isTheirs ? Self.text : "harmless"
            let body = String(repeating: word, count: 1 + random(random(8) == 0 ? 3_000 : 40))
            let row = try stage.row(stage.incoming(body, from: peer, id: "t\(turn)"), state: .started)
            stage.journal.audit(
                AuditRecord(
                    row: row, account: stage.account, at: Timestamp(milliseconds: 0), jid: peer, command: "say",
                    typed: body,
                    rule: "admins[0]", outcome: "answered"))
            let answer = stage.queue(stage.outgoing(body, to: peer), answers: row)
            open.append(row)
            if random(4) == 0 {
                stage.journal.fail(
                    id: answer.id, to: peer, reason: String(repeating: "r", count: 90), at: JournalStage.later)
            }
            if random(2) == 0, let old = open.first {
                open.removeFirst()
                stage.journal.mark(old, random(5) == 0 ? .declined : .handled, reason: random(3) == 0 ? "late" : nil)
            }
            if random(3) == 0 { stage.commit() }
        }
        for row in open { stage.journal.mark(row, .handled) }
        stage.commit()
    }

    @Test("no row, no unused room and no log has a byte of the text, whatever moved before", arguments: 1...6)
    func bytes(seed: UInt64) throws {
        let stage = try JournalStage()
        try fill(stage, turns: 700, seed: seed)
        #expect(!stage.scratch.files(holding: Self.text).isEmpty)
        let others = try stage.all().filter { $0.peer != Self.person }
        let outcome = try forget(stage)
        #expect(outcome.rows.count > 100)
        #expect(stage.scratch.files(holding: Self.text).isEmpty)
        #expect(stage.scratch.files(holding: Self.person).isEmpty)
        #expect(try stage.all() == others)
        #expect(try stage.reader.check().isEmpty)
        // The bot goes on, and what it writes now brings nothing back.
        _ = try stage.row(stage.incoming("next", id: "next"), state: .handled)
        stage.commit()
        stage.journal.close(now: stage.now)
        #expect(stage.scratch.files(holding: Self.text).isEmpty)
    }

    @Test("what earlier deletions left behind in unused room goes, too")
    func residue() throws {
        var found = false
        for seed in UInt64(1)...20 where !found {
            let stage = try JournalStage()
            try fill(stage, turns: 700, seed: seed)
            // As a program would that knows nothing better.
            try stage.journal.connection.execute("DELETE FROM messages WHERE peer = '\(Self.person)'")
            #expect(stage.journal.checkpointer.emptyAndWait(patience: .zero))
            guard !stage.scratch.files(holding: Self.text).isEmpty else { continue }
            found = true
            #expect(try stage.journal.connection.hasResidue())
            #expect(try forget(stage).rows.isEmpty)
            #expect(stage.scratch.files(holding: Self.text).isEmpty)
            #expect(stage.lines.messages.contains { $0.hasPrefix("The journal is written anew") })
            #expect(try !stage.journal.connection.hasResidue())
        }
        #expect(found)
    }

    @Test("beside a writer who goes on, even where the file is written anew, no row of others is lost")
    func besideTheWriter() async throws {
        let stage = try JournalStage()
        try fill(stage, turns: 700, seed: 3)
        try stage.journal.connection.execute("PRAGMA secure_delete = OFF")
        try stage.journal.connection.execute("DELETE FROM messages WHERE seq % 5 = 0")
        let before = try stage.all().filter { $0.peer != Self.person }.count
        let last = try #require(stage.journal.beginForgetting(Self.person, now: stage.now))
        let caretaker = Caretaker(of: stage.journal, keep: nil)
        let result = Mutex<Result<Forgetting.Outcome, ForgetError>?>(nil)
        caretaker.forget(Self.person, through: last) { given in result.withLock { $0 = given } }
        var turns = 0
        while result.withLock({ $0 == nil }) {
            // While the file is written anew rows are held in memory, and memory has an end.
            if !stage.journal.isFull {
                turns += 1
                _ = try stage.row(stage.incoming("meanwhile", id: "w\(turns)"), state: .handled)
            }
            stage.commit()
            stage.now += .milliseconds(5)
            // Without a pause the writer has the lock nearly all the time, and the other may never get it.
            try await Task.sleep(for: .milliseconds(1))  // waits for a fact: the answer
        }
        #expect(try result.withLock { try $0?.get().rows.isEmpty } == false)
        #expect(stage.lines.messages.contains { $0.hasPrefix("The journal is written anew") })
        caretaker.finish()
        stage.now += .seconds(2)
        stage.commit()
        #expect(stage.journal.health.isClear && stage.journal.unlogged == 0)
        #expect(try stage.all().count == before + turns)
        #expect(stage.scratch.files(holding: Self.text).isEmpty)
        #expect(try stage.reader.check().isEmpty)
    }

    @Test("requests, greetings and decisions go with the messages, in memory too")
    func everywhere() throws {
        let stage = try JournalStage()
        let moment = Timestamp(milliseconds: 1)
        _ = stage.journal.request(from: Self.person, account: stage.account, at: moment)
        _ = stage.journal.request(from: "ann@example.org", account: stage.account, at: moment)
        stage.journal.decide(2, .accepted, by: Self.person, at: moment)
        #expect(try stage.journal.greetOnce(Self.person, account: stage.account, at: moment))
        _ = try stage.row(stage.incoming("one", from: Self.person, id: "1"), state: .handled)
        stage.commit()
        #expect(try forget(stage) == Forgetting.Outcome(rows: [1], others: 2))
        #expect(stage.scratch.files(holding: Self.person).isEmpty)
        #expect(stage.journal.pendingRequests.isEmpty)
        #expect(try stage.journal.greetOnce(Self.person, account: stage.account, at: moment))
        #expect(stage.admit(stage.incoming("one", from: Self.person, id: "1")) == .new(RowID(2)))
    }

    @Test("what waits of them is forgotten, and no number of a row is given twice")
    func waiting() throws {
        let stage = try JournalStage()
        let row = try stage.row(stage.incoming("open", from: Self.person, id: "1"))
        stage.commit()
        #expect(try forget(stage).rows == [1])
        #expect(try stage.journal.unfinished().isEmpty)
        stage.journal.mark(row, .handled)
        #expect(stage.commit() == .committed)
        try stage.restart()
        #expect(stage.admit(stage.incoming("next", id: "2")) == .new(RowID(2)))
    }

    @Test("who reads for long keeps the log from being emptied, and that is said")
    func reader() throws {
        let stage = try JournalStage()
        _ = try stage.row(stage.incoming("one", from: Self.person, id: "1"), state: .handled)
        stage.commit()
        let reader = try Connection(stage.scratch.file("j.db"), .read)
        try reader.execute("BEGIN")
        _ = try reader.integer("SELECT count(*) FROM messages")
        let last = try #require(stage.journal.beginForgetting(Self.person, now: stage.now))
        let caretaker = Caretaker(of: stage.journal, keep: nil) { Timestamp(milliseconds: 0) }
        #expect(caretaker.forgetAndWait(Self.person, through: last) == .failure(.logInUse))
        try reader.execute("COMMIT")
        #expect(try caretaker.forgetAndWait(Self.person, through: last).get().rows.isEmpty)
        caretaker.finish()
        #expect(stage.scratch.files(holding: Self.person).isEmpty)
    }

    @Test("every table that holds people's addresses is known")
    func tables() throws {
        let stage = try JournalStage()
        let connection = stage.journal.connection
        let rows = try connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        var tables: [String] = []
        while try rows.step() { tables.append(rows.text(0) ?? "") }
        let impersonal: Set = ["accounts", "archives", "logins", "meta", "streams", "tokens"]
        #expect(Set(tables).subtracting(impersonal) == Set(Schema.personal.map(\.table)))
        for place in Schema.personal {
            _ = try connection.integer("SELECT count(\(place.column)) FROM \(place.table)")
        }
    }
}
