package import BellhopXML

/// A whole roster, as a server answers (RFC 6121 section 2.1.4).
package struct RosterResult: Equatable, Sendable {
    /// What to ask with the next time; nil where the server keeps no versions.
    package var version: String?
    package var items: [RosterItem]

    /// Reads the `<query/>` of an answer; nil for another element. Items that cannot be read are left out.
    package init?(_ query: Element) {
        guard query.is("query", Namespace.roster) else { return nil }
        version = query["ver"]
        items = query.children.compactMap { child in
            guard case .updated(let item)? = RosterChange(child) else { return nil }
            return item
        }
    }

    /// The `<query/>` that asks for the roster; a version, be it empty, only where the server offered to keep them.
    package static func request(version: String?) -> Element {
        Element("query", namespace: Namespace.roster).with("ver", version)
    }
}
