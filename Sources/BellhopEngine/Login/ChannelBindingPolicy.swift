package import BellhopCrypto

/// Whether logins are bound to their TLS session.
package enum ChannelBindingPolicy: String, CaseIterable, Sendable {
    /// Where the server lists a type that we have.
    ///
    /// Not where it offers -PLUS without a list: which type it takes could only be guessed, and ejabberd 23.01, say, takes none
    /// of ours. That -PLUS was there once and is gone is no reason to stay away either: a server whose TLS ends at a proxy loses
    /// it for good reasons. Who wants to be sure says `required`.
    case auto
    case required
    case off
}

/// What stands in the way of binding a login to its TLS session.
package enum ChannelBindingObstacle: Error, Equatable, Sendable {
    /// The session has nothing to bind to: there is no TLS, or TLS 1.2 without the extended master secret and with a
    /// certificate whose signature has no hash of its own.
    case nothingToBindTo
    /// None of the server's mechanisms binds.
    case notOffered
    /// The server lists types, and none of ours.
    case noCommonType(listed: [String], ours: [ChannelBindingType])
}
