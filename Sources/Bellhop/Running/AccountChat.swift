internal import BellhopBot
internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopXMPP

/// Gives the desk a mouth: what it says goes to the account's loop.
///
/// A message that cannot go out now stays queued in the journal; it goes out, in order, when the account is online again.
final class AccountChat: Chat {
    let loop: AccountLoop
    let log: Log
    /// The rows handed to the stream in this turn, in order; sent once the turn's bytes have left.
    private(set) var leaving: [RowID] = []
    /// To whom messages went and under which ids, where somebody hears of each.
    private(set) var addressed: [RowID: (to: JID, id: String)] = [:]
    var keepsAddresses = false
    /// Whose messages wait until it is known what of them the server has; see BotHouse+Settling.
    var settling = Settling()
    /// What was queued before this moment is late, and says since when it waits.
    var lateBefore: Timestamp?
    typealias Queued = (
        _ person: JID?, _ after: RowID, _ limit: Int
    ) -> [(row: RowID, message: OutgoingMessage)]
    let queued: Queued

    // What may not leave yet; see AccountChat+Waiting.

    /// `account.sending`; nil where messages leave as fast as the server takes them.
    let pace: Pace?
    var bucket = TokenBucket()
    var waiting = SendingQueue()
    /// Whether what is said goes straight to the stream: there is no pace, nothing waits, and the server keeps up.
    var isDirect: Bool
    var proof = SizeProof()
    /// Set once the server has refused to take so much at once.
    var window: SendingWindow?
    /// A message whose turn has come, and for which the window has no room yet.
    var next: SendingQueue.Entry?
    /// Says a message that has become too large in parts, in its place; false where it has not.
    var splits: (_ row: RowID, _ message: OutgoingMessage) -> Bool = { _, _ in false }
    /// How large the message in a row is; 0 where the row is not to be sent.
    var size: (_ row: RowID) -> Int = { _ in 0 }
    /// Takes rows that count as sent now, though they left in an earlier turn.
    var proven: ([RowID]) -> Void = { _ in }

    /// How many bytes may wait for the kernel, in this turn and from earlier ones; above that messages wait in their queue.
    static let unsentLimit = 4 * 1_024 * 1_024

    /// `queued` reads what the journal holds to be sent, in order, to one person or to all, behind a row.
    init(loop: AccountLoop, queued: @escaping Queued, pace: Pace?, log: Log) {
        self.loop = loop
        self.queued = queued
        self.pace = pace
        self.log = log
        isDirect = pace == nil
    }

    func send(_ message: OutgoingMessage, row: RowID) {
        if settling.isHeld(message.to.bareText) { return settling.wait(message, row: row) }
        guard isDirect else { return sendInTurn(message, row: row) }
        hand(message, row: row)
    }

    func hand(_ message: OutgoingMessage, row: RowID) {
        let before = loop.collectedBytes
        guard loop.send(stamped(message), row: row) else { return keepWaiting(message, row: row) }
        if !loop.acknowledges { leaving.append(row) }
        if keepsAddresses { addressed[row] = (message.to, message.id) }
        let collected = loop.collectedBytes
        window?.sent(collected - before)
        if collected - before > StanzaSize.guaranteed { noteLarge(row, bytes: collected - before) }
        if collected > Self.unsentLimit { isDirect = false }
    }

    /// That the server takes its time is no delay that anybody has to be told of.
    private func stamped(_ message: OutgoingMessage) -> OutgoingMessage {
        guard let delay = message.delay, lateBefore.map({ delay >= $0 }) ?? true else { return message }
        var message = message
        message.delay = nil
        return message
    }

    var underWay: Set<RowID> { Set(leaving).union(proof.held).union(loop.unacknowledgedRows) }

    func sendQueued() {
        guard loop.isOnline else { return }
        waiting.removeAll()
        next = nil
        load(behind: 0)
        sortLeaving()
    }

    /// What the journal holds to be sent, without what was handed to the stream: that counts as queued until its turn is over,
    /// or it is acknowledged.
    var stillQueued: [(row: RowID, message: OutgoingMessage)] {
        let handedOver = underWay
        return queued(nil, 0, .max).filter { !handedOver.contains($0.row) }
    }

    /// What was queued long ago may leave behind what was queued in this turn.
    func sortLeaving() { leaving.sort() }

    /// The messages of this turn have left, or are lost with the connection.
    func forgetLeaving() {
        leaving.removeAll(keepingCapacity: leaving.capacity <= 1_024)
    }

    /// To whom this message went and under which id; forgotten with the answer.
    func takeAddress(of row: RowID) -> (to: JID, id: String)? { addressed.removeValue(forKey: row) }

    /// Nobody waits for it, so it never takes the place of a message.
    func signal(_ state: ChatState, to jid: JID, thread: String?) {
        if isDirect || mayAlsoSignal() { loop.signal(state, to: jid, thread: thread) }
    }

    private func mayAlsoSignal() -> Bool {
        guard next == nil, waiting.isEmpty else { return false }
        return pace.map { bucket.take($0, now: loop.now) } ?? true
    }

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
