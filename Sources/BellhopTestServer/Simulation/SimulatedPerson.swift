package import BellhopXML
package import BellhopXMPP

/// Somebody with an account that only the simulation has: what they see is written down.
package struct SimulatedPerson: Sendable {
    /// With the resource of their client.
    package let jid: JID
    /// Whether they are there to be seen.
    package internal(set) var isOnline = true
    /// What they answer to somebody who asks to see their presence.
    package var grantsRequests = true
    /// Messages with a body, in order.
    package private(set) var heard: [HeardMessage] = []
    /// The places in `heard` of those that are no repetition of an earlier one under the same id.
    package private(set) var news: [Int] = []
    private var ids: Set<String> = []
    /// Presence stanzas that reached them, in order.
    package internal(set) var seen: [Element] = []
    /// Everything else: errors, typing notifications.
    package internal(set) var received: [Element] = []

    init(_ jid: JID) { self.jid = jid }

    mutating func hear(_ message: HeardMessage) {
        if message.id.map({ ids.insert($0).inserted }) ?? true { news.append(heard.count) }
        heard.append(message)
    }
}

/// A message as a person got it.
package struct HeardMessage: Equatable, Sendable {
    package var id: String?
    package var body: String
    /// The full address that sent it.
    package var from: String
    package var stanza: Element
    package var at: Timestamp
}
