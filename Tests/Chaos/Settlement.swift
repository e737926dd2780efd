import EndToEndSupport

/// What is still to happen before a run can be judged.
struct Settlement {
    /// In words; empty when there is nothing.
    let open: String

    /// - Parameter lost: What the server lost, and nothing will come of.
    init(facts: Census.Facts, rows: [LogRow], lost: Set<String> = []) {
        let logged = Set(rows.filter { $0.direction == "in" }.compactMap(\.id))
        let owed = facts.acknowledged.subtracting(facts.bounced).subtracting(lost)
        let counts = [
            (facts.said.subtracting(facts.acknowledged).subtracting(facts.bounced).count, "messages not acknowledged"),
            (owed.subtracting(logged).count, "acknowledged messages not in the log"),
            (rows.count { ["received", "started"].contains($0.state) }, "commands not at their end"),
            (rows.count { ["queued", "sent"].contains($0.state) }, "answers that the server has not acknowledged"),
            (owed.subtracting(facts.settled).count, "senders without an answer"),
        ]
        open = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}
