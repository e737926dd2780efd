internal import BellhopTransport

/// One round over all places where the account's server may be; only when none of them leads to a session, the account waits.
struct ServerRound {
    enum Step: Equatable {
        /// Ask the name servers where this domain, in ASCII, serves clients.
        case lookup(domain: String)
        case target(ServerTarget)
    }

    private var left: [Step]
    /// What is being tried.
    private(set) var current: Step?
    private(set) var lookup: ServiceLookup?
    private(set) var failures: [TargetFailure] = []

    /// More targets than that are a mistake of whoever wrote the records, or worse.
    static let mostTargets = 32

    init(_ steps: [Step]) { left = steps }

    /// The next step; nil when the round is over.
    mutating func next() -> Step? {
        current = left.isEmpty ? nil : left.removeFirst()
        return current
    }

    /// What the next step would be; nil when the round is over with this one.
    var following: Step? { left.first }

    /// The name servers have been asked; what they know comes next, in this order.
    mutating func found(_ targets: [ServerTarget], in lookup: ServiceLookup) {
        self.lookup = lookup
        left.insert(contentsOf: targets.prefix(Self.mostTargets).map { .target($0) }, at: 0)
    }

    /// The server wants us at another place, which comes next.
    mutating func redirect(to target: ServerTarget) { left.insert(.target(target), at: 0) }

    mutating func failed(_ cause: BreakCause) {
        guard case .target(let target) = current else { return }
        failures.append(TargetFailure(target: target, cause: cause))
    }

    /// Why the round led nowhere: the cause itself where there was one place and nothing to say of how it was found.
    var outcome: BreakCause? {
        guard let last = failures.last else { return lookup.map { .nowhere($0) } }
        if failures.count == 1, lookup == nil || !last.cause.isUnreachable { return last.cause }
        return .everyTarget(failures, lookup)
    }
}

/// What became of one place where the server may be.
struct TargetFailure: Equatable, Sendable {
    let target: ServerTarget
    let cause: BreakCause
}
