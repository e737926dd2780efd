package import BellhopXMPP

/// The requests that wait for an answer. An answer counts only if type, id and sender are right; times are monotonic.
///
/// It holds no continuation: who waits for what is the caller's, under the `RequestKey`.
package struct PendingRequests: Equatable, Sendable {
    /// Why a request cannot be sent.
    package enum Fault: Error, Equatable, Sendable {
        /// Too many wait already.
        case full(limit: Int)
        /// One with this id waits already.
        case duplicate
    }

    private struct Pending: Equatable {
        let peer: JID?
        let deadline: Duration
    }

    private let limit: Int
    private var waiting: [String: Pending] = [:]

    /// - Parameter limit: How many requests may wait at once; further ones are refused.
    package init(limit: Int = 1000) { self.limit = limit }

    package var count: Int { waiting.count }

    /// A request is about to be sent: it has `timeout` from `now` on to be answered.
    package mutating func sent(
        _ id: String, to peer: JID?, now: Duration, timeout: Duration
    ) throws(Fault) -> RequestKey {
        guard waiting[id] == nil else { throw .duplicate }
        guard waiting.count < limit else { throw .full(limit: limit) }
        waiting[id] = Pending(peer: peer, deadline: now + timeout)
        return RequestKey(id: id, peer: peer)
    }

    /// An iq came in. The answer to one of ours with whom it is for; nil for requests and for what nobody asked.
    ///
    /// A request without `to` is answered by nobody (no `from`), by our bare or full address or by our domain
    /// (RFC 6120 section 8.1.2.1); one to the account itself likewise.
    package mutating func received(_ iq: IQ, account: JID) -> (RequestKey, IQReply)? {
        guard let pending = waiting[iq.id], let reply = IQReply(iq) else { return nil }
        guard answers(iq, for: pending.peer, account) else { return nil }
        waiting[iq.id] = nil
        return (RequestKey(id: iq.id, peer: pending.peer), reply)
    }

    private func answers(_ iq: IQ, for peer: JID?, _ account: JID) -> Bool {
        guard let peer else { return isOwn(iq, account) }
        // A server may answer for the account itself, or as itself, without saying so.
        if peer == account.bare || (peer.isBare && peer.bareText == account.domain) { return isOwn(iq, account) }
        return iq.from == peer
    }

    private func isOwn(_ iq: IQ, _ account: JID) -> Bool {
        guard let from = iq.from else { return true }
        return from == account.bare || from == account || (from.isBare && from.bareText == account.domain)
    }

    /// Gives every request more time: for so long no answer could come.
    package mutating func extend(by duration: Duration) {
        for (id, request) in waiting {
            waiting[id] = Pending(peer: request.peer, deadline: request.deadline + duration)
        }
    }

    /// When the next request runs out of time; nil while none waits.
    package var nextDeadline: Duration? { waiting.values.map(\.deadline).min() }

    /// Takes out the requests that got no answer in time.
    package mutating func timePassed(_ now: Duration) -> [RequestKey] {
        remove { $0.deadline <= now }
    }

    /// Takes out every request: their answers cannot come any more.
    package mutating func connectionLost() -> [RequestKey] {
        remove { _ in true }
    }

    private mutating func remove(where isOver: (Pending) -> Bool) -> [RequestKey] {
        let over = waiting.filter { isOver($0.value) }
        for id in over.keys { waiting[id] = nil }
        return over.sorted { $0.value.deadline < $1.value.deadline }.map { RequestKey(id: $0.key, peer: $0.value.peer) }
    }
}

/// Which request of ours something is about.
package struct RequestKey: Hashable, Sendable {
    package let id: String
    /// Whom it was sent to; nil for our own server.
    package let peer: JID?

    package init(id: String, peer: JID?) {
        self.id = id
        self.peer = peer
    }
}
