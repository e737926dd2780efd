/// How many requests of each domain a rule has accepted lately.
///
/// Counts at most `capacity` domains; when that many are in use, further ones are over the limit, so that a flood of
/// domains is asked about rather than accepted.
struct DomainCounts {
    private struct Key: Hashable {
        var rule: Int
        var domain: String
    }

    private let capacity = 4_096
    private var accepted: [Key: [Duration]] = [:]

    /// Whether one more is within the limit; counts it when so.
    mutating func allows(_ domain: String, rule: Int, limit: DomainLimit, now: Duration) -> Bool {
        let key = Key(rule: rule, domain: domain)
        var times = (accepted[key] ?? []).filter { now - $0 < limit.period }
        guard times.count < limit.count else { return false }
        if accepted[key] == nil && accepted.count >= capacity {
            // Other rules may count longer periods; a day is longer than any that makes sense.
            accepted = accepted.filter { entry in entry.value.contains { now - $0 < .seconds(86_400) } }
            guard accepted.count < capacity else { return false }
        }
        times.append(now)
        accepted[key] = times
        return true
    }
}
