package import BellhopXML

/// What belongs to a server, like its service for files (XEP-0030 section 4.1).
package struct ServiceItems: Equatable, Sendable {
    /// The payload of the question.
    package static let request = Element("query", namespace: Namespace.discoItems)

    /// The addresses of what has no node of its own, in the server's order.
    package let addresses: [JID]

    /// Reads the payload of an answer; nil when it is none.
    package init?(_ payload: Element) {
        guard payload.is("query", Namespace.discoItems) else { return nil }
        addresses = payload.children.compactMap { item in
            guard item.is("item", Namespace.discoItems), item["node"] == nil, let text = item["jid"] else { return nil }
            return try? JID(received: text)
        }
    }
}
