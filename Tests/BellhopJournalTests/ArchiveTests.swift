import BellhopXML
import BellhopXMPP
import Testing

@testable import BellhopJournal

@Suite("How far the archive was read")
struct ArchiveTests {
    private func position(
        _ after: String?, _ moment: Int64, _ state: ArchivePosition.State = .read
    ) -> ArchivePosition {
        ArchivePosition(
            after: after, filedAt: Timestamp(milliseconds: moment), state: state)
    }

    private func found(_ stage: JournalStage) throws -> ArchivePosition? {
        try stage.journal.archivePosition(stage.account)
    }

    @Test("of an empty journal nothing is known")
    func nothing() throws {
        let stage = try JournalStage()
        #expect(try found(stage) == nil)
    }

    @Test(
        "the newest incoming message five seconds behind the last with an archive id counts, committed or not, before and after a restart"
    )
    func newestRow() throws {
        let stage = try JournalStage()
        _ = try stage.row(stage.incoming("1", archiveID: "a1"), at: 10)
        _ = try stage.row(stage.incoming("2", archiveID: "a2", sentAt: Timestamp(milliseconds: 7)), at: 20)
        _ = try stage.row(stage.incoming("3", id: "x"), at: 30)
        _ = try stage.row(stage.incoming("late", archiveID: "a3"), at: 21)
        _ = try stage.row(stage.incoming("last", archiveID: "a9"), at: 5_020)
        var own = stage.outgoing("4", id: "o")
        own.archiveID = "a4"
        _ = stage.admit(own, state: .acknowledged)
        #expect(try found(stage) == position("a2", 7))
        stage.commit()
        #expect(try found(stage) == position("a2", 7))
        try stage.restart()
        #expect(try found(stage) == position("a2", 7))
    }

    @Test("when a person is forgotten the place is kept, so that the archive does not bring the messages back")
    func forgotten() throws {
        let stage = try JournalStage()
        _ = try stage.row(stage.incoming("1", from: "carol@example.org", archiveID: "a1"), at: 10)
        _ = try stage.row(stage.incoming("2", from: "bob@example.org", archiveID: "a2"), at: 20)
        stage.commit()
        _ = stage.journal.beginForgetting("bob@example.org", now: .zero)
        #expect(try found(stage) == position("a2", 20))
        try stage.restart()
        #expect(try found(stage) == position("a2", 20))
    }

    @Test("while a reading is unfinished its place counts, whatever was logged since")
    func unfinished() throws {
        let stage = try JournalStage()
        _ = try stage.row(stage.incoming("1", archiveID: "a1"))
        stage.journal.setArchivePosition(position("a1", 5, .catchingUp), stage.account)
        #expect(try found(stage) == position("a1", 5, .catchingUp))
        _ = try stage.row(stage.incoming("9", archiveID: "a9"))
        stage.commit()
        try stage.restart()
        #expect(try found(stage) == position("a1", 5, .catchingUp))
        stage.journal.setArchivePosition(position("a9", 6), stage.account)
        stage.commit()
        #expect(try found(stage) == position("a9", 6))
        _ = try stage.row(stage.incoming("10", archiveID: "a10"), at: 44)
        stage.commit()
        #expect(try found(stage) == position("a9", 6))
        _ = try stage.row(stage.incoming("11", archiveID: "a11"), at: 5_044)
        #expect(try found(stage) == position("a10", 44))
        stage.commit()
        #expect(try found(stage) == position("a10", 44))
    }

    @Test(
        "a thousand messages behind the last are enough, whatever the time; without a place kept all that is known is read again"
    )
    func crowded() throws {
        let stage = try JournalStage()
        for number in 0..<1_000 {
            _ = try stage.row(stage.incoming("\(number)", archiveID: "a\(number)"), state: .handled, at: 10)
        }
        #expect(try found(stage) == position("a0", 10))
        stage.commit()
        _ = try stage.row(stage.incoming("1000", archiveID: "a1000"), state: .handled, at: 10)
        _ = try stage.row(stage.incoming("1001", archiveID: "a1001"), state: .handled, at: 10)
        #expect(try found(stage) == position("a1", 10))
        stage.commit()
        #expect(try found(stage) == position("a1", 10))
    }

    @Test("what was fetched for somebody to read does not move the place")
    func fetched() throws {
        let stage = try JournalStage()
        _ = try stage.row(stage.incoming("1", archiveID: "a7"), at: 10)
        _ = stage.journal.admit(
            stage.incoming("old", archiveID: "a1"), state: .declined, reason: Journal.fetched,
            at: Timestamp(milliseconds: 20))
        #expect(try found(stage) == position("a7", 10))
        stage.commit()
        #expect(try found(stage) == position("a7", 10))
    }

    @Test("a journal that was searched far enough has no place, or the one that was kept")
    func farBack() throws {
        let stage = try JournalStage()
        _ = try stage.row(stage.incoming("1", archiveID: "a1"))
        for number in 0..<10_001 { _ = try stage.row(stage.incoming("x\(number)", id: "\(number)"), state: .handled) }
        stage.commit()
        #expect(try found(stage) == nil)
    }

    @Test("while the archive is read no message of the time since is forgotten, however many came, nor after a restart")
    func heldWindow() throws {
        var options = JournalOptions()
        options.duplicateWindow = 16
        let stage = try JournalStage(options)
        stage.journal.setArchivePosition(position("a0", 5, .catchingUp), stage.account)
        let live = try stage.row(stage.incoming("!deploy", id: "c1", archiveID: "live"), state: .handled)
        for number in 0..<200 {
            _ = try stage.row(stage.incoming("m", archiveID: "m\(number)"), state: .declined)
            stage.journal.setArchivePosition(position("m\(number)", 6, .catchingUp), stage.account)
            stage.commit()
        }
        #expect(stage.admit(stage.incoming("!deploy", id: "c1", archiveID: "live")) == .duplicate(of: live))
        try stage.restart(options)
        #expect(stage.admit(stage.incoming("!deploy", id: "c1", archiveID: "live")) == .duplicate(of: live))
        stage.journal.setArchivePosition(position("m199", 6), stage.account)
        for number in 200..<300 { _ = try stage.row(stage.incoming("m", archiveID: "m\(number)"), state: .declined) }
        guard case .new = stage.admit(stage.incoming("!deploy", id: "c1", archiveID: "live")) else {
            Issue.record("the window never ends")
            return
        }
    }

