package import BellhopXML

/// What an `<item/>` says: how a contact stands now, or that it is gone.
package enum RosterChange: Equatable, Sendable {
    case updated(RosterItem)
    case removed(JID)

    /// Reads an `<item/>`; nil without an address that can be read. An absent or unknown subscription is none.
    package init?(_ item: Element) {
        guard item.is("item", Namespace.roster), let text = item["jid"], let jid = try? JID(received: text) else {
            return nil
        }
        guard item["subscription"] != "remove" else {
            self = .removed(jid.bare)
            return
        }
        var groups: [String] = []
        for case .element(let child) in item.nodes where child.is("group", Namespace.roster) {
            groups.append(child.text)
        }
        let name = item["name"]
        self = .updated(
            RosterItem(
                jid: jid, name: name == "" ? nil : name,
                subscription: item["subscription"].flatMap(RosterItem.Subscription.init(rawValue:)) ?? .none,
                ask: item["ask"] == "subscribe", approved: item["approved"] == "true" || item["approved"] == "1",
                groups: groups))
    }

    /// The `<query/>` of a roster set that asks the server for this change. The server alone decides subscription and
    /// ask, so they are not written.
    package var query: Element {
        let query = Element("query", namespace: Namespace.roster)
        let item = Element("item", namespace: Namespace.roster)
        switch self {
        case .removed(let jid):
            return query.with(item.with("jid", jid.bareText).with("subscription", "remove"))
        case .updated(let contact):
            var item = item.with("jid", contact.jid.bareText).with("name", contact.name)
            for group in contact.groups {
                item = item.with(Element("group", namespace: Namespace.roster).with(text: group))
            }
            return query.with(item)
        }
    }
}
