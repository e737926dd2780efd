package import BellhopXML

/// What a server archives of an account by default (XEP-0441).
package enum ArchivePreferences: String, Sendable, CaseIterable {
    case always, never
    /// Only what is said with contacts.
    case roster

    /// The payload of the question.
    package static let request = Element("prefs", namespace: Namespace.messageArchive)

    /// Reads the payload of an answer; nil when it says nothing of that.
    package init?(_ payload: Element) {
        guard payload.is("prefs", Namespace.messageArchive), let text = payload["default"] else { return nil }
        self.init(rawValue: text)
    }
}
