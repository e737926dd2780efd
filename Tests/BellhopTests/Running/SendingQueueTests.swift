import BellhopBot
import BellhopXMPP
import Testing

@testable import Bellhop

@Suite("Messages that wait to be sent")
struct SendingQueueTests {
    /// The journal's side: every row that was queued and not sent.
    private final class Stored {
        var entries: [SendingQueue.Entry] = []
        var fetches = 0

        func fetch(_ person: JID, _ after: RowID, _ limit: Int) -> [SendingQueue.Entry] {
            fetches += 1
            return Array(entries.lazy.filter { $0.row > after && $0.message.to.bare == person }.prefix(limit))
        }
    }

    private static func entry(_ row: RowID, to person: String) throws -> SendingQueue.Entry {
        SendingQueue.Entry(
            row: row, message: OutgoingMessage(to: try JID("\(person)@example.test/x"), id: "i\(row)", body: "\(row)"))
    }

    private static func next(_ queue: inout SendingQueue, _ stored: Stored) throws -> RowID {
        let entry = queue.next(fetch: stored.fetch)
        return try #require(entry).row
    }

    /// What `add` says of each of these.
    private static func add(_ entries: [SendingQueue.Entry], to queue: inout SendingQueue) -> [Bool] {
        entries.map { queue.add($0) }
    }

    /// Everything in the order in which it leaves.
    private static func drain(_ queue: inout SendingQueue, _ stored: Stored) -> [SendingQueue.Entry] {
        var left: [SendingQueue.Entry] = []
        while let entry = queue.next(fetch: stored.fetch) { left.append(entry) }
        return left
    }

    @Test("persons take turns, and each one's messages keep their order")
    func turns() throws {
        var queue = SendingQueue()
        let stored = Stored()
        let entries =
            try (1...50).map { try Self.entry($0, to: "alice") } + (51...52).map { try Self.entry($0, to: "bob") }
            + [try Self.entry(53, to: "carol")]
        #expect(!Self.add(entries, to: &queue).contains(false))
        let rows = Self.drain(&queue, stored).map(\.row)
        #expect(rows.prefix(6) == [1, 51, 53, 2, 52, 3])
        #expect(rows.filter { $0 <= 50 } == Array(1...50))
        #expect(queue.isEmpty && queue.count == 0 && stored.fetches == 0)
    }

    @Test("above its limit a person's messages wait in the journal, and others are not in their way")
    func spill() throws {
        var queue = SendingQueue()
        let stored = Stored()
        stored.entries = try (1...5_000).map { try Self.entry($0, to: "alice") }
        #expect(!Self.add(stored.entries, to: &queue).contains(false))
        #expect(queue.count == SendingQueue.personLimit)
        #expect(Self.add([try Self.entry(5_001, to: "bob")], to: &queue) == [true])
        let rows = Self.drain(&queue, stored).map(\.row)
        #expect(rows.prefix(3) == [1, 5_001, 2])
        #expect(rows.filter { $0 <= 5_000 } == Array(1...5_000))
        #expect(queue.isEmpty)
    }

    @Test("what comes while a person's messages wait in the journal waits behind them")
    func late() throws {
        var queue = SendingQueue()
        let stored = Stored()
        for row in 1...200 {
            stored.entries.append(try Self.entry(RowID(row), to: "alice"))
            _ = queue.add(stored.entries[row - 1])
        }
        var rows: [RowID] = []
        for row in 201...400 {
            stored.entries.append(try Self.entry(RowID(row), to: "alice"))
            _ = queue.add(stored.entries[row - 1])
            rows.append(try Self.next(&queue, stored))
        }
        rows += Self.drain(&queue, stored).map(\.row)
        #expect(rows == Array(1...400))
    }

    @Test("when memory is used up the rest stays in the journal, behind one place")
    func tail() throws {
        var queue = SendingQueue()
        let stored = Stored()
        stored.entries = try (1...(SendingQueue.limit + 1_000)).map { try Self.entry(RowID($0), to: "p\($0)") }
        #expect(!Self.add(stored.entries, to: &queue).contains(false))
        #expect(queue.count == SendingQueue.limit)
        #expect(queue.tail == RowID(SendingQueue.limit))
        let early = queue.takeTail()
        #expect(early == nil)
        #expect(Self.drain(&queue, stored).count == SendingQueue.limit)
        #expect(!queue.isEmpty && queue.hasNoTurns)
        let tail = queue.takeTail()
        #expect(tail == RowID(SendingQueue.limit))
        #expect(queue.isEmpty)
    }

    @Test("only what is in no journal can be lost, and that is said")
    func unstored() throws {
        var queue = SendingQueue()
        let alice = try Self.entry(0, to: "alice")
        let kept = Self.add(Array(repeating: alice, count: SendingQueue.personLimit), to: &queue)
        #expect(!kept.contains(false))
        #expect(Self.add([alice, try Self.entry(1, to: "bob")], to: &queue) == [false, true])
    }
}
