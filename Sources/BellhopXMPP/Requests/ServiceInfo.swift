package import BellhopXML

/// What an entity says that it can do (XEP-0030 section 3.1).
package struct ServiceInfo: Equatable, Sendable {
    /// The payload of the question.
    package static let request = Element("query", namespace: Namespace.discoInfo)

    /// The names of its features.
    package let features: Set<String>
    /// The largest file that it takes, in bytes (XEP-0363 section 4); nil where it takes none or does not say.
    package let largestFile: Int?

    /// Reads the payload of an answer; nil when it is none.
    package init?(_ payload: Element) {
        guard payload.is("query", Namespace.discoInfo) else { return nil }
        features = Set(payload.children.filter { $0.is("feature", Namespace.discoInfo) }.compactMap { $0["var"] })
        largestFile = payload.children.lazy.compactMap(Self.largestFile).first
    }

    private static func largestFile(_ form: Element) -> Int? {
        guard form.is("x", Namespace.dataForms) else { return nil }
        func value(_ name: String) -> String? {
            form.children.first { $0.is("field", Namespace.dataForms) && $0["var"] == name }?
                .child("value", Namespace.dataForms)?.text
        }
        guard value("FORM_TYPE") == Namespace.upload, let size = value("max-file-size").flatMap({ Int($0) }), size > 0
        else { return nil }
        return size
    }
}
