internal import BellhopXMPP

/// How large a message may be on its way: what our server says (XEP-0478), what it was seen to refuse, and what other
/// servers sent back.
struct StanzaLimits: Equatable {
    /// The sizes that are tried in turn where a server refuses and does not say its limit: a common one, and the guaranteed.
    static let steps = [65_536, StanzaSize.guaranteed]
    /// The same for our own server, with room for what is written beside messages: some servers count what they read at
    /// once, whether it is one stanza or several.
    static let windows = steps.map { $0 - $0 / 8 }
    /// How many domains are remembered; above that, those known are forgotten and learned again.
    static let domainCapacity = 256

    /// What our server announced; nil where it did not.
    private var announced: Int?
    /// How much our server takes at once, as far as it was seen to refuse more; nil while it was not.
    private(set) var window: Int?
    private var domains: [String: Int] = [:]
    /// No message whose texts are so long together, in bytes, is too large, whatever has to be escaped in them; `max` while
    /// no limit is known.
    private(set) var safe = Int.max

    /// What our server announces in this session.
    mutating func announce(_ bytes: Int?) {
        announced = bytes
        settle()
    }

    /// Our server ended the stream while messages of so many bytes were on their way. The limit from now on, for a message
    /// and for what is on its way at a time; nil when it is not the size that was wrong.
    mutating func refused(_ bytes: Int) -> Int? {
        guard let step = Self.windows.first(where: { $0 < min(bytes, window ?? .max) }) else { return nil }
        window = step
        settle()
        return step
    }

    /// Another server sent a message of so many bytes back. The limit for that domain from now on; nil when it is not the
    /// size that was wrong.
    mutating func refused(_ bytes: Int, by domain: String) -> Int? {
        if let known = domains[domain], bytes > known { return known }
        guard let step = Self.steps.first(where: { $0 < bytes }) else { return nil }
        if domains.count >= Self.domainCapacity { domains = [:] }
        domains[domain] = step
        settle()
        return step
    }

    /// The limit of our own server.
    private var own: Int { min(announced ?? .max, window ?? .max) }

    /// The largest message to this address, in bytes.
    func limit(for jid: JID) -> Int { min(own, domains[jid.domain] ?? .max) }

    private mutating func settle() {
        let least = min(own, domains.values.min() ?? .max)
        // No byte becomes more than six.
        safe = least == .max ? .max : max(0, least - StanzaSize.reserve - 128) / 6
    }

    /// Whether the message is not too large; mostly two comparisons.
    func hold(_ message: OutgoingMessage) -> Bool {
        if safe == .max { return true }
        if message.payloads.isEmpty, Self.length(of: message) <= safe { return true }
        return StanzaSize.of(message) <= limit(for: message.to)
    }

    private static func length(of message: OutgoingMessage) -> Int {
        (message.body?.utf8.count ?? 0) + (message.thread?.utf8.count ?? 0) + message.to.bareText.utf8.count
            + (message.to.resource?.utf8.count ?? 0)
    }
}
