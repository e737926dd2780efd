internal import BellhopXMPP

/// How often a person is told something that they did not ask for: at most `count` times within `period`.
///
/// Remembers at most `capacity` persons; when that many are being counted, others are told nothing.
struct NoticeLimit {
    private let count: Int
    private let period: Duration
    private let capacity: Int
    private var told: [JID: [Duration]] = [:]

    init(count: Int, period: Duration, capacity: Int = 4_096) {
        self.count = count
        self.period = period
        self.capacity = capacity
    }

    /// Whether the person may be told now; counts it when so.
    mutating func allows(_ person: JID, now: Duration) -> Bool {
        var times = (told[person] ?? []).filter { now - $0 < period }
        guard times.count < count else { return false }
        if told[person] == nil && told.count >= capacity {
            let period = period
            told = told.filter { $0.value.contains { now - $0 < period } }
            guard told.count < capacity else { return false }
        }
        times.append(now)
        told[person] = times
        return true
    }

    mutating func forget(_ person: JID) { told[person] = nil }
}
