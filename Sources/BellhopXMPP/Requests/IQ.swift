package import BellhopXML

/// A question or an answer of the request protocol (RFC 6120 section 8.2.3).
package struct IQ: Equatable, Sendable {
    package var id: String
    /// Nil on what we send, and on what our own account says.
    package var from: JID?
    /// Nil for our own account at our own server.
    package var to: JID?
    package var content: Content

    package enum Content: Equatable, Sendable {
        case get(Element)
        case set(Element)
        case result(Element?)
        case error(StanzaError)
    }

    package init(id: String, from: JID? = nil, to: JID? = nil, _ content: Content) {
        self.id = id
        self.from = from
        self.to = to
        self.content = content
    }

    /// What is asked or answered; nil for an empty result and an error.
    package var payload: Element? {
        switch content {
        case .get(let payload), .set(let payload): payload
        case .result(let payload): payload
        case .error: nil
        }
    }

    /// Whether somebody waits for an answer to it.
    package var isRequest: Bool {
        switch content {
        case .get, .set: true
        case .result, .error: false
        }
    }

    /// The answer that it was done; nil where none may be given, because this is an answer itself.
    package func result(_ payload: Element? = nil) -> IQ? {
        isRequest ? IQ(id: id, to: from, .result(payload)) : nil
    }

    /// The answer that it was refused; nil where none may be given, because this is an answer itself.
    package func refusal(_ error: StanzaError) -> IQ? {
        isRequest ? IQ(id: id, to: from, .error(error)) : nil
    }
}
