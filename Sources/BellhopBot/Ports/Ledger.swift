package import BellhopXMPP

/// A row of the conversation log: its sequence number, which is also its order.
package typealias RowID = Int64

/// What has become of an incoming message.
package enum RowState: String, Sendable {
    /// Waits to be run.
    case received
    /// A handler is at work.
    case started
    case handled
    /// The handler was stopped, or the bot while it worked.
    case interrupted
    /// Not run; the row has the reason.
    case declined
}

/// What became of a message that was brought to the ledger.
package enum Admission: Sendable, Equatable {
    case new(RowID)
    /// It is in the ledger already; nothing was written.
    case duplicate
    /// The ledger takes nothing more; nothing was written.
    case refused
}

/// Whose message it is, and in which state it enters the ledger.
package struct IncomingRecord: Sendable, Equatable {
    /// The other side, bare.
    package var peer: JID
    /// Whether our own account wrote it, on another device; the direction is out then.
    package var isOwn: Bool
    package var state: RowState
    /// Why it was declined; nil otherwise.
    package var reason: String?

    package init(peer: JID, isOwn: Bool = false, state: RowState = .received, reason: String? = nil) {
        self.peer = peer
        self.isOwn = isOwn
        self.state = state
        self.reason = reason
    }
}

/// An incoming message that is in the ledger and has not come to its end.
package struct UnfinishedMessage: Sendable {
    package var row: RowID
    /// As it was received: sender with resource, type, id, thread, text, and the stanza as far as it was kept.
    package var message: IncomingMessage
    /// `received` or `started`.
    package var state: RowState
    /// What its last mark noted; nil mostly.
    package var reason: String?
    package var receivedAt: Timestamp

    package init(
        row: RowID, message: IncomingMessage, state: RowState, reason: String? = nil, receivedAt: Timestamp
    ) {
        self.row = row
        self.message = message
        self.state = state
        self.reason = reason
        self.receivedAt = receivedAt
    }
}

/// What the desk needs of the journal; loop-confined, and nothing here waits.
///
/// Everything written in a turn becomes one transaction at its end. The desk decides the states, the ledger stores them.
package protocol Ledger: AnyObject {
    /// Whether it cannot take more rows; new commands are declined then.
    var isFull: Bool { get }
    /// Writes a message, its kind being its obstacle or its type, unless it was seen before.
    ///
    /// The same is: equal archive id, else equal bare sender and origin id (or id) and body.
    func admit(_ message: IncomingMessage, _ record: IncomingRecord, at clock: Timestamp) -> Admission
    /// Writes a message of ours as `queued`, and gives it its id; `answered` is the row it answers, nil when unasked.
    ///
    /// The id of an answer derives from that row and the ordinal: a command that runs again has the same row and id.
    /// Ordinal 0 is for what the desk itself says to the message, handlers' answers count from 1.
    func queue(
        _ message: OutgoingMessage, answering answered: RowID?, ordinal: Int, at clock: Timestamp
    ) -> QueuedMessage
    /// Moves an incoming row to a later state; cheap in the turn in which it was admitted.
    func mark(_ row: RowID, _ state: RowState, reason: String?)
    /// Marks the outgoing message with this id to this peer (bare) as failed; nil when there is none.
    func markFailed(id: String, peer: JID, reason: String, at clock: Timestamp) -> RowID?
    /// Messages of ours that wait to be sent, and those that came back.
    func outbox(_ filter: OutboxFilter) throws(LedgerFault) -> OutboxListing
    /// A message of ours; nil when this row is none.
    func record(of row: RowID) throws(LedgerFault) -> OutgoingRecord?
    /// Puts a message that came back down to be sent again, under its id and in its place in the order.
    func requeue(_ record: OutgoingRecord, by who: String)
    /// Gives up a message that waits or came back.
    func drop(_ record: OutgoingRecord, by who: String, at moment: Moment)
    /// Messages of a conversation that are still `received`, oldest first, behind a row; this turn's rows included.
    func waiting(_ peer: JID, after row: RowID, limit: Int) -> [UnfinishedMessage]
    /// Messages that are `received` or `started`, oldest first, this turn's included; nil when they cannot be read.
    func unfinished() -> [UnfinishedMessage]?

    /// The pause that was stored last and not ended; nil when there is none.
    func storedPause() -> Pause?
    /// Keeps a pause across restarts; nil forgets it.
    func store(_ pause: Pause?)

    /// The subscription requests that wait for an answer, by number.
    func pendingRequests() -> [PendingRequest]
    /// Notes a request that waits, and gives it a number that was never used.
    func addRequest(from person: JID, at clock: Timestamp) -> PendingRequest
    /// Notes how a waiting request ended, and who or what decided.
    func closeRequest(_ number: Int, _ ending: RequestEnding, by who: String, at clock: Timestamp)
    /// Whether this person was never greeted; from now on they are.
    func greetOnce(_ person: JID, at clock: Timestamp) -> Bool

    /// Notes a run, or its denial, in place of what was noted of the same row.
    func audit(_ entry: AuditEntry)
    /// Notes how a run went on; does nothing where none was noted.
    func closeAudit(_ row: RowID, _ outcome: AuditOutcome, after duration: Duration?)
    /// The newest entries, at most so many, oldest first; this turn's included.
    func audited(last: Int) -> [AuditEntry]
}

/// Why the ledger does not answer.
package enum LedgerFault: Error, Equatable, Sendable {
    /// It cannot be read, in a sentence for the operator.
    case unreadable(String)
    /// It takes nothing more.
    case full
}

/// A message that was put down to be sent.
package struct QueuedMessage: Sendable, Equatable {
    package var row: RowID
    /// The id to send it under.
    package var id: String
    /// Whether an earlier run of the same command put it down already: then it is sent, or waits for its turn.
    package var isRepeated: Bool

    package init(row: RowID, id: String, isRepeated: Bool = false) {
        self.row = row
        self.id = id
        self.isRepeated = isRepeated
    }
}

/// How a subscription request that waited came to its end.
package enum RequestEnding: String, Sendable {
    case accepted, denied
    /// Taken back by who asked.
    case withdrawn
}
