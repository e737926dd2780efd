/// Which fault comes after which stanza.
///
/// Stanzas are counted at the server, both directions together, all connections together, stream management's own elements left out. A plan
/// fixes what happens after which stanza, not the machine's timing.
public struct FaultPlan: Equatable, Sendable {
    public struct Step: Equatable, Sendable {
        /// 0 is before the first connection.
        public var stanza: Int
        public var fault: Fault

        public init(after stanza: Int, _ fault: Fault) {
            self.stanza = stanza
            self.fault = fault
        }
    }

    /// In the order in which they come.
    public let steps: [Step]

    public init(_ steps: [Step]) {
        // Equal places keep their order.
        self.steps = steps.enumerated()
            .sorted { ($0.element.stanza, $0.offset) < ($1.element.stanza, $1.offset) }.map(\.element)
    }

    /// Nothing goes wrong by itself.
    public static let none = FaultPlan([])

    /// So many faults of these kinds, spread over the first stanzas by a seed; one seed is one plan.
    ///
    /// No plan when there are no kinds.
    public static func seeded(
        _ seed: UInt64, count: Int, over stanzas: Int, of kinds: [Fault] = FaultPlan.passing
    ) -> FaultPlan {
        var random = SeededRandom(seed: seed)
        var steps: [Step] = []
        for _ in 0..<max(0, count) {
            guard let fault = kinds.randomElement(using: &random) else { break }
            steps.append(Step(after: Int.random(in: 1...max(1, stanzas), using: &random), fault))
        }
        return FaultPlan(steps)
    }

    /// One fault of every kind that passes by itself.
    public static let passing: [Fault] = [
        .cut, .close, .stall(.milliseconds(300)), .duplicate, .reorder(3), .truncate(after: 200),
        .freeze(.milliseconds(300)), .miscount(.tooHigh), .miscount(.tooLow), .miscount(.backwards),
        .refuse(.milliseconds(300)), .restart, .kill(.beforeCommit), .kill(.beforeSending), .kill(.afterSending),
    ]
}
