package import BellhopXML

/// One change of the roster, as a server tells all our resources (RFC 6121 section 2.1.6).
///
/// Whether its sender may say so is not looked at here.
package struct RosterPush: Equatable, Sendable {
    package var version: String?
    package var change: RosterChange

    /// Reads the `<query/>` of a push; nil unless it holds exactly one item that can be read.
    package init?(_ query: Element) {
        guard query.is("query", Namespace.roster) else { return nil }
        let children = query.children
        guard children.count == 1, let change = RosterChange(children[0]) else { return nil }
        version = query["ver"]
        self.change = change
    }
}
