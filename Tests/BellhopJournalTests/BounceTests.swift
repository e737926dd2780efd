import BellhopSQLite
import BellhopXMPP
import Testing

@testable import BellhopJournal

@Suite("Journal, bounces and ids")
struct BounceTests {
    @Test("a bounce fails its message and makes no row (C123)", arguments: [0, 1, 2])
    func bounce(restarts: Int) throws {
        let stage = try JournalStage()
        let row = try stage.row(stage.incoming("!ping", id: "le1"))
        let reply = stage.queue(stage.outgoing("pong"), answers: row)
        if restarts > 0 { try stage.restart() }
        if restarts > 1 {
            for number in 0..<100 { _ = stage.admit(stage.incoming("x", id: "x\(number)")) }
            try stage.restart()
        }
        #expect(
            stage.journal.fail(
                id: reply.id, to: "alice@example.org", reason: "service-unavailable", at: JournalStage.later)
                == reply.row)
        stage.commit()
        let stored = try #require(try stage.journal.message(reply.row))
        #expect(stored.state == .failed)
        #expect(stored.reason == "service-unavailable")
    }

    @Test("nobody fails a message that went to somebody else, or that was never sent")
    func forged() throws {
        let stage = try JournalStage()
        let row = try stage.row(stage.incoming("!ping", id: "le1"))
        let reply = stage.queue(stage.outgoing("pong"), answers: row)
        stage.commit()
        let tag = stage.journal.tag
        for (id, peer) in [
            (reply.id, "mallory@example.org"), ("le1", "alice@example.org"), ("", "alice@example.org"),
            (tag, "alice@example.org"), (tag + ".", "alice@example.org"),
            (tag + "zzzzzzzzzzzzzzzzzz.0", "alice@example.org"),
            (tag + "fffff.0", "alice@example.org"), (tag + "é.0", "alice@example.org"),
        ] {
            #expect(stage.journal.fail(id: id, to: peer, reason: "x", at: JournalStage.later) == nil, "\(id)")
        }
        stage.commit()
        #expect(try stage.all().map(\.state) == [.received, .queued])
    }

    @Test("an answer that came long after its command is found: as a bounce, and as a copy from the archive")
    func longAfter() throws {
        let stage = try JournalStage()
        let row = try stage.row(stage.incoming("!ping", id: "le1"))
        for number in 0..<5_000 { _ = stage.admit(stage.incoming("x", id: "x\(number)"), state: .declined) }
        let reply = stage.queue(stage.outgoing("pong"), answers: row)
        stage.commit()
        try stage.restart()
        var copy = stage.outgoing("pong", id: reply.id)
        copy.archiveID = "a1"
        #expect(stage.admit(copy, state: .acknowledged) == .duplicate(of: reply.row))
        #expect(
            stage.journal.fail(id: reply.id, to: "alice@example.org", reason: "gone", at: JournalStage.later)
                == reply.row)
    }

    @Test("a message with an id of its author's is found too")
    func ownWords() throws {
        let stage = try JournalStage()
        let queued = stage.queue(stage.outgoing("hello", id: "my-own-id"))
        #expect(queued.id == "my-own-id")
        stage.commit()
        #expect(
            stage.journal.fail(id: "my-own-id", to: "alice@example.org", reason: "gone", at: JournalStage.later)
                == queued.row)
        try stage.restart()
        #expect(
            stage.journal.fail(id: "my-own-id", to: "alice@example.org", reason: "gone", at: JournalStage.later)
                == queued.row)
    }

    @Test("more messages than the memory of late ones holds do not hide an own id")
    func manyLater() throws {
        let stage = try JournalStage()
        let row = try stage.row(stage.incoming("!ping", id: "1"))
        let reply = stage.queue(stage.outgoing("pong"), answers: row)
        for number in 0..<5_000 { _ = stage.queue(stage.outgoing("\(number)")) }
        stage.commit()
        #expect(
            stage.journal.fail(id: reply.id, to: "alice@example.org", reason: "gone", at: JournalStage.later)
                == reply.row)
    }

    @Test("ids are short, told apart, and lead back to their row")
    func identifiers() {
        var seen: Set<String> = []
        for row in [1, 2, 31, 32, 1_023, 1_024, 1 << 33, Int64.max >> 8] {
            for ordinal in [0, 1, 31, 32, Int.max] {
                let id = MessageIdentifier.make(tag: "abcde", row: row, ordinal: ordinal)
                #expect(seen.insert(id).inserted)
                #expect(MessageIdentifier.row(in: id, tag: "abcde") == row)
                #expect(MessageIdentifier.row(in: id, tag: "abcdf") == nil)
            }
        }
        #expect(MessageIdentifier.make(tag: "abcde", row: 1 << 34, ordinal: 9).utf8.count <= 15)
        #expect(MessageIdentifier.make(tag: "abcde", row: -1, ordinal: -1) == "abcde0.0")
        #expect(MessageIdentifier.newTag().utf8.count == MessageIdentifier.tagLength)
    }

    @Test("the tag of a journal stays, and that of another is another")
    func tags() throws {
        let stage = try JournalStage()
        let tag = stage.journal.tag
        try stage.restart()
        #expect(stage.journal.tag == tag)
        #expect(try JournalStage().journal.tag != tag)
    }

    @Test("a command that runs again gives its answers the same ids and rows")
    func again() throws {
        let stage = try JournalStage()
        let command = try stage.row(stage.incoming("!deploy", id: "1"))
        stage.journal.mark(command, .started)
        let first = stage.queue(stage.outgoing("working"), answers: command, ordinal: 0)
        stage.commit()
        try stage.restart()
        let again = stage.queue(stage.outgoing("working"), answers: command, ordinal: 0)
        let next = stage.queue(stage.outgoing("done"), answers: command, ordinal: 1)
        #expect(again.row == first.row && again.id == first.id)
        #expect(again.isRepeated && !first.isRepeated && !next.isRepeated)
        #expect(next.id == stage.journal.identifier(command, 1))
        stage.commit()
        #expect(try stage.all().map(\.body) == ["!deploy", "working", "done"])
    }
}
