internal import BellhopCrypto
internal import BellhopXML
internal import BellhopXMPP

/// One login with a token, by SASL2 only: one message that proves that we know it, and the server's proof in its success
/// (XEP-0484, draft-ietf-kitten-sasl-ht).
struct TokenLogin: Equatable, Sendable {
    /// What to do after an element of the server.
    enum Step: Equatable, Sendable {
        case succeed
        /// The server does not take the token; what it says of the password is another matter.
        case refuse
        case fail(SASLFailure)
    }

    let token: LoginToken
    /// What goes along with the login.
    let requests: InlineRequests
    private let user: String
    /// What of the TLS session goes into the proofs.
    private let data: [UInt8]

    init(_ token: LoginToken, user: String, data: [UInt8], requests: InlineRequests) {
        self.token = token
        self.user = user
        self.data = data
        self.requests = requests
    }

    var method: LoginMethod { .token(token.mechanism) }

    /// The element that opens the login, and is all that there is to say.
    var firstElement: Element {
        let response = Element("initial-response", namespace: Namespace.sasl2)
            .with(text: Base64.encode(Array(user.utf8) + [0] + proof("Initiator")))
        let opening = Element("authenticate", namespace: Namespace.sasl2).with("mechanism", token.mechanism.rawValue)
            .with(response)
        return requests.elements.reduce(opening) { $0.with($1) }
    }

    func received(_ element: Element) -> Step {
        switch element.name {
        case "success":
            let data = element.child("additional-data", Namespace.sasl2).map { SASLPayload($0, blank: .bytes([])) }
            guard case .bytes(let message)? = data, constantTimeEqual(message, proof("Responder")) else {
                return .fail(.tokenNotProven)
            }
            return .succeed
        case "failure": return .refuse
        case "continue": return .fail(SASLNegotiation.tasks(element))
        default: return .fail(.unexpected(String(element.name.prefix(100))))
        }
    }

    private func proof(_ role: String) -> [UInt8] {
        Hash.sha256.hmac(key: Array(token.secret.utf8), Array(role.utf8) + data)
    }
}
