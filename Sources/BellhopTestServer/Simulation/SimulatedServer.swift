package import BellhopXML
package import BellhopXMPP

/// A model of an XMPP server for a few accounts and the people who write to them: events in, effects out.
///
/// It knows no socket, no thread and no clock: time comes in as an argument and randomness from a seed, so the same inputs
/// have the same effects. It answers like a server that means well; what makes it misbehave is asked for by name. Of
/// Bellhop's state machines it shares none, so that two equal mistakes do not agree.
package struct SimulatedServer: Sendable {
    /// What is changed holds for whoever asks next; what was granted before stays.
    package var options: SimulatedServerOptions

    /// What is to be done with the connections, in order.
    package enum Effect: Equatable, Sendable {
        /// The stream's start tag, with this stream id.
        case open(Int, id: String)
        case write(Int, Element)
        /// Behind this a new stream of the client begins.
        case restart(Int)
        /// Behind this the server's part in a TLS handshake begins.
        case startTLS(Int)
        /// The stream's end tag, and the end of the connection.
        case close(Int)
        /// The connection is let go of without a word.
        case drop(Int)
    }

    /// What has happened so far, for whoever judges the client.
    package struct Counts: Equatable, Sendable {
        package var logins = 0
        package var refusedLogins = 0
        package var binds = 0
        package var resumptions = 0
        package var failedResumptions = 0
        /// Sessions that were given up with their connection lost.
        package var expiredSessions = 0
        /// Streams that ended because the client broke a rule.
        package var brokenStreams = 0
        package var kicked = 0
    }

    package internal(set) var counts = Counts()
    /// By bare address.
    package internal(set) var people: [String: SimulatedPerson] = [:]
    /// The ids of the messages to an account that its client has acknowledged (XEP-0198).
    package internal(set) var acknowledged: Set<String> = []
    /// When a count was told that a lie had been ordered of.
    package internal(set) var lies: [Timestamp] = []
    /// The ids of the messages to an account that were written to a client which acknowledges nothing, and so may be lost.
    package internal(set) var unsecured: Set<String> = []

    /// Where a connection's stream is in its life.
    enum Phase: Sendable {
        /// Waits for a start tag. Next: `negotiating`.
        case opening(Standing)
        /// Features are out. Next: `securing`, `authenticating`, `opening`, `bound`.
        case negotiating(Standing)
        /// TLS is being set up. Next: `opening`.
        case securing
        /// The challenge is out. Next: `opening`, `negotiating`.
        case authenticating(SCRAMVerifier, account: String, Standing)
        /// Carries the session of this number. Next: `ended`.
        case bound(Int)
        /// We have closed it; what still comes is passed over.
        case ended
    }

    /// What a client has shown so far.
    struct Standing: Sendable {
        var isEncrypted = false
        /// The bare address that it proved to be.
        var account: String?
    }

    struct Stream: Sendable {
        var phase = Phase.opening(Standing())
        var heardAt: Duration
        var failures = 0
    }

    var streams: [Int: Stream] = [:]
    /// In the order in which they were bound.
    var sessions: [SimulatedSession] = []
    /// By bare address.
    var accounts: [String: SimulatedAccount] = [:]
    /// What had arrived of sessions that are no more, by their id.
    var expired: [String: UInt32] = [:]
    var random: SeededRandom
    /// The present moment, for as long as an input is worked on.
    var moment = SimulatedMoment(now: .zero, clock: Timestamp(milliseconds: 0))
    var effects: [Effect] = []
    var lastSession = 0
    var disorder = Disorder()
    /// Which of our own pings were answered.
    var answeredProbes: Set<String> = []

    package init(_ options: SimulatedServerOptions = SimulatedServerOptions(), seed: UInt64 = 1) {
        self.options = options
        random = SeededRandom(seed: seed)
        for (local, password) in options.accounts {
            let bare = local + "@" + options.domain
            accounts[bare] = SimulatedAccount(bare: bare, password: password)
        }
    }

    /// What is to be done since this was asked last.
    package mutating func takeEffects() -> [Effect] {
        guard !effects.isEmpty else { return [] }
        defer { effects.removeAll() }
        return effects
    }

    /// Whether something is to be done.
    var hasEffects: Bool { !effects.isEmpty }

    // MARK: what happens to connections

    /// Somebody has connected; the number must be new.
    package mutating func connected(_ connection: Int, at moment: SimulatedMoment) {
        self.moment = moment
        streams[connection] = Stream(heardAt: moment.now)
    }

    /// The TLS handshake of this connection is done.
    package mutating func secured(_ connection: Int, at moment: SimulatedMoment) {
        self.moment = moment
        guard case .securing? = streams[connection]?.phase else { return }
        streams[connection]?.phase = .opening(Standing(isEncrypted: true))
    }

    /// The client has let go of the connection, or the network has.
    package mutating func disconnected(_ connection: Int, at moment: SimulatedMoment) {
        self.moment = moment
        guard let stream = streams.removeValue(forKey: connection) else { return }
        if case .bound(let number) = stream.phase, let index = index(ofSession: number) { loseConnection(index) }
    }

    /// The client has sent this.
    package mutating func received(_ event: StreamEvent, on connection: Int, at moment: SimulatedMoment) {
        self.moment = moment
        guard let phase = streams[connection]?.phase else { return }
        streams[connection]?.heardAt = moment.now
        if case .ended = phase { return }
        switch event {
        case .opened(let header): opened(header, on: connection)
        case .element(let element): received(element, on: connection)
        case .closed: shut(connection)
        case .failed(let fault): end(connection, StreamError(fault: fault))
        }
    }

    /// The connection is only kept alive: the client has sent white space.
    package mutating func heard(on connection: Int, at moment: SimulatedMoment) {
        streams[connection]?.heardAt = moment.now
    }

    // MARK: time

    /// When something happens by itself; nil while nothing is pending.
    package var nextDeadline: Duration? {
        var first = disorder.deadline
        for session in sessions {
            guard let until = session.hibernatesUntil else { continue }
            first = first.map { min($0, until) } ?? until
        }
        if let idle = options.limits?.idle {
            for stream in streams.values {
                let until = stream.heardAt + idle
                first = first.map { min($0, until) } ?? until
            }
        }
        return first
    }

    package mutating func timePassed(at moment: SimulatedMoment) {
        self.moment = moment
        if let deadline = disorder.deadline, deadline <= moment.now { releaseHeld() }
        while let index = sessions.firstIndex(where: { ($0.hibernatesUntil ?? .seconds(Int64.max / 2)) <= moment.now })
        {
            counts.expiredSessions += 1
            destroy(index)
        }
        guard let idle = options.limits?.idle else { return }
        for connection in streams.filter({ $0.value.heardAt + idle <= moment.now }).keys.sorted() {
            drop(connection)
        }
    }

    // MARK: ends

    /// Ends a stream because the client broke a rule.
    mutating func end(_ connection: Int, _ error: StreamError, with detail: Element? = nil) {
        counts.brokenStreams += 1
        if case .opening? = streams[connection]?.phase { effects.append(.open(connection, id: random.token())) }
        var element = error.element
        if let detail { element = element.with(detail) }
        effects.append(.write(connection, element))
        shut(connection)
    }

    /// Sends the end tag. A session that was on the stream is over: only a stream that breaks can go on (XEP-0198 section 5).
    mutating func shut(_ connection: Int) {
        effects.append(.close(connection))
        guard let phase = streams[connection]?.phase else { return }
        streams[connection]?.phase = .ended
        if case .bound(let number) = phase, let index = index(ofSession: number) { destroy(index) }
    }

    mutating func drop(_ connection: Int) {
        effects.append(.drop(connection))
        guard let stream = streams.removeValue(forKey: connection) else { return }
        if case .bound(let number) = stream.phase, let index = index(ofSession: number) { loseConnection(index) }
    }

    private mutating func loseConnection(_ index: Int) {
        sessions[index].connection = nil
        guard let management = sessions[index].management, management.isResumable, let rules = options.streamManagement
        else {
            return destroy(index)
        }
        sessions[index].management?.isAsking = false
        sessions[index].hibernatesUntil = moment.now + rules.hibernation
    }

    func index(ofSession number: Int) -> Int? { sessions.firstIndex { $0.number == number } }
}
