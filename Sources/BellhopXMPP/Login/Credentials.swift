internal import BellhopUnicode

/// Who logs in and with what, both prepared by SASLprep (RFC 4013), as servers prepare what they compare with.
///
/// It never prints the password.
package struct Credentials: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The prepared user name, which is the local part of the account.
    package let user: String
    /// The UTF-8 bytes of the prepared password.
    package let password: [UInt8]

    /// Prepares both; throws which of them cannot be used.
    package init(user: String, password: String) throws(CredentialsFault) {
        guard let user = try? Preparation.saslprep(user), !user.isEmpty else { throw .user }
        guard let password = try? Preparation.saslprep(password) else { throw .password }
        guard !password.isEmpty else { throw .emptyPassword }
        self.user = user
        self.password = Array(password.utf8)
    }

    package var description: String { "\(user) with a password" }
    package var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}

/// What cannot be used to log in; it names no character of a password.
package enum CredentialsFault: Error, Equatable, Sendable {
    /// The user name is empty or holds a character that SASLprep forbids.
    case user
    /// The password holds a character that SASLprep forbids, like a control character, or mixes writing directions.
    case password
    case emptyPassword
}
