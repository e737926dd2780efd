/// Messages that the bot sent unasked and whose senders may still ask what became of them.
///
/// The oldest are forgotten above `capacity`; their state stays what it was.
struct OutgoingTracker {
    private let capacity = 1_000
    private var order: [RowID] = []
    private var sent: [RowID: Sent] = [:]

    var isEmpty: Bool { sent.isEmpty }

    mutating func track(_ message: Sent, row: RowID) {
        sent[row] = message
        order.append(row)
        guard order.count > capacity * 2 else { return }
        for old in order.prefix(order.count - capacity) { sent[old] = nil }
        order.removeFirst(order.count - capacity)
    }

    /// What becomes of the one row counts for the message of the other from now on.
    mutating func follow(_ row: RowID, as later: RowID) {
        guard let message = sent.removeValue(forKey: row) else { return }
        track(message, row: later)
    }

    func settle(_ row: RowID, _ state: Sent.State) {
        sent[row]?.settle(state)
    }
}
