package import BellhopXML

extension StanzaError {
    /// Reads the `<error/>` inside a stanza of type `error`; nil when there is none. Whatever stands in it, it is an
    /// error: an unknown condition is `undefinedCondition`, an unknown kind the usual one.
    package init?(in stanza: Element) {
        guard let error = stanza.child("error", stanza.namespace) else { return nil }
        self.init(error: error)
    }

    /// Reads an `<error/>` element.
    package init(error: Element) {
        var condition: Condition?
        var text: String?
        for case .element(let child) in error.nodes where child.namespace == Namespace.stanzaErrors {
            if child.name == "text" {
                text = text ?? child.text
            } else {
                condition = condition ?? Condition(rawValue: child.name)
            }
        }
        self.init(condition ?? .undefinedCondition, kind: error["type"].flatMap(Kind.init(rawValue:)), text: text)
    }

    /// The `<error/>` element.
    package var element: Element {
        var error = Element("error", namespace: Namespace.client)
            .with("type", kind.rawValue)
            .with(Element(condition.rawValue, namespace: Namespace.stanzaErrors))
        if let text {
            error = error.with(Element("text", namespace: Namespace.stanzaErrors).with(text: text))
        }
        return error
    }
}
