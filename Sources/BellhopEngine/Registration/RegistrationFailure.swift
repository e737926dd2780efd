package import BellhopXMPP

/// Why a server made no account (XEP-0077 section 3.1).
package enum RegistrationFailure: Error, Equatable, Sendable {
    /// Somebody has the name already.
    case taken
    /// The server forbids it to us, with its words.
    case notAllowed(text: String?)
    /// The server does not register accounts; no password was sent.
    case notOffered
    /// The server registers people on a web page; no password was sent.
    case web(url: String)
    /// The server wants a riddle solved; no password was sent.
    case captcha
    /// The server wants more than a name and a password; no password was sent.
    case moreWanted(fields: [String])
    /// The server's form has no place for a name and a password; no password was sent.
    case unusableForm
    /// Not now, with the server's words.
    case tryLater(text: String?)
    /// The server does not take this name or this password, with its words.
    case notAcceptable(text: String?)
    case other(StanzaError)
}
