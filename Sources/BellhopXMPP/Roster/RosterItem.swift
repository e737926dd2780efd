/// One contact in our roster (RFC 6121 section 2.1.2).
public struct RosterItem: Hashable, Sendable {
    /// The contact's bare address.
    public var jid: JID
    /// The name that we gave the contact; nil when we gave none.
    public var name: String?
    public var subscription: Subscription
    /// Whether our request to see the contact waits for an answer.
    public var ask: Bool
    /// Whether the contact may see us before having asked.
    public var approved: Bool
    /// In the order of the roster, each once.
    public var groups: [String]

    /// Who sees whose presence.
    public enum Subscription: String, Sendable, CaseIterable {
        case none
        /// We see the contact.
        case to
        /// The contact sees us.
        case from
        case both

        /// Whether we see the contact.
        public var seesContact: Bool { self == .to || self == .both }

        /// Whether the contact sees us.
        public var isSeen: Bool { self == .from || self == .both }
    }

    public init(
        jid: JID, name: String? = nil, subscription: Subscription = .none, ask: Bool = false, approved: Bool = false,
        groups: [String] = []
    ) {
        self.jid = jid.bare
        self.name = name
        self.subscription = subscription
        self.ask = ask
        self.approved = approved
        self.groups = RosterItem.distinct(groups)
    }

    private static func distinct(_ groups: [String]) -> [String] {
        var seen: Set<String> = []
        return groups.filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
