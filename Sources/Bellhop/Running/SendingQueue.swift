internal import BellhopBot
internal import BellhopXMPP

/// Messages that may not leave yet: those of each person in their order, the persons in turn, so that nobody's answer waits
/// behind all that somebody else has asked for.
///
/// Each person has at most `personLimit` messages here, and all together `limit`; what is above that waits in the journal
/// alone and is fetched when its turn comes. Nothing is dropped, except what the full journal did not take.
struct SendingQueue {
    struct Entry: Equatable {
        var row: RowID
        var message: OutgoingMessage
        /// Whether it comes from the journal, where it may have waited since before a limit was known.
        var isStored = false
    }

    /// What of one person waits.
    private struct Lane {
        var entries: [Entry] = []
        /// The last row that is or was here; those behind it wait in the journal when `isSpilled`.
        var lastRow: RowID
        var isSpilled = false
    }

    static let personLimit = 64
    static let limit = 4_096

    private var lanes: [JID: Lane] = [:]
    /// Whose turn it is, one entry a lane.
    private var turns: [JID] = []
    private var nextTurn = 0
    private(set) var count = 0
    /// Rows behind this one were left in the journal without a look at whose they are; nil when none were.
    private(set) var tail: RowID?

    var isEmpty: Bool { lanes.isEmpty && tail == nil }
    /// Whether nobody waits here, though something may in the journal.
    var hasNoTurns: Bool { lanes.isEmpty }
    var isFull: Bool { count >= Self.limit }

    /// Puts a message behind those of its person; false when it is lost, because neither memory nor the journal has room.
    mutating func add(_ entry: Entry) -> Bool {
        // Behind the tail everything is in the journal, in its order.
        if tail != nil && entry.row != 0 { return true }
        let person = entry.message.to.bare
        var lane = lanes.removeValue(forKey: person)
        if lane == nil {
            if isFull {
                guard entry.row != 0 else { return false }
                tail = entry.row - 1
                return true
            }
            lane = Lane(lastRow: entry.row)
            turns.append(person)
        }
        guard var lane else { return false }
        defer { lanes[person] = lane }
        guard !lane.isSpilled, lane.entries.count < Self.personLimit, !isFull else {
            guard entry.row != 0 else { return false }
            lane.isSpilled = true
            return true
        }
        lane.entries.append(entry)
        lane.lastRow = max(lane.lastRow, entry.row)
        count += 1
        return true
    }

    /// The message whose turn it is; nil when none waits here. `fetch` reads what a person has in the journal, behind a row,
    /// at most so many.
    mutating func next(fetch: (_ person: JID, _ after: RowID, _ limit: Int) -> [Entry]) -> Entry? {
        while nextTurn < turns.count {
            let person = turns[nextTurn]
            nextTurn += 1
            defer { forgetTurns() }
            guard var lane = lanes.removeValue(forKey: person) else { continue }
            if lane.entries.isEmpty {
                lane.entries = fetch(person, lane.lastRow, Self.personLimit)
                lane.isSpilled = lane.entries.count >= Self.personLimit
                lane.lastRow = lane.entries.last?.row ?? lane.lastRow
                count += lane.entries.count
            }
            guard !lane.entries.isEmpty else { continue }
            let entry = lane.entries.removeFirst()
            count -= 1
            if !lane.entries.isEmpty || lane.isSpilled {
                lanes[person] = lane
                turns.append(person)
            }
            return entry
        }
        return nil
    }

    /// Takes the place in the journal from which to go on, once nobody waits here.
    mutating func takeTail() -> RowID? {
        guard lanes.isEmpty else { return nil }
        defer { tail = nil }
        return tail
    }

    /// Leaves all that waits to the journal.
    mutating func removeAll() { self = SendingQueue() }

    private mutating func forgetTurns() {
        guard nextTurn == turns.count || nextTurn >= 1_024 else { return }
        turns.removeFirst(nextTurn)
        nextTurn = 0
    }
}
