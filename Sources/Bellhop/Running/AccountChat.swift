internal import BellhopBot
internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopXMPP

/// Gives the desk a mouth: what it says goes to the account's loop.
///
/// A message that cannot go out now stays queued in the journal; it goes out, in order, when the account is online again.
final class AccountChat: Chat {
    private let loop: AccountLoop
    private let log: Log
    /// The rows handed to the stream in this turn, in order; sent once the turn's bytes have left.
    private(set) var leaving: [RowID] = []
    /// To whom messages went and under which ids, where somebody hears of each.
    private var addressed: [RowID: (to: JID, id: String)] = [:]
    /// Whether a message was turned away because too much waits for the server's acknowledgement.
    private var waits = false
    var keepsAddresses = false
    /// Whose messages wait until it is known what of them the server has; see BotHouse+Settling.
    var settling = Settling()
    private let queued: () -> [(row: RowID, message: OutgoingMessage)]

    /// `queued` reads what the journal holds to be sent, in order.
    init(loop: AccountLoop, queued: @escaping () -> [(row: RowID, message: OutgoingMessage)], log: Log) {
        self.loop = loop
        self.queued = queued
        self.log = log
    }

    func send(_ message: OutgoingMessage, row: RowID) {
        if settling.isHeld(message.to.bareText) { return settling.wait(message, row: row) }
        guard loop.send(message, row: row) else {
            waits = waits || loop.isOnline
            return
        }
        if !loop.acknowledges { leaving.append(row) }
        if keepsAddresses { addressed[row] = (message.to, message.id) }
    }

    /// Sends what waited for acknowledgements, now that some have come.
    func acknowledged() {
        guard waits else { return }
        settling.readLater()
        // That the server takes its time is no delay that anybody has to be told of.
        sendQueued(isLate: false) { [settling] in !settling.isHeld($0) }
    }

    var underWay: Set<RowID> { Set(leaving).union(loop.unacknowledgedRows) }

    func sendQueued() {
        settling.readLater()
        sendQueued { [settling] in !settling.isHeld($0) }
    }

    /// The same for those whose bare address fits; `isLate` says whether they are told since when it waited.
    func sendQueued(isLate: Bool = true, to isMeant: (_ peer: String) -> Bool) {
        guard loop.isOnline else { return }
        waits = false
        for (row, var message) in stillQueued where isMeant(message.to.bareText) {
            if !isLate { message.delay = nil }
            send(message, row: row)
        }
        sortLeaving()
    }

    /// What the journal holds to be sent, without what was handed to the stream: that counts as queued until its turn is over,
    /// or it is acknowledged.
    var stillQueued: [(row: RowID, message: OutgoingMessage)] {
        let handedOver = underWay
        return queued().filter { !handedOver.contains($0.row) }
    }

    /// What was queued long ago may leave behind what was queued in this turn.
    func sortLeaving() { leaving.sort() }

    /// The messages of this turn have left, or are lost with the connection.
    func forgetLeaving() {
        leaving.removeAll(keepingCapacity: leaving.capacity <= 1_024)
    }

    /// To whom this message went and under which id; forgotten with the answer.
    func takeAddress(of row: RowID) -> (to: JID, id: String)? { addressed.removeValue(forKey: row) }

    func signal(_ state: ChatState, to jid: JID, thread: String?) { loop.signal(state, to: jid, thread: thread) }

    func approve(_ jid: JID) { loop.send(.subscribed, to: jid) }

    func refuse(_ jid: JID) { loop.send(.unsubscribed, to: jid) }

    func subscribe(_ jid: JID) { loop.send(.subscribe, to: jid) }

    func block(_ jid: JID) {
        loop.block(jid) { [loop, log] reply in
            if case .result(_)? = reply { return }
            log.warning(
                "block", "The server does not block people; the request is refused instead", ["jid": jid.bareText])
            loop.send(.unsubscribed, to: jid)
        }
    }

    func setContact(_ jid: JID, name: String?, groups: [String]) {
        loop.setContact(jid, name: name, groups: groups) { [log] reply in
            if case .error(let error)? = reply {
                log.warning(
                    "roster", "The server did not change the contact",
                    ["jid": jid.bareText, "reason": error.condition.rawValue])
            }
        }
    }

    func removeContact(_ jid: JID) {
        loop.removeContact(jid) { [log] reply in
            if case .error(let error)? = reply {
                log.warning(
                    "roster", "The server did not remove the contact",
                    ["jid": jid.bareText, "reason": error.condition.rawValue])
            }
        }
    }

    var knowsRoster: Bool { loop.knowsRoster }

    func rosterItem(_ jid: JID) -> RosterItem? { loop.rosterItem(jid) }

    var contacts: [Contact] {
        loop.rosterItems.map { Contact(item: $0, resources: loop.resources(of: $0.jid)) }
    }

    func show(_ availability: Availability) { loop.show(availability) }
}
