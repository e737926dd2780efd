/// A row number that only grows, and is stored now and then: a little behind does no harm, a write each time would.
struct Watermark {
    private(set) var value: Int64
    private var stored: Int64
    /// When it has to be stored at the latest; nil when it is.
    private(set) var due: Duration?

    /// How far behind the stored value may be.
    static let lag = Duration.seconds(1)

    init(_ value: Int64 = 0) {
        self.value = value
        stored = value
    }

    var isStored: Bool { value == stored }

    mutating func advance(to value: Int64, now: Duration) {
        guard value > self.value else { return }
        self.value = value
        if due == nil { due = now + Self.lag }
    }

    mutating func noteStored() {
        stored = value
        due = nil
    }

    /// Lets no more time pass.
    mutating func expire() { if !isStored { due = .zero } }
}
