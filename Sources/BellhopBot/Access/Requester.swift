package import BellhopXMPP

/// Who wants to run something, and where.
package enum Requester: Sendable, Equatable {
    /// In a chat between this person and the bot.
    case direct(JID)
    /// In a room; the address is the occupant's own, where the room shows it. The name that is worn there is nobody's.
    case occupant(of: JID, nickname: String, address: JID?)

    /// The person, bare; nil when nobody knows who it is, or it is no person but a server.
    package var person: JID? {
        let address: JID?
        switch self {
        case .direct(let sender): address = sender
        case .occupant(_, _, let real): address = real
        }
        guard let address, address.hasLocal else { return nil }
        return address.bare
    }
}
