package import BellhopXMPP

/// A row of the conversation log: its sequence number, which is also its order.
package typealias RowID = Int64

/// What has become of a message.
package enum RowState: String, Sendable {
    // Incoming.
    case received, started, handled, interrupted, declined
    // Outgoing.
    case queued, sent, acknowledged, failed
}

/// What the ledger writes of an incoming message besides the message itself.
package struct IncomingRecord: Sendable, Equatable {
    /// The other side, bare.
    package var peer: JID
    /// Whether our own account wrote it, on another device.
    package var isOwn: Bool
    /// `chat`, or the obstacle's name: `encrypted`, `correction`, `carbon`, ...; `payload` for one without a body.
    package var kind: String
    package var state: RowState
    /// Why it was declined; nil otherwise.
    package var reason: String?

    package init(peer: JID, isOwn: Bool = false, kind: String = "chat", state: RowState, reason: String? = nil) {
        self.peer = peer
        self.isOwn = isOwn
        self.kind = kind
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
    package var receivedAt: Timestamp

    package init(row: RowID, message: IncomingMessage, state: RowState, receivedAt: Timestamp) {
        self.row = row
        self.message = message
        self.state = state
        self.receivedAt = receivedAt
    }
}

/// What the desk needs of the journal; loop-confined, and nothing here waits.
///
/// Everything written in a turn becomes one transaction at its end. The desk decides the states, the ledger stores them.
package protocol Ledger: AnyObject {
    /// Whether it cannot take more rows; new commands are declined then.
    var isFull: Bool { get }
    /// Reserves the next row for a message and remembers its ids; nil when the same message was seen before.
    ///
    /// The same is: equal archive id, else equal bare sender and origin id (or id) and body.
    func admit(_ message: IncomingMessage, peer: JID) -> RowID?
    /// Writes the row that `admit` reserved; called once for each, in the same turn, not always in order.
    func write(_ row: RowID, _ message: IncomingMessage, _ record: IncomingRecord, at clock: Timestamp)
    /// Writes a message of ours as `queued`; `cause` is the row it answers. Returns its row.
    func write(_ message: OutgoingMessage, cause: RowID?, at clock: Timestamp) -> RowID
    /// Moves an incoming row to a later state.
    func mark(_ row: RowID, _ state: RowState, reason: String?, at clock: Timestamp)
    /// Marks the outgoing message with this id to this peer (bare) as failed; nil when there is none.
    func markFailed(id: String, peer: JID, reason: String, at clock: Timestamp) -> RowID?
    /// Messages of a conversation that are still `received`, oldest first, behind a row; this turn's rows included.
    func waiting(_ peer: JID, after row: RowID, limit: Int) -> [UnfinishedMessage]

    /// The subscription requests that wait for an answer, in the order of their numbers.
    func pendingRequests() -> [PendingRequest]
    func store(_ request: PendingRequest)
    func removeRequest(_ number: Int)

    /// A small fact that outlives a restart, like whom the greeting was sent to; nil when unknown.
    func remembered(_ key: String) -> String?
    func remember(_ key: String, _ value: String)
}
