package import BellhopXML

/// A question to an archive: which messages, and which page of them (XEP-0313 section 4.1, XEP-0059).
package struct ArchiveQuery: Equatable, Sendable {
    package enum Page: Equatable, Sendable {
        case first
        /// What follows the message of this id.
        case after(String)
        case last
    }

    /// The query's own name, which its results repeat.
    package var id: String
    /// Only what was said with this person.
    package var peer: JID?
    /// Only what was filed from then on.
    package var start: Timestamp?
    package var page: Page
    /// How many messages the page may have.
    package var size: Int

    package init(id: String, peer: JID? = nil, start: Timestamp? = nil, page: Page, size: Int) {
        self.id = id
        self.peer = peer
        self.start = start
        self.page = page
        self.size = size
    }

    /// The payload of the request.
    package var element: Element {
        var form = Element("x", namespace: Namespace.dataForms).with("type", "submit")
            .with(Self.field("FORM_TYPE", Namespace.messageArchive).with("type", "hidden"))
        if let peer { form = form.with(Self.field("with", "\(peer)")) }
        if let start { form = form.with(Self.field("start", start.description)) }
        var set = Element("set", namespace: Namespace.resultSets).with(Self.item("max", "\(size)"))
        switch page {
        case .first: break
        case .after(let id): set = set.with(Self.item("after", id))
        case .last: set = set.with(Element("before", namespace: Namespace.resultSets))
        }
        return Element("query", namespace: Namespace.messageArchive).with("queryid", id).with(form).with(set)
    }

    private static func field(_ name: String, _ value: String) -> Element {
        Element("field", namespace: Namespace.dataForms).with("var", name)
            .with(Element("value", namespace: Namespace.dataForms).with(text: value))
    }

    private static func item(_ name: String, _ text: String) -> Element {
        Element(name, namespace: Namespace.resultSets).with(text: text)
    }
}
