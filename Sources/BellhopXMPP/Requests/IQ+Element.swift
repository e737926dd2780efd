package import BellhopXML

extension IQ {
    /// Reads a stanza; throws whether and what to answer where it is malformed (RFC 6120 section 8.2.3).
    package init(_ stanza: Element) throws(IQFault) {
        guard let id = stanza["id"], !id.isEmpty, let from = IQ.address(stanza["from"]),
            let to = IQ.address(stanza["to"])
        else { throw .unanswerable }
        let children = stanza.children
        switch stanza["type"] {
        case "get", "set":
            guard let payload = children.first, children.count == 1 else {
                throw .malformed(IQ(id: id, to: from, .error(StanzaError(.badRequest))))
            }
            self.init(id: id, from: from, to: to, stanza["type"] == "get" ? .get(payload) : .set(payload))
        case "result":
            self.init(id: id, from: from, to: to, .result(children.first))
        case "error":
            self.init(
                id: id, from: from, to: to, .error(StanzaError(in: stanza) ?? StanzaError(.undefinedCondition)))
        default:
            throw .unanswerable
        }
    }

    /// The stanza.
    package var element: Element {
        let (type, child): (String, Element?) =
            switch content {
            case .get(let payload): ("get", payload)
            case .set(let payload): ("set", payload)
            case .result(let payload): ("result", payload)
            case .error(let error): ("error", error.element)
            }
        let stanza = Element("iq", namespace: Namespace.client)
            .with("type", type).with("id", id).with("to", to?.description).with("from", from?.description)
        guard let child else { return stanza }
        return stanza.with(child)
    }

    /// `.some(nil)` for an absent address, nil for one that cannot be read.
    private static func address(_ text: String?) -> JID?? {
        guard let text else { return .some(nil) }
        guard let jid = try? JID(received: text) else { return nil }
        return .some(jid)
    }
}
