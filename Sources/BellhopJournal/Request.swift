package import BellhopXMPP

/// A subscription request that somebody has to decide, or has decided.
package struct Request: Sendable, Equatable {
    /// How people name it, from 1, never used twice.
    package var number: Int64
    package var account: AccountID
    /// The bare address of who asks.
    package var jid: String
    package var state: State
    package var firstSeen: Timestamp
    /// When admins were told; nil when they were not yet.
    package var notifiedAt: Timestamp?
    package var decidedAt: Timestamp?
    /// The bare address of the admin, or nil where a rule decided.
    package var decidedBy: String?
    /// What decided, like `subscriptions.rules[2]`.
    package var rule: String?

    /// The numbers are stored.
    package enum State: Int64, Sendable, CaseIterable {
        case pending = 0
        case accepted = 1
        case denied = 2
        case ignored = 3
        case blocked = 4
        /// Taken back by who asked.
        case withdrawn = 5
    }
}
