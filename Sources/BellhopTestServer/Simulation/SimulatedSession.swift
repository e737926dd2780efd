internal import BellhopXML
internal import BellhopXMPP

/// A bound resource of an account: with a connection, or waiting for one to take it up again.
struct SimulatedSession: Sendable {
    let number: Int
    /// The bare address.
    let account: String
    let resource: String
    /// Nil while it hibernates.
    var connection: Int?
    /// When it is given up; nil while it has a connection.
    var hibernatesUntil: Duration?
    /// What the client last said about itself; nil before its first presence and after its last.
    var presence: Element?
    var priority = 0
    /// Whether it has asked for the roster, and so wants to hear of changes.
    var isInterested = false
    var hasCarbons = false
    var management: Management?

    var full: String { account + "/" + resource }

    /// Whether messages to the bare address reach it (RFC 6121 section 8.5.2).
    var isReachable: Bool { presence != nil && priority >= 0 }

    /// Stream management once it is on (XEP-0198); the counts are modulo 2³².
    struct Management: Sendable {
        let id: String
        let isResumable: Bool
        /// How many stanzas of the client have arrived since `<enable/>`.
        var handled: UInt32 = 0
        /// The `h` that the client was told last.
        var told: UInt32 = 0
        /// How many of ours the client has acknowledged.
        var acknowledged: UInt32 = 0
        /// What it has not, oldest first.
        var unacknowledged: [SimulatedAccount.Kept] = []
        /// Whether an `<r/>` of ours is unanswered.
        var isAsking = false
    }
}
