/// Lets one trouble of each kind pass an hour, on the monotonic clock.
struct TroubleLimit {
    static let period: Duration = .seconds(3_600)

    private var told: [Trouble.Kind: Duration] = [:]

    /// Whether a trouble of this kind may be told now; counts it when so.
    mutating func allows(_ kind: Trouble.Kind, now: Duration) -> Bool {
        if let last = told[kind], now - last < Self.period { return false }
        told[kind] = now
        return true
    }
}