    @Test("fetched messages push nothing out of what duplicates are looked for among")
    func fetchedWindow() throws {
        var options = JournalOptions()
        options.duplicateWindow = 16
        let stage = try JournalStage(options)
        let live = try stage.row(stage.incoming("!deploy", archiveID: "live"), state: .handled)
        stage.journal.beginFetching()
        for number in 0..<200 {
            _ = stage.journal.admit(
                stage.incoming("old", archiveID: "m\(number)"), state: .declined, reason: Journal.fetched,
                at: Timestamp(milliseconds: 20))
        }
        stage.journal.endFetching()
        #expect(stage.admit(stage.incoming("!deploy", archiveID: "live")) == .duplicate(of: live))
        stage.commit()
        try stage.restart(options)
        #expect(stage.admit(stage.incoming("!deploy", archiveID: "live")) == .duplicate(of: live))
    }

    @Test("offline and archived copies of one message are one row, in either order, with and without an archive id")
    func copies() throws {
        for liveID in [nil, "a1"] {
            for isArchiveFirst in [true, false] {
                let stage = try JournalStage()
                let offline = stage.incoming("!ping", id: "m1", archiveID: liveID)
                let archived = stage.incoming("!ping", id: "m1", archiveID: "a1", sentAt: Timestamp(milliseconds: 3))
                let (first, second) = isArchiveFirst ? (archived, offline) : (offline, archived)
                let row = try stage.row(first)
                #expect(stage.admit(second) == .duplicate(of: row))
                stage.commit()
                try stage.restart()
                #expect(stage.admit(second) == .duplicate(of: row))
            }
        }
    }

    @Test("what our account has said elsewhere is one row, by its archive id or by its own, and our own words are ours")
    func ownElsewhere() throws {
        let stage = try JournalStage()
        let queued = stage.queue(stage.outgoing("answer"))
        var archived = stage.outgoing("answer", id: queued.id)
        archived.archiveID = "a1"
        #expect(stage.admit(archived, state: .acknowledged) == .duplicate(of: queued.row))
        var laptop = stage.outgoing("from my laptop")
        laptop.archiveID = "a2"
        let row = try stage.row(laptop, state: .acknowledged)
        #expect(stage.admit(laptop, state: .acknowledged) == .duplicate(of: row))
        stage.commit()
        try stage.restart()
        #expect(stage.admit(laptop, state: .acknowledged) == .duplicate(of: row))
    }

    @Test("what is logged of a conversation is known by its archive ids, else by id and text")
    func logged() throws {
        let stage = try JournalStage()
        _ = try stage.row(stage.incoming("one", id: "m1", archiveID: "a1"))
        _ = try stage.row(stage.incoming("two", id: "m2"))
        _ = try stage.row(stage.incoming("other", from: "bob@example.org", id: "m3", archiveID: "a3"))
        let queued = stage.queue(stage.outgoing("three"))
        stage.commit()
        let logged = try stage.reader.logged(with: "alice@example.org")
        func contains(_ archiveID: String, _ id: String?, _ body: String, isOwn: Bool = false) -> Bool {
            var message = IncomingMessage(stanza: Element("message", namespace: "jabber:client"), type: .chat)
            message.archiveID = archiveID
            message.id = id
            message.body = body
            return logged.contains(message, isOwn: isOwn)
        }
        #expect(contains("a1", nil, "whatever"))
        #expect(!contains("a2", "m1", "one"))
        #expect(contains("a2", "m2", "two"))
        #expect(!contains("a2", "m2", "else"))
        #expect(!contains("a2", "m2", "two", isOwn: true))
        #expect(!contains("a3", "m3", "other"))
        #expect(contains("a4", queued.id, "three", isOwn: true))
        #expect(!contains("a5", nil, "two"))
    }

    @Test("a conversation reads in the order in which it came, and what was fetched has its place in it")
    func order() throws {
        let stage = try JournalStage()
        _ = try stage.row(stage.incoming("second", id: "2"), at: 5_000)
        _ = try stage.row(stage.incoming("third", id: "3", sentAt: Timestamp(milliseconds: 100)), at: 4_999)
        for (body, sentAt) in [("first", 3_000), ("between", 4_999)] as [(String, Int64)] {
            let entry = stage.incoming(body, archiveID: body, sentAt: Timestamp(milliseconds: sentAt))
            _ = stage.journal.admit(
                entry, state: .declined, reason: Journal.fetched, at: Timestamp(milliseconds: 9_000))
        }
        stage.commit()
        let reader = try stage.reader
        #expect(
            try reader.messages(with: "alice@example.org", last: 9).map(\.body) == [
                "first", "between", "second", "third",
            ]
        )
        #expect(
            try reader.messages(with: "alice@example.org", last: 9, since: Timestamp(milliseconds: 4_000)).map(\.body)
                == ["between", "second", "third"])
        #expect(try reader.messages(with: "alice@example.org", last: 2).map(\.body) == ["second", "third"])
        #expect(try reader.messages(with: "alice@example.org", last: 1).map(\.body) == ["third"])
        #expect(try reader.conversations().map(\.last.body) == ["third"])
    }
}
