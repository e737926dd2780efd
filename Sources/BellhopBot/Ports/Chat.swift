package import BellhopXMPP

/// What the desk needs of the connection; loop-confined, and nothing here waits.
///
/// What is asked while there is no connection is the house's to keep: messages are in the ledger, the rest is dropped or
/// repeated after login (presence).
package protocol Chat: AnyObject {
    /// Sends a message whose row is in the ledger; the bytes leave after the turn is committed.
    func send(_ message: OutgoingMessage, row: RowID)
    /// Says what we do in a conversation just now (XEP-0085); no message, so it is neither logged nor repeated.
    func signal(_ state: ChatState, to jid: JID, thread: String?)
    /// Sends, in order, what is queued in the ledger and was not handed over yet.
    func sendQueued()
    /// What was handed to the stream and is not known to have arrived there.
    var underWay: Set<RowID> { get }
    /// Lets a person see our presence (`subscribed`); the address is bare.
    func approve(_ jid: JID)
    /// Refuses a request (`unsubscribed`); the address is bare.
    func refuse(_ jid: JID)
    /// Asks to see a person's presence (`subscribe`); the address is bare.
    func subscribe(_ jid: JID)
    /// Blocks a person on the server (XEP-0191), or refuses where it cannot.
    func block(_ jid: JID)
    /// Writes a roster item's name and groups.
    func setContact(_ jid: JID, name: String?, groups: [String])
    /// Removes a roster item and both subscriptions.
    func removeContact(_ jid: JID)
    /// Whether the roster is that of the server; before the first login, and while a new session asks for it, it is not.
    var knowsRoster: Bool { get }
    /// The roster item of a bare address; nil when it is not in the roster.
    func rosterItem(_ jid: JID) -> RosterItem?
    /// Everybody in the roster, with their presence.
    var contacts: [Contact] { get }
    /// Shows the bot with this presence from now on.
    func show(_ availability: Availability)
}
