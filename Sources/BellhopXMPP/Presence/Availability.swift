/// How present somebody is (RFC 6121 section 4.7.2.1).
public enum Show: String, Sendable, CaseIterable {
    /// Simply there; not written on the wire.
    case available
    case away
    /// Wants to talk.
    case chat
    /// Does not want to be disturbed.
    case dnd
    /// Away for long.
    case xa
}

/// What a contact shows, or what we show: how present, in which words, and at which priority.
public struct Availability: Hashable, Sendable {
    public var show: Show
    /// A line in the person's own words; nil when there is none.
    public var status: String?
    /// From -128 to 127, what is beyond is brought inside; at less than 0 nothing sent to the bare address arrives.
    public var priority: Int {
        didSet { priority = Availability.inRange(priority) }
    }

    public init(show: Show = .available, status: String? = nil, priority: Int = 0) {
        self.show = show
        self.status = status
        self.priority = Availability.inRange(priority)
    }

    private static func inRange(_ priority: Int) -> Int { min(max(priority, -128), 127) }
}
