package import BellhopXMPP

/// What a server gave out at one login to be shown at the next in place of the password (XEP-0484).
///
/// It is worth as much as the password until it expires; it never prints itself.
package struct LoginToken: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The only mechanism that it may be used with.
    package let mechanism: TokenMechanism
    package let secret: String
    /// How many logins were begun with it.
    package private(set) var count: Int64
    /// When the server will take it no more; nil where it did not say.
    package let expiry: Timestamp?

    package init(_ mechanism: TokenMechanism, secret: String, count: Int64 = 0, expiry: Timestamp? = nil) {
        self.mechanism = mechanism
        self.secret = secret
        self.count = count
        self.expiry = expiry
    }

    /// The same token, for one login more.
    package var counted: LoginToken {
        var token = self
        token.count = count < .max ? count + 1 : count
        return token
    }

    /// Whether it is this token, however often it was used.
    package func isSame(as other: LoginToken) -> Bool { mechanism == other.mechanism && secret == other.secret }

    package var description: String { "a token for \(mechanism.rawValue)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The tokens that a client holds, newest first: one, and the one before it until the server has taken the new one.
///
/// A server that gave out a new token may not have lived to store it.
package struct LoginTokens: Equatable, Sendable {
    /// What became of a token at a login.
    package enum Event: Equatable, Sendable {
        /// The server gave it out.
        case granted(LoginToken)
        /// The server took it, and proved that it knows it, too.
        case accepted(LoginToken)
        /// The server does not take it.
        case refused(LoginToken)
    }

    package private(set) var all: [LoginToken]

    /// - Parameter all: Newest first; at most two of them count.
    package init(_ all: [LoginToken] = []) { self.all = Array(all.prefix(2)) }

    package var isEmpty: Bool { all.isEmpty }

    /// Takes note of what became of a token.
    package mutating func note(_ event: Event) {
        switch event {
        case .granted(let token): all = [token] + all.filter { !$0.isSame(as: token) }.prefix(1)
        case .accepted(let token): all.removeAll { !$0.isSame(as: token) }
        case .refused(let token): all.removeAll { $0.isSame(as: token) }
        }
    }

    /// Forgets what the server would not take at this moment, and counts what is left for one login more; servers refuse a
    /// count that they have seen.
    package mutating func prepare(at clock: Timestamp) {
        all = all.filter { token in token.expiry.map { $0 > clock } ?? true }.map(\.counted)
    }
}
