package import BellhopXMPP

/// The roster as the server last told it (RFC 6121 section 2).
package struct RosterStore: Equatable, Sendable {
    /// What the server calls this state; nil where it keeps no versions or was never asked.
    package private(set) var version: String?
    private var contacts: [String: RosterItem] = [:]

    package init() {}

    package var count: Int { contacts.count }

    /// All contacts, sorted by address.
    package var items: [RosterItem] { contacts.values.sorted { $0.jid < $1.jid } }

    /// The contact with this bare address; the resource of a full one does not matter.
    package subscript(_ jid: JID) -> RosterItem? { contacts[jid.bareText] }

    /// Takes the whole roster and says what is different, new and changed contacts in the server's order first.
    mutating func replaced(by result: RosterResult) -> [RosterEvent] {
        version = result.version
        var old = contacts
        contacts = Dictionary(minimumCapacity: result.items.count)
        var events: [RosterEvent] = []
        for item in result.items {
            // A server that names a contact twice means the last.
            let before = old.removeValue(forKey: item.jid.bareText) ?? contacts[item.jid.bareText]
            contacts[item.jid.bareText] = item
            if let event = Self.event(from: before, to: item) { events.append(event) }
        }
        return events + old.values.sorted { $0.jid < $1.jid }.map(RosterEvent.removed)
    }

    /// Takes one change and says what is different; the version counts only after it.
    mutating func changed(by push: RosterPush) -> [RosterEvent] {
        defer { version = push.version ?? version }
        switch push.change {
        case .removed(let jid):
            return contacts.removeValue(forKey: jid.bareText).map { [.removed($0)] } ?? []
        case .updated(let item):
            let before = contacts.updateValue(item, forKey: item.jid.bareText)
            return Self.event(from: before, to: item).map { [$0] } ?? []
        }
    }

    private static func event(from old: RosterItem?, to new: RosterItem) -> RosterEvent? {
        guard let old else { return .added(new) }
        return old == new ? nil : .changed(from: old, to: new)
    }
}

/// What became different in the roster.
package enum RosterEvent: Equatable, Sendable {
    case added(RosterItem)
    case changed(from: RosterItem, to: RosterItem)
    case removed(RosterItem)
}
