package import BellhopCrypto
package import BellhopEngine

/// What is known of a session that is online.
package struct SessionFacts: Equatable, Sendable {
    package var login: AccountEvent.Login
    /// Nil for a stream in the clear.
    package var tls: TLSFacts?
    /// What the server offered when the login was done.
    package var features: ServerFeatures
    package var management: Management
    /// How many contacts the roster has; nil where the server did not send it.
    package var contacts: Int?

    /// How the stream is managed (XEP-0198).
    package enum Management: Equatable, Sendable {
        case notOffered
        /// Offered, and refused when it was asked for.
        case refused
        /// Offered, and nobody asked for it.
        case unused
        case used(isResumable: Bool)
    }
}

extension AccountLoop {
    /// Nil while there is no session.
    package var sessionFacts: SessionFacts? {
        guard let live else { return nil }
        let management: SessionFacts.Management =
            if let stream = live.stream {
                .used(isResumable: stream.isResumable)
            } else if !live.bound.features.streamManagement {
                .notOffered
            } else {
                settings.managesStream ? .refused : .unused
            }
        return SessionFacts(
            login: live.login, tls: link?.tls?.facts, features: live.bound.features, management: management,
            contacts: knowsRoster ? rosterItems.count : nil)
    }
}
