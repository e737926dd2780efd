/// Who logs in and with what, both prepared: the user name and the password after SASLprep (RFC 4013).
///
/// It never prints the password.
package struct Credentials: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The prepared user name, the local part of the account.
    package let user: String
    /// The UTF-8 bytes of the prepared password.
    package let password: [UInt8]

    package init(preparedUser user: String, preparedPassword password: String) {
        self.user = user
        self.password = Array(password.utf8)
    }

    package var description: String { "\(user) with a password" }
    package var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
