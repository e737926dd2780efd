internal import BellhopBot

/// Which of the messages that left may still turn out to be too large for our server.
///
/// A server that does not say its limit ends the stream at a message above it, and all that was sent behind that is lost.
/// So a message above what every server takes counts as sent only when the server has answered something behind it, and so
/// do those that follow it. On a stream whose server acknowledges what it has nothing needs to be asked.
struct SizeProof {
    struct Large: Equatable {
        var row: RowID
        /// On the stream.
        var bytes: Int
    }

    /// So many are kept in mind; further ones are taken for proven.
    static let limit = 256
    /// So many rows wait for a proof; then they are taken for sent.
    static let rowLimit = 4_096

    private var large: [Large] = []
    /// How many of them are in front of the question that the server was asked; nil while none is asked.
    private var asked: Int?
    private(set) var held: [RowID] = []
    /// Rows that were unproven when a connection ended, and how often.
    private var suspects: [RowID: Int] = [:]

    var isEmpty: Bool { large.isEmpty }

    mutating func add(_ message: Large) {
        if large.count < Self.limit { large.append(message) }
    }

    /// Whether the server has to be asked now.
    mutating func asks() -> Bool {
        guard asked == nil, !large.isEmpty else { return false }
        asked = large.count
        return true
    }

    /// The server answered: what was sent in front of the question is proven. Returns rows that count as sent now.
    mutating func answered() -> [RowID] {
        large.removeFirst(min(asked ?? 0, large.count))
        asked = nil
        return isEmpty ? takeHeld() : []
    }

    /// The server has these.
    mutating func acknowledged(_ rows: [RowID]) {
        guard !large.isEmpty else { return }
        let rows = Set(rows)
        large.removeAll { rows.contains($0.row) }
    }

    /// Of the rows that left, and of those that left before, those that count as sent.
    mutating func left(_ rows: [RowID]) -> [RowID] {
        if isEmpty { return rows }
        held += rows
        return held.count > Self.rowLimit ? takeHeld() : []
    }

    private mutating func takeHeld() -> [RowID] {
        defer { held = [] }
        return held
    }

    /// How large the message was that the server most probably ended the stream for; nil when it was for none.
    var largest: Int? { large.map(\.bytes).max() }

    /// The connection ended. How large the message was with which that happened twice, since not every end of a stream gets
    /// as far as its reason; nil when there is none.
    mutating func connectionLost() -> Int? {
        suspects = Dictionary(
            large.map { ($0.row, (suspects[$0.row] ?? 0) + 1) }, uniquingKeysWith: { first, _ in first })
        let guilty = large.filter { suspects[$0.row] ?? 0 > 1 }.map(\.bytes).max()
        large = []
        asked = nil
        held = []
        return guilty
    }
}
