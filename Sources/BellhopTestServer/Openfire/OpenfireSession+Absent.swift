internal import BellhopXML

/// Openfire's way with whoever is not there.
extension OpenfireSession {
    /// Whether an address is of another domain; none is reached.
    func isElsewhere(_ address: String) -> Bool {
        let bare = address.prefix { $0 != "/" }
        let domain = bare.firstIndex(of: "@").map { bare[bare.index(after: $0)...] } ?? bare
        return domain != profile.domain && !domain.hasSuffix(".\(profile.domain)")
    }

    /// What comes back of a message or a presence for another domain: no body, and of a presence no id. What goes to a name that
    /// nobody has at its own domain is dropped without a word.
    func refusals(of stanza: Element) -> [String] {
        guard let to = stanza["to"], stanza["type"] != "error", isElsewhere(to) else { return [] }
        let id = stanza.name == "message" ? stanza["id"].map { " id=\"\($0)\"" } ?? "" : ""
        return [
            "<\(stanza.name)\(id) to=\"\(bound)\" from=\"\(to)\" type=\"error\"><error code=\"404\" type=\"cancel\">"
                + "<remote-server-not-found xmlns=\"urn:ietf:params:xml:ns:xmpp-stanzas\"/></error></\(stanza.name)>"
        ]
    }

    /// The answer to a message of a client that has not logged in.
    func refusalBeforeLogin(of message: Element) -> String {
        let id = message["id"].map { " id=\"\($0)\"" } ?? ""
        return "<message\(id) type=\"error\"><error code=\"401\" type=\"auth\">"
            + "<not-authorized xmlns=\"urn:ietf:params:xml:ns:xmpp-stanzas\"/></error></message>"
    }

    /// Whether this is nothing that a client may send on a stream behind its login, which ends there and then.
    func isUnknown(_ element: Element) -> Bool {
        switch element.namespace {
        case "jabber:client": !["iq", "message", "presence"].contains(element.name)
        case "urn:xmpp:sm:2", "urn:xmpp:sm:3": profile.version == .version3
        case "urn:xmpp:csi:0": profile.version != .version5
        default: true
        }
    }
}
