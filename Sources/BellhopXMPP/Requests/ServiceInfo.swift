package import BellhopXML

/// What an entity says that it can do (XEP-0030 section 3.1).
package struct ServiceInfo: Equatable, Sendable {
    /// The payload of the question.
    package static let request = Element("query", namespace: Namespace.discoInfo)

    /// The names of its features.
    package let features: Set<String>

    /// Reads the payload of an answer; nil when it is none.
    package init?(_ payload: Element) {
        guard payload.is("query", Namespace.discoInfo) else { return nil }
        features = Set(payload.children.filter { $0.is("feature", Namespace.discoInfo) }.compactMap { $0["var"] })
    }
}
