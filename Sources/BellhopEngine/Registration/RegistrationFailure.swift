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
    case web(url: String, instructions: String?)
    /// The server wants more than a name and a password; no password was sent.
    case moreWanted(RegistrationQuestion)
    /// A person was asked for what the server wants and gave no answer in time; no password was sent.
    case unanswered
    /// An answer of the operator's cannot be given to this server; no password was sent.
    case badAnswer(AnswerFault)
    /// The server's form has no place for a name and a password; no password was sent.
    case unusableForm
    /// The server takes us for somebody who has an account already, which our own server cannot know; no password was sent.
    case alreadyRegistered
    /// Not now, with the server's words.
    case tryLater(text: String?)
    /// The server does not take what was sent, with its words, and with those of its fields that got no answer.
    case notAcceptable(text: String?, unanswered: [String])
    /// What was read in the picture is not what the server showed, or came too late.
    case riddleFailed(text: String?)
    case other(StanzaError)

    package enum AnswerFault: Equatable, Sendable {
        /// The server asks for nothing of that name, but for these.
        case unknownField(String, known: [String])
        /// The server takes one of these only.
        case notAnOption(field: String, options: [String])
        /// The server takes one value only.
        case severalValues(field: String)
    }
}
