internal import BellhopXMPP

/// Somebody whom the person at the keyboard plays.
struct TerminalPerson: Equatable {
    /// With a resource, since answers go to one.
    let jid: JID

    /// Who one is without asking for anything else.
    static let usual = "you@terminal"

    init(_ jid: JID) throws(JIDError) {
        self.jid = jid.isBare ? try JID(jid.bareText + "/tty") : jid
    }
}
