package import BellhopXMPP

/// What a server gave out to be shown at the next login in place of the password (XEP-0484); it never prints itself.
package struct TokenRecord: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The only mechanism that it may be used with.
    package var mechanism: String
    package var secret: String
    /// How many logins were begun with it.
    package var count: Int64
    package var expiresAt: Timestamp?

    package init(mechanism: String, secret: String, count: Int64, expiresAt: Timestamp?) {
        self.mechanism = mechanism
        self.secret = secret
        self.count = count
        self.expiresAt = expiresAt
    }

    package var description: String { "a token for \(mechanism)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The tokens of an account, and the password beside which they count.
package struct TokenRecords: Equatable, Sendable {
    /// Newest first.
    package var tokens: [TokenRecord]
    /// A salted digest of the password with which they were earned, and its salt, both as base64.
    package var passwordDigest: String
    package var salt: String

    package init(_ tokens: [TokenRecord], passwordDigest: String, salt: String) {
        self.tokens = tokens
        self.passwordDigest = passwordDigest
        self.salt = salt
    }
}
