package import BellhopEngine
package import BellhopXMPP

/// Who lives behind an account: hears what the server sends, and keeps the journal.
///
/// Every call comes on the loop's thread. `now` is the monotonic clock, read once a turn.
package protocol AccountHouse: AnyObject {
    /// A message stanza that is not an error.
    func received(_ message: consuming IncomingMessage, now: Duration)
    /// An error message: one of ours came back.
    func bounced(_ message: IncomingMessage, now: Duration)
    /// Somebody asks to see our presence (RFC 6121 section 3.1.3).
    func requested(by jid: JID, stanza: Presence, now: Duration)
    /// Something happened to the account.
    func occurred(_ event: AccountEvent, now: Duration)
    /// Somebody posted an input for the house.
    func received(input: any Sendable, now: Duration)
    /// The moment named by `nextDeadline` has come.
    func reachedDeadline(now: Duration)
    /// When the house wants to be called; nil while nothing is pending.
    var nextDeadline: Duration? { get }
    /// Ends a turn: makes what happened durable. The turn's bytes leave only after `.released`.
    func commit(now: Duration) -> Commitment
    /// The turn is durable: what may only start now, may start. `left` says that its bytes have left, or wait for the
    /// kernel; else they were lost with the connection, and the messages among them are still to be sent. On a stream that
    /// the server acknowledges (`AccountLoop.acknowledges`) it says nothing: there `acknowledged` does.
    func committed(now: Duration, left: Bool)
    /// The server has the messages of these rows (XEP-0198).
    func acknowledged(_ rows: [Int64], now: Duration)
    /// The messages of these rows were written to a stream that is gone: nobody knows whether the server has them.
    func lostSight(of rows: [Int64], now: Duration)
    /// The message of this row, to be written again as it was; nil when it is not to be sent any more.
    func message(in row: Int64) -> OutgoingMessage?
    /// Whether what came while nobody was there will be read from the archive, so that the server need not keep it (XEP-0386).
    var readsArchive: Bool { get }
    /// With the next commit, keeps what a later process needs to resume the stream; nil forgets it.
    func keep(_ stream: StoredStream?)
    /// With the next commit, keeps what later logins may show in place of the password; it is worth as much as that.
    func keep(_ tokens: LoginTokens)
    /// A stop was asked for: no new work is begun. Called once.
    func stopping(now: Duration)
    /// Whether nothing is running that the stop should wait for.
    var isQuiet: Bool { get }
    /// Whether nothing is being looked up in the archive that may still be handled or sent.
    var hasCaughtUp: Bool { get }
}

/// What a house says about the turn's bytes.
package enum Commitment: Equatable, Sendable {
    case released
    /// Let them go, but acknowledge nothing: what came in is in memory only.
    case releasedUnstored
    /// Keep the bytes back and ask again at this moment, or when something else happens.
    case held(until: Duration)
}

/// What happened to the account, for logs and for bots.
package enum AccountEvent: Sendable, Equatable {
    case connecting(to: String)
    /// The server was reached, and the stream is encrypted where it has to be; `tls` is like `TLS 1.3`.
    case connected(address: String, port: UInt16, tls: String?)
    case online(Login)
    /// The stream that broke goes on: nothing was lost, and nobody saw us go.
    case resumed(Login)
    /// The server refused the login, or is not the one it claims to be.
    case loginFailed(String)
    /// The server proved with this mechanism that it knows the password, which this run did not know of it yet.
    case proved(by: SASLMechanism)
    /// The server made the account that was asked for.
    case registered
    case registrationFailed(String)
    /// The server ended the live stream with this error; `disconnected` follows.
    case streamEnded(StreamError.Condition)
    /// The connection is gone; `retry` is the time to the next attempt, nil when there is none.
    case disconnected(reason: String, retry: Duration?)
    case rosterLoaded(contacts: Int)
    case rosterChanged(RosterItem)
    /// The contact is no longer in the roster.
    case rosterRemoved(JID)
    case contactOnline(JID, Availability)
    case contactOffline(JID)
    case contactChanged(JID, Availability)
    /// `unsubscribe`, `unsubscribed` or `subscribed` came from this bare JID; nothing is answered (RFC 6121 section 3).
    case subscriptionNotice(JID, Presence.Kind)

    /// How a login went.
    package struct Login: Sendable, Equatable {
        /// The JID that the server bound, domain included.
        package var bound: JID
        package var address: String
        package var port: UInt16
        /// `TLS 1.3`, or nil without TLS.
        package var tls: String?
        package var mechanism: String
        /// When the server's certificate ends; nil without TLS.
        package var certificateEnd: Timestamp?
        /// The largest stanza that the server takes, in bytes (XEP-0478); nil where it does not say.
        package var largestStanza: Int?
    }
}

/// A house without a journal: its messages are in no row, and nothing of its streams is kept.
extension AccountHouse {
    package func acknowledged(_ rows: [Int64], now: Duration) {}
    package func lostSight(of rows: [Int64], now: Duration) {}
    package func message(in row: Int64) -> OutgoingMessage? { nil }
    package func keep(_ stream: StoredStream?) {}
    package func keep(_ tokens: LoginTokens) {}
    package var readsArchive: Bool { false }
    package var hasCaughtUp: Bool { true }
}
