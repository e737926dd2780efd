import BellhopXMPP
import Testing

@testable import BellhopJournal

@Suite("Journal, duplicates")
struct DuplicateTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var first: Parts
        var second: Parts
        var isSame: Bool
    }

    struct Parts: Sendable {
        var peer = "alice@example.org"
        var id: String?
        var origin: String?
        var archive: String?
        var body = "!ping"
    }

    static let cases = [
        Case(
            testDescription: "the same id twice (C070)", first: Parts(id: "d1"), second: Parts(id: "d1"), isSame: true),
        Case(
            testDescription: "the same id from another sender (C070)", first: Parts(id: "d1"),
            second: Parts(peer: "bob@example.org", id: "d1"), isSame: false),
        Case(testDescription: "no id at all (C124)", first: Parts(), second: Parts(), isSame: false),
        Case(
            testDescription: "a client that counts its ids from one", first: Parts(id: "1"),
            second: Parts(id: "1", body: "!pong"), isSame: false),
        Case(
            testDescription: "the origin id decides before the id", first: Parts(id: "1", origin: "o"),
            second: Parts(id: "2", origin: "o"), isSame: true),
        Case(
            testDescription: "the own archive's id decides (C124)", first: Parts(id: "1", archive: "s"),
            second: Parts(id: "2", archive: "s"), isSame: true),
        Case(
            testDescription: "two archive ids are two messages", first: Parts(id: "1", archive: "s1"),
            second: Parts(id: "1", archive: "s2"), isSame: false),
        Case(
            testDescription: "sent again under its origin id, and archived twice",
            first: Parts(origin: "o", archive: "s1"),
            second: Parts(origin: "o", archive: "s2"), isSame: true),
        Case(
            testDescription: "an origin id on one side only, and two archive ids", first: Parts(id: "o", archive: "s1"),
            second: Parts(origin: "o", archive: "s2"), isSame: false),
        Case(
            testDescription: "one origin id, archived twice, with another text",
            first: Parts(origin: "o", archive: "s1"),
            second: Parts(origin: "o", archive: "s2", body: "!pong"), isSame: false),
        Case(
            testDescription: "live without the archive's id, then from the archive", first: Parts(id: "1"),
            second: Parts(id: "1", archive: "s"), isSame: true),
        Case(
            testDescription: "from the archive, then live without its id", first: Parts(id: "1", archive: "s"),
            second: Parts(id: "1"), isSame: true),
        Case(
            testDescription: "texts that only look the same", first: Parts(id: "1", body: "é"),
            second: Parts(id: "1", body: "e\u{301}"), isSame: false),
        Case(
            testDescription: "one archive id for messages of two senders, as ejabberd gives them in one microsecond",
            first: Parts(peer: "a@b.ex", origin: "o1", archive: "17"),
            second: Parts(peer: "c@b.ex", origin: "o2", archive: "17"), isSame: false),
        Case(
            testDescription: "parts that join to the same text", first: Parts(peer: "a@b.ex", id: "xy", body: "z"),
            second: Parts(peer: "a@b.exx", id: "y", body: "z"), isSame: false),
    ]

    private func entry(_ parts: Parts, _ stage: JournalStage) -> Entry {
        stage.incoming(parts.body, from: parts.peer, id: parts.id, originID: parts.origin, archiveID: parts.archive)
    }

    @Test("a message that comes twice is one row", arguments: cases, [false, true])
    func twice(_ example: Case, restarted: Bool) throws {
        let stage = try JournalStage()
        let first = try stage.row(entry(example.first, stage))
        stage.commit()
        if restarted { try stage.restart() }
        let second = stage.admit(entry(example.second, stage))
        stage.commit()
        if example.isSame {
            #expect(second == .duplicate(of: first))
        } else {
            #expect(second == .new(RowID(first.number + 1)))
        }
        #expect(try stage.all().count == (example.isSame ? 1 : 2))
    }

    @Test("the window is bounded, and holds as many as it says")
    func bounded() {
        var window = DuplicateWindow(size: 100, key: .random())
        func identity(_ number: Int) -> DuplicateWindow.Identity {
            window.identity(account: 1, peer: "p", archiveID: nil, originID: nil, id: "\(number)", body: nil)
        }
        for number in 0..<450 {
            window.insert(identity(number), row: Int64(number))
            for earlier in [max(0, number - 99), max(0, number - 50), number] {
                #expect(window.row(of: identity(earlier)) == Int64(earlier))
            }
            if number >= 200 { #expect(window.row(of: identity(number - 200)) == nil) }
        }
    }

    @Test("an own message that comes back from the archive is the row that was queued")
    func ownEcho() throws {
        let stage = try JournalStage()
        let queued = stage.queue(stage.outgoing("hello"))
        stage.commit()
        var echo = stage.outgoing("hello", id: queued.id)
        echo.archiveID = "s1"
        #expect(stage.admit(echo, state: .sent) == .duplicate(of: queued.row))
        try stage.restart()
        #expect(stage.admit(echo, state: .sent) == .duplicate(of: queued.row))
    }

    @Test("a carbon of what another device sent is an outgoing row (C121)")
    func carbon() throws {
        let stage = try JournalStage()
        var carbon = stage.outgoing("from my laptop", to: "bob@example.test", id: "ld2")
        carbon.kind = .carbon
        _ = try stage.row(carbon, state: .sent)
        _ = stage.admit(carbon, state: .sent)
        stage.commit()
        let rows = try stage.all()
        #expect(rows.count == 1)
        #expect(rows.first?.direction == .outgoing)
        #expect(rows.first?.peer == "bob@example.test")
    }
}
