package import BellhopXML
package import BellhopXMPP

/// What became of a request of ours.
package enum IQReply: Equatable, Sendable {
    /// The answer's payload; nil for an empty one.
    case result(Element?)
    case error(StanzaError)

    /// The answer that an iq is; nil for a request.
    init?(_ iq: IQ) {
        switch iq.content {
        case .result(let payload): self = .result(payload)
        case .error(let error): self = .error(error)
        case .get, .set: return nil
        }
    }

    /// Reads our own server's answer to the request with this id; nil when the element is something else, answers
    /// something else or comes from somebody else.
    init?(_ element: Element, to id: String, from account: JID) {
        guard element.is("iq", Namespace.client), let iq = try? IQ(element), iq.id == id, iq.isServers(of: account)
        else { return nil }
        self.init(iq)
    }
}

extension IQ {
    /// Whether an account's own server says it, as itself or for the account: without a sender, or as the bare or a
    /// full address of the account, or as the domain (RFC 6120 section 8.1.2.1).
    func isServers(of account: JID) -> Bool {
        guard let from else { return true }
        return from.bareText == account.bareText || (from.isBare && from.bareText == account.domain)
    }
}
