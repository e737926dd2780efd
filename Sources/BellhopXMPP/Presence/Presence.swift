package import BellhopXML

/// A presence stanza: who is there, and who wants to see whom (RFC 6121 sections 3 and 4).
package struct Presence: Equatable, Sendable {
    package var type: Kind
    /// Nil on what we send, and on what our own server says.
    package var from: JID?
    /// Nil for everybody who may see us.
    package var to: JID?
    package var id: String?
    /// What is shown; the status also goes with the other types, as in "please let me in".
    package var availability: Availability
    /// All other child elements, an `<error/>` included.
    package var payloads: [Element]

    package enum Kind: String, Sendable, CaseIterable {
        /// Written without a `type`.
        case available
        case unavailable, subscribe, subscribed, unsubscribe, unsubscribed, probe, error

        /// Whether it asks for, gives or takes back a subscription (RFC 6121 section 3).
        package var isAboutSubscription: Bool {
            switch self {
            case .subscribe, .subscribed, .unsubscribe, .unsubscribed: true
            case .available, .unavailable, .probe, .error: false
            }
        }
    }

    package init(
        _ type: Kind, from: JID? = nil, to: JID? = nil, id: String? = nil, availability: Availability = Availability(),
        payloads: [Element] = []
    ) {
        self.type = type
        self.from = from
        self.to = to
        self.id = id
        self.availability = availability
        self.payloads = payloads
    }
}

extension Presence {
    /// Reads a stanza; nil for an unknown type and for an address that cannot be read, which are to be passed over.
    package init?(_ stanza: Element) {
        guard stanza.is("presence", Namespace.client), let type = Presence.kind(stanza["type"]) else { return nil }
        self.init(type, id: stanza["id"])
        if let text = stanza["from"] {
            guard let jid = try? JID(received: text) else { return nil }
            from = jid
        }
        if let text = stanza["to"] {
            guard let jid = try? JID(received: text) else { return nil }
            to = jid
        }
        for case .element(let child) in stanza.nodes {
            switch (child.name, child.namespace) {
            case ("show", Namespace.client): availability.show = Show(rawValue: child.text) ?? .available
            case ("status", Namespace.client): availability.status = availability.status ?? child.text
            case ("priority", Namespace.client): availability.priority = DecimalText.value(of: child.text) ?? 0
            default: payloads.append(child)
            }
        }
    }

    /// The stanza; `available` has no `type`, and what is the default is not written.
    package var element: Element {
        var stanza = Element("presence", namespace: Namespace.client)
            .with("type", type == .available ? nil : type.rawValue)
            .with("id", id).with("to", to?.description).with("from", from?.description)
        if type == .available, availability.show != .available {
            stanza = stanza.with(Element("show", namespace: Namespace.client).with(text: availability.show.rawValue))
        }
        if let status = availability.status {
            stanza = stanza.with(Element("status", namespace: Namespace.client).with(text: status))
        }
        if type == .available, availability.priority != 0 {
            let priority = String(availability.priority)
            stanza = stanza.with(Element("priority", namespace: Namespace.client).with(text: priority))
        }
        for payload in payloads { stanza = stanza.with(payload) }
        return stanza
    }

    private static func kind(_ text: String?) -> Kind? {
        guard let text else { return .available }
        // On the wire being available is the absence of a type, not one of its values.
        return text == Kind.available.rawValue ? nil : Kind(rawValue: text)
    }
}
