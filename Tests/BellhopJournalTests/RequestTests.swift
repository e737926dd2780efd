import BellhopSQLite
import BellhopXMPP
import Testing

@testable import BellhopJournal

@Suite("Journal, requests and people")
struct RequestTests {
    private func moment(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test("a request keeps its number when it is repeated, and waits across restarts")
    func pending() throws {
        let stage = try JournalStage()
        let (first, isNew) = stage.journal.request(from: "carol@else.example", account: stage.account, at: moment(1))
        #expect((first.number, isNew, first.state) == (1, true, .pending))
        #expect(stage.journal.request(from: "carol@else.example", account: stage.account, at: moment(2)).isNew == false)
        #expect(stage.journal.request(from: "dave@else.example", account: stage.account, at: moment(3)).0.number == 2)
        stage.journal.noteNotified([1, 99], at: moment(4))
        stage.commit()
        try stage.restart()
        #expect(stage.journal.pendingRequests.map(\.jid) == ["carol@else.example", "dave@else.example"])
        #expect(stage.journal.pendingRequest(1)?.notifiedAt == moment(4))
        #expect(stage.journal.pendingRequest(2)?.notifiedAt == nil)
        #expect(try stage.reader.requests(.pending).count == 2)
    }

    @Test("the first decision counts, and the number is not used again")
    func decided() throws {
        let stage = try JournalStage()
        let journal = stage.journal
        _ = journal.request(from: "carol@else.example", account: stage.account, at: moment(1))
        let decided = journal.decide(1, .accepted, by: "admin@example.org", at: moment(5))
        #expect(decided?.state == .accepted)
        #expect(journal.decide(1, .denied, by: "other@example.org", at: moment(6)) == nil)
        #expect(journal.decide(7, .denied, by: nil, at: moment(6)) == nil)
        #expect(try journal.request(1)?.decidedBy == "admin@example.org")
        stage.commit()
        #expect(try journal.request(1)?.decidedBy == "admin@example.org")
        #expect(try journal.request(2) == nil)
        let again = journal.request(from: "carol@else.example", account: stage.account, at: moment(7))
        #expect((again.0.number, again.isNew) == (2, true))
        stage.commit()
        try stage.restart()
        #expect(stage.journal.pendingRequests.map(\.number) == [2])
        #expect(try stage.reader.requests(nil).map(\.state) == [.accepted, .pending])
    }

    @Test("a rule's decision is kept with the rule, and settles a request that waited")
    func rules() throws {
        let stage = try JournalStage()
        let journal = stage.journal
        journal.recordDecision(
            from: "a@x.example", account: stage.account, .accepted, rule: "subscriptions.rules[2]", at: moment(1))
        _ = journal.request(from: "b@x.example", account: stage.account, at: moment(2))
        journal.recordDecision(from: "b@x.example", account: stage.account, .denied, rule: "default", at: moment(3))
        stage.commit()
        let all = try stage.reader.requests(nil)
        #expect(all.map(\.rule) == ["subscriptions.rules[2]", "default"])
        #expect(all.map(\.number) == [1, 2])
        #expect(journal.pendingRequests.isEmpty)
    }

    @Test("a person is greeted once, across restarts and before the commit")
    func greeting() throws {
        let stage = try JournalStage()
        #expect(try stage.journal.greetOnce("a@x.example", account: stage.account, at: moment(1)))
        #expect(try !stage.journal.greetOnce("a@x.example", account: stage.account, at: moment(1)))
        stage.commit()
        try stage.restart()
        #expect(try !stage.journal.greetOnce("a@x.example", account: stage.account, at: moment(1)))
        #expect(try stage.journal.greetOnce("O'Brien@x.example", account: stage.account, at: moment(1)))
    }

    @Test("a kept value is read back at once, after the commit and after a restart")
    func values() throws {
        let stage = try JournalStage()
        #expect(try stage.journal.value("k") == nil)
        stage.journal.set("k", "v1")
        stage.journal.set("tag", "not ours")
        stage.journal.set("k", "v2")
        #expect(try stage.journal.value("k") == "v2")
        stage.commit()
        let tag = stage.journal.tag
        try stage.restart()
        #expect(stage.journal.tag == tag)
        #expect(try stage.journal.value("k") == "v2")
        stage.journal.set("k", nil)
        #expect(try stage.journal.value("k") == nil)
        stage.commit()
        #expect(try stage.journal.value("k") == nil)
    }

    @Test("requests that wait for a locked disk are written with the rest")
    func held() throws {
        let stage = try JournalStage()
        let pages = try #require(try stage.journal.connection.integer("PRAGMA page_count"))
        _ = try stage.journal.connection.integer("PRAGMA max_page_count = \(pages)")
        for number in 0..<2_000 {
            _ = stage.journal.request(from: "p\(number)@x.example", account: stage.account, at: moment(1))
        }
        stage.commit()
        stage.now += .seconds(1)
        #expect(stage.commit() == .holding)
        #expect(stage.journal.pendingRequests.count == 2_000)
        _ = try stage.journal.connection.integer("PRAGMA max_page_count = 100000")
        stage.now += .seconds(2)
        #expect(stage.commit() == .recovered)
        #expect(try stage.reader.requests(.pending).count == 2_000)
    }
}
