internal import BellhopEngine
internal import BellhopXML
internal import BellhopXMPP

/// What is known and waited for while the account is online; gone with the session.
final class LiveSession {
    private(set) var bound: Bound
    /// How the last login of it went.
    var login: AccountEvent.Login
    /// What is counted and kept for the server's acknowledgements; nil where it gives none.
    var stream: StreamManagement?
    /// How messages are read here; its `now` is set for each.
    var reading: MessageReading
    var addresses = AddressCache()
    var requests = PendingRequests()
    /// Who waits for which answer; called on the loop's thread.
    private var waiters: [RequestKey: (IQReply?) -> Void] = [:]
    /// Whether our initial presence is out, or the moment for it is over where none is shown: before it the server sends no messages and no requests (RFC 6121 section 4.2).
    var isAnnounced = false
    /// The presence that the server has of us, as it was written; nil where it has none.
    var shown: String?
    /// Whether the server is still there; nil where it is never asked.
    var watch: ServerWatch?
    /// What of the archive is being read; see AccountLoop+Archive.
    var archive = ArchiveShelf()
    /// Whether the server was asked what time it is and has not said it, and who waits for that.
    var isAskingTime = false
    var timeWaiters: [() -> Void] = []
    private var lastRequest: UInt64 = 0
    private let idPrefix: String

    init(bound: Bound, login: AccountEvent.Login, reading: MessageReading, idPrefix: String) {
        self.bound = bound
        self.login = login
        self.reading = reading
        self.idPrefix = idPrefix
    }

    /// The server says what it offers behind a login within which the stream went on (XEP-0388).
    func offers(_ features: ServerFeatures) {
        bound = Bound(
            jid: bound.jid, method: bound.method, encrypted: bound.encrypted, features: features,
            enabled: bound.enabled)
    }

    /// An id that nobody can guess, so that no stranger can answer for the server.
    func nextID() -> String {
        lastRequest += 1
        return idPrefix + String(lastRequest, radix: 36)
    }

    func wait(for key: RequestKey, _ answered: @escaping (IQReply?) -> Void) { waiters[key] = answered }

    func answered(_ key: RequestKey, _ reply: IQReply?) { waiters.removeValue(forKey: key)?(reply) }

    /// When the server has to be asked, or was asked in vain.
    var nextDeadline: Duration? {
        let first = watch?.deadline
        guard requests.count > 0, let request = requests.nextDeadline else { return first }
        return first.map { min($0, request) } ?? request
    }

    func timeIsSettled() {
        isAskingTime = false
        let waiters = timeWaiters
        timeWaiters = []
        for work in waiters { work() }
    }

    /// The session is over: whoever waits for an answer learns that none will come.
    func abandon() {
        for key in requests.connectionLost() { answered(key, nil) }
    }
}
