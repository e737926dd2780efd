internal import BellhopXML
internal import BellhopXMPP

/// What a simulated server was told to do wrong with the stanzas that it sends, before it counts them.
struct Disorder: Sendable {
    /// How the next count that is told is wrong.
    var miscount: Miscount?
    private var duplicates = 0
    private var wanted = 0
    private var held: [Held] = []
    /// When what is held goes out though it is not complete; nil while nothing is held.
    private(set) var deadline: Duration?

    /// So long what is held waits for more.
    private static let patience: Duration = .seconds(1)

    struct Held: Sendable {
        var session: Int
        var kept: SimulatedAccount.Kept
    }

    mutating func duplicateNext() { duplicates += 1 }

    mutating func reorderNext(_ count: Int) { wanted = max(wanted, count) }

    mutating func takeDuplicate() -> Bool {
        guard duplicates > 0 else { return false }
        duplicates -= 1
        return true
    }

    /// Whether the stanza is held back now.
    mutating func holds(_ stanza: Element, for session: Int, at time: Timestamp, now: Duration) -> Bool {
        guard wanted > 0 else { return false }
        held.append(Held(session: session, kept: SimulatedAccount.Kept(stanza: stanza, at: time)))
        if deadline == nil { deadline = now + Self.patience }
        return true
    }

    var isReordering: Bool { wanted > 0 }

    var isFull: Bool { held.count >= wanted }

    /// Everything that is held, in an order that is not the right one where there is another.
    mutating func release(_ random: inout SeededRandom) -> [Held] {
        let right = held
        held = []
        wanted = 0
        deadline = nil
        guard right.count > 1 else { return right }
        // Turning by one or more is never the right order.
        let turn = Int.random(in: 1..<right.count, using: &random)
        return Array(right[turn...] + right[..<turn])
    }
}
