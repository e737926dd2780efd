package import BellhopXML

/// What somebody does in a conversation just now (XEP-0085).
package enum ChatState: String, Sendable, CaseIterable {
    case active, composing, paused, inactive, gone

    package var element: Element { Element(rawValue, namespace: Namespace.chatStates) }

    /// The state that a message carries; nil where it says nothing of it.
    package init?(in stanza: Element) {
        for case .element(let child) in stanza.nodes where child.namespace == Namespace.chatStates {
            guard let state = ChatState(rawValue: child.name) else { continue }
            self = state
            return
        }
        return nil
    }
}
