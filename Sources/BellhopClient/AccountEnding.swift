/// Why an account's loop came to an end; each is something that only a person can mend, or a stop that was asked for.
package enum AccountEnding: Equatable, Sendable {
    /// It was asked to stop and said goodbye.
    case stopped
    /// The login was refused, with a sentence that says why.
    case loginRefused(String)
    /// The server made no account, with a sentence that says why.
    case registrationRefused(String)
    /// Another session took the resource, the server does not serve the domain, it offers no encryption, or its key is not
    /// the pinned one.
    case conflict(String)
    /// A break, where no further attempt was wanted.
    case failed(String)
}
