internal import BellhopXMPP

/// How fast each person's messages are taken up; `commands.perPerson`.
///
/// Remembers at most `capacity` persons: those who have rested are forgotten first. When so many write too fast at the same
/// time, all of them begin anew with a full bucket, which is still a limit.
struct PersonPaces {
    static let capacity = 10_000

    let pace: Pace
    private var buckets: [JID: TokenBucket] = [:]

    init(_ pace: Pace) { self.pace = pace }

    /// Whether one more message of the person may be taken up now; counts it when so.
    mutating func allow(_ person: JID, now: Duration) -> Bool {
        if let isAllowed = buckets[person]?.take(pace, now: now) { return isAllowed }
        if buckets.count >= Self.capacity {
            buckets = buckets.filter { !$0.value.isFull(now: now) }
            if buckets.count >= Self.capacity { buckets = [:] }
        }
        var bucket = TokenBucket()
        let isAllowed = bucket.take(pace, now: now)
        buckets[person] = bucket
        return isAllowed
    }

    /// When the next message of the person may be taken up.
    func next(_ person: JID) -> Duration { buckets[person]?.nextToken(pace) ?? .zero }

    mutating func forget(_ person: JID) { buckets[person] = nil }
}
