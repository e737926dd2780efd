package import BellhopXMPP

/// Which contacts are there and what they show, by the presence that they sent in this session.
///
/// It knows contacts only: what others send is not kept, nor what our own other clients show. Each contact may have 32
/// clients at a time, further ones are passed over.
package struct PresenceTable: Equatable, Sendable {
    /// The clients of one contact, in the order in which they last spoke.
    private typealias Clients = [Client]

    private struct Client: Equatable {
        /// Nil for a presence of the bare address, as gateways send it.
        let resource: String?
        var availability: Availability
    }

    private static let mostClients = 32
    private static let mostStatusCharacters = 1000

    private var contacts: [String: Clients] = [:]

    package init() {}

    /// How many contacts are there.
    package var count: Int { contacts.count }

    /// What a contact shows: its client with the highest priority, of equals the one that spoke last; nil when it is
    /// not there.
    package subscript(_ jid: JID) -> Availability? { contacts[jid.bareText].flatMap(Self.best) }

    /// The full addresses of a contact's clients with what each shows, the best first.
    package func clients(of jid: JID) -> [(jid: JID, availability: Availability)] {
        let clients = contacts[jid.bareText] ?? []
        let order = clients.enumerated().sorted {
            ($0.element.availability.priority, $0.offset) > ($1.element.availability.priority, $1.offset)
        }
        return order.compactMap { entry in
            guard let resource = entry.element.resource else { return (jid.bare, entry.element.availability) }
            return (try? JID(received: jid.bareText + "/" + resource)).map { ($0, entry.element.availability) }
        }
    }

    /// A contact's presence came in; says what it changes for the contact as a whole.
    mutating func received(_ availability: Availability, from jid: JID) -> PresenceEvent? {
        var clients = contacts[jid.bareText] ?? []
        let before = Self.best(clients)
        var availability = availability
        availability.status = availability.status.map { String($0.prefix(Self.mostStatusCharacters)) }
        clients.removeAll { $0.resource == jid.resource }
        guard clients.count < Self.mostClients else { return nil }
        clients.append(Client(resource: jid.resource, availability: availability))
        contacts[jid.bareText] = clients
        return event(jid.bare, before, Self.best(clients))
    }

    /// A contact's client is gone, or all of them when the address is bare.
    mutating func receivedUnavailable(from jid: JID) -> PresenceEvent? {
        guard var clients = contacts[jid.bareText] else { return nil }
        let before = Self.best(clients)
        if jid.isBare { clients = [] } else { clients.removeAll { $0.resource == jid.resource } }
        contacts[jid.bareText] = clients.isEmpty ? nil : clients
        return event(jid.bare, before, Self.best(clients))
    }

    /// Forgets everybody: a new session begins and will be told anew who is there.
    mutating func reset() { contacts = [:] }

    private func event(_ jid: JID, _ before: Availability?, _ after: Availability?) -> PresenceEvent? {
        switch (before, after) {
        case (nil, let now?): .contactOnline(jid, now)
        case (_?, nil): .contactOffline(jid)
        case (let then?, let now?): then.show == now.show && then.status == now.status ? nil : .contactChanged(jid, now)
        case (nil, nil): nil
        }
    }

    private static func best(_ clients: Clients) -> Availability? {
        var best: Availability?
        for client in clients where client.availability.priority >= best?.priority ?? Int.min {
            best = client.availability
        }
        return best
    }
}

/// What presence changes for a contact as a whole, whatever the number of its clients; addresses are bare.
package enum PresenceEvent: Equatable, Sendable {
    /// The first client came.
    case contactOnline(JID, Availability)
    /// The last client went.
    case contactOffline(JID)
    /// What the contact shows is different.
    case contactChanged(JID, Availability)
}
