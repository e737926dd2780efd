internal import BellhopXML
internal import BellhopXMPP

/// What a simulated server keeps for one account, whether it is online or not.
struct SimulatedAccount: Sendable {
    let bare: String
    let password: String
    /// In the order in which they were added.
    var roster: [Contact] = []
    /// Who asked to see this account's presence and was not answered; bare addresses.
    var requests: [String] = []
    /// Messages that wait for the account to come online, each with its moment.
    var offline: [Kept] = []
    var archive: [Archived] = []

    /// One entry of a roster (RFC 6121 section 2.1.2).
    struct Contact: Sendable {
        var jid: String
        var name: String?
        /// Whether the contact sees the account's presence.
        var isWatching = false
        /// Whether the account sees the contact's presence.
        var isWatched = false
        /// Whether the account has asked to see it.
        var isAsked = false
        var groups: [String] = []

        var subscription: String {
            switch (isWatching, isWatched) {
            case (true, true): "both"
            case (true, false): "from"
            case (false, true): "to"
            case (false, false): "none"
            }
        }

        var item: Element {
            var item = Element("item", namespace: Namespace.roster)
                .with("jid", jid).with("name", name).with("subscription", subscription)
                .with("ask", isAsked ? "subscribe" : nil)
            for group in groups { item = item.with(Element("group", namespace: Namespace.roster).with(text: group)) }
            return item
        }
    }

    struct Kept: Sendable {
        var stanza: Element
        var at: Timestamp
    }

    struct Archived: Sendable {
        var id: String
        /// The other side, as it was addressed.
        var peer: JID
        var stanza: Element
        var at: Timestamp
    }
}
