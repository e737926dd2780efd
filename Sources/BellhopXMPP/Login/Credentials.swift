internal import BellhopUnicode

/// Who logs in and with what, both prepared by SASLprep (RFC 4013), as servers prepare what they compare with.
///
/// It never prints the password.
package struct Credentials: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The prepared user name, which is the local part of the account.
    package let user: String
    /// The UTF-8 bytes of the prepared password; empty where there is none.
    package let password: [UInt8]

    /// Prepares both; throws which of them cannot be used.
    package init(user: String, password: String) throws(CredentialsFault) {
        self.user = try Credentials.prepared(user, empty: .user, unusable: .user)
        self.password = Array(try Credentials.prepared(password, empty: .emptyPassword, unusable: .password).utf8)
    }

    /// A user who has no password, and proves by other means who that is.
    package init(user: String) throws(CredentialsFault) {
        self.user = try Credentials.prepared(user, empty: .user, unusable: .user)
        password = []
    }

    private static func prepared(
        _ text: String, empty: CredentialsFault, unusable: CredentialsFault
    ) throws(CredentialsFault) -> String {
        do {
            return try Preparation.saslprep(text)
        } catch {
            switch error {
            case .empty: throw empty
            case .forbidden, .bidi, .invalidDomain, .domainTooLong, .unstable: throw unusable
            case .unavailable(let code): throw .unavailable(code)
            }
        }
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
    /// ICU failed, or its data is not installed; the number is ICU's.
    case unavailable(Int32)
}
