package import BellhopXMPP

/// How an account is known to log in.
package struct LoginRecord: Equatable, Sendable {
    /// The mechanism with which the server proved that it knows the password.
    package var mechanism: String
    package var provedAt: Timestamp

    package init(mechanism: String, provedAt: Timestamp) {
        self.mechanism = mechanism
        self.provedAt = provedAt
    }
}
