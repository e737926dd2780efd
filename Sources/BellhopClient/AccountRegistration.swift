package import BellhopEngine

/// How an account is made on its server before the first login (XEP-0077).
package struct AccountRegistration: Sendable {
    /// What the operator says to further fields of the server's form, by their names.
    package var answers: [String: [String]] = [:]
    /// Asks a person for what is missing, on any thread, and answers once: by the fields' names, or nil when they gave up.
    /// Nil where nobody is there.
    package var ask: Ask?
    /// Whether the login goes on where the account was made; else it proves the account on a connection of its own.
    package var staysConnected: Bool = false

    package typealias Ask =
        @Sendable (RegistrationQuestion, _ answer: @escaping @Sendable ([String: [String]]?) -> Void) -> Void

    /// Whether an earlier run may have made the account with this password: where the name is taken, a login is tried.
    package var mayBeThere: Bool = false

    /// How long a person may take; servers give a riddle about as long.
    package static let patience: Duration = .seconds(120)

    package init() {}
}
