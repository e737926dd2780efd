internal import BellhopCrypto
package import BellhopDiagnostics
internal import BellhopEngine
package import BellhopTransport
internal import BellhopXML
package import BellhopXMPP

/// Runs one account: dials, logs in, hands what comes to its house, sends what the house says, and comes back after
/// every break that is not a person's to mend.
///
/// It belongs to the thread that calls `run`. Everything that happens enters through one inbox or one socket; a turn
/// takes all of it, lets the house decide and commit, and only then writes, once.
package final class AccountLoop {
    package private(set) var settings: AccountSettings
    package let log: Log
    let inbox: Inbox<AccountInput>
    /// Runs handlers that promise to be quick on this thread.
    package let executor: LoopExecutor
    let poller: Poller
    let wakeup: Wakeup
    let world: LoopWorld
    /// Held while `run` is at work.
    private(set) var house: (any AccountHouse)?

    var phase: Phase = .idle {
        didSet { (link, live) = Self.connection(in: phase) }
    }
    /// The connection, from the first byte to the last.
    private(set) var link: Link?
    /// The session, while the account is online. Kept beside the phase, which holds so much that looking into it for every
    /// stanza would cost more than reading the stanza.
    private(set) var live: LiveSession?
    /// The monotonic clock, read once a turn.
    package internal(set) var now: Duration
    /// The wall clock, read once a turn.
    package internal(set) var clock: Timestamp
    /// How far ours was said to be ahead of it.
    var saidLead: Duration = .zero
    /// What leaves with this turn.
    var outbox = XMLWriter(stream: Namespace.client)
    /// The account's roster and who is there.
    var contacts = RosterMachine()
    /// The places where the server is being looked for; nil while there is a session, and before a new round.
    var round: ServerRound?
    /// Where the next round begins, because the server sent us there, and how often it did in a row.
    var redirect: ServerTarget?
    var redirects = 0
    /// When the last session began.
    var onlineSince: Duration = .zero
    var backoff: Backoff
    /// Counts dialling attempts, so that an answer that comes too late is known as such.
    var attempt = 0
    /// Whether this run has ever been online: a server that once served the domain is worth waiting for.
    var wasEverOnline = false
    var memory = LoginMemory()
    /// Made at the first login and kept, unless there is a certificate of our own to show: reading the authorities costs more
    /// than everything else in a login.
    var tlsContext: TLSContext?
    /// What is to be said about subscriptions as soon as there is a session.
    var owed: [Element] = []
    /// The stream that broke and may go on.
    var suspended: SuspendedStream?
    var isStopping = false
    /// Whether it came to its end by `kill`.
    package internal(set) var isKilled = false
    /// Until when a goodbye waits for the server's acknowledgement; nil before it waits.
    var farewellEnds: Duration?
    /// Whether bytes of this turn were lost with their connection, so that nothing in it counts as sent.
    private var hasLostBytes = false
    /// What the house wanted when the turn began to wait; whatever it wants since then is for the next turn.
    private var houseDeadline: Duration?
    /// Until when the house asked to keep the bytes back.
    private var heldUntil: Duration?
    var availability: Availability

    enum Phase {
        /// Before `run`. Next: `dialling`.
        case idle
        /// Another thread looks for the server. Next: `negotiating`, or `waiting`.
        case dialling(deadline: Duration)
        /// Next: `live`, or `waiting`.
        case negotiating(Link, StreamNegotiation, deadline: Duration)
        /// Logged in. Next: `closing`, or `waiting`.
        case live(Link, LiveSession)
        /// Our `</stream:stream>` is out; the server's is waited for. Next: `ended`.
        case closing(Link, deadline: Duration, AccountEnding)
        /// Next: `dialling`.
        case waiting(until: Duration)
        case ended(AccountEnding)
    }

    package init(settings: AccountSettings, log: Log, world: LoopWorld = LoopWorld()) throws(TransportError) {
        self.settings = settings
        self.log = log
        self.world = world
        wakeup = try Wakeup()
        inbox = Inbox(wakeup: wakeup)
        executor = LoopExecutor(wakeup: wakeup)
        poller = Poller(wakeup: wakeup)
        now = world.now()
        clock = world.clock()
        availability = settings.availability
        backoff = settings.backoff
        memory.proven = settings.proven
        memory.tokens = settings.tokens
    }

    /// Takes over how messages are read and what is told of typing; everything else that the settings say is for the login, and stays as it is.
    package func adoptReading(of new: AccountSettings) {
        settings.language = new.language
        settings.maxAge = new.maxAge
        settings.showsTyping = new.showsTyping
        guard let live else { return }
        live.reading.language = new.language
        live.reading.maxAge = new.maxAge
    }

    /// Logs in with this password from now on.
    func adopt(_ password: Secret) {
        settings.formerPasswords.append(settings.password)
        settings.password = password
        memory.keys = nil
        forgetTokens()
    }

    package var handle: AccountHandle { AccountHandle(inbox: inbox) }

    /// Runs until the account comes to an end; the house must live as long.
    package func run(house: any AccountHouse) -> AccountEnding {
        self.house = house
        defer { self.house = nil }
        dial()
        while true {
            if case .ended(let ending) = phase { return ending }
            turn()
        }
    }

    private static func connection(in phase: Phase) -> (Link?, LiveSession?) {
        switch phase {
        case .live(let link, let session): (link, session)
        case .negotiating(let link, _, _), .closing(let link, _, _): (link, nil)
        case .idle, .dialling, .waiting, .ended: (nil, nil)
        }
    }

    // MARK: One turn

    private func turn() {
        let link = link
        let backlog = link?.backlog ?? 0
        let ready = world.wait(poller, link?.socket, backlog < Link.unsentLimit, backlog > 0, patience)
        let before = now
        now = world.now()
        clock = world.clock()
        if let live, now - before > settings.maxAge { woke(live, sleptSince: before) }
        if ready.woken { takeInbox() }
        if ready.readable || ready.writable { live?.watch?.received(now) }
        if ready.readable, let link { read(link) }
        reachDeadlines()
        _ = executor.runPending()
        finishTurn()
    }

    /// How long nothing needs to be done; nil while nothing is pending.
    private var patience: Duration? {
        // What was written after the commit leaves with a turn of its own.
        if outbox.count > 0 && heldUntil == nil { return .zero }
        var deadline: Duration?
        func consider(_ candidate: Duration?) {
            guard let candidate else { return }
            deadline = deadline.map { min($0, candidate) } ?? candidate
        }
        consider(heldUntil)
        houseDeadline = house?.nextDeadline
        consider(houseDeadline)
        consider(farewellEnds)
        if let live {
            consider(live.nextDeadline)
            // Written behind the commit, so a turn that is kept back does not wait for it.
            if heldUntil == nil { consider(live.stream?.deadline) }
            consider(now + longestNap)
            return deadline.map { $0 - now }
        }
        switch phase {
        case .dialling(let limit), .negotiating(_, _, let limit), .closing(_, let limit, _), .waiting(let limit):
            consider(limit)
        case .idle, .live, .ended: break
        }
        return deadline.map { $0 - now }
    }

    private func takeInbox() {
        for input in inbox.take() {
            switch input {
            case .found(let number, let lookup): found(number, lookup)
            case .dialled(let number, let result): dialled(number, result)
            case .answered(let number, let answers): answered(number, answers)
            case .stop: stopRequested()
            case .house(let input): house?.received(input: input, now: now)
            }
        }
    }

    /// How often one turn reads at most: enough to empty what a busy server sent, few enough to answer soon.
    private static let readsPerTurn = 4

    private func read(_ link: Link) {
        for _ in 0..<Self.readsPerTurn {
            var events: [StreamEvent] = []
            let reading = link.read(into: &events)
            repeat {
                take(events, from: link)
                guard self.link === link else { return }
            } while link.readOn(into: &events)
            switch reading {
            case .events(let more):
                if !more { return }
            case .handshakeDone: handshakeDone(link)
            case .ended: return connectionEnded(link)
            case .failed(let failure): return connectionFailed(link, failure)
            }
        }
    }

    private func take(_ events: [StreamEvent], from link: Link) {
        let events = events.span
        for index in events.indices {
            guard self.link === link else { return }
            if log.isOn(.trace) { trace(events[index]) }
            if let session = live {
                receive(events[index], session)
                continue
            }
            switch phase {
            case .negotiating: negotiate(.received(events[index]), isLast: index == events.count - 1)
            case .closing(_, _, let ending):
                if events[index] == .closed { end(link, ending) }
            case .live, .idle, .dialling, .waiting, .ended: return
            }
        }
    }

    private func reachDeadlines() {
        if let houseDeadline, houseDeadline <= now { house?.reachedDeadline(now: now) }
        if let live { return reachDeadline(of: live) }
        switch phase {
        case .dialling(let deadline) where deadline <= now: dialledInVain()
        case .negotiating(_, _, let deadline) where deadline <= now: negotiate(.timeLimitReached, isLast: true)
        case .closing(let link, let deadline, let ending) where deadline <= now: end(link, ending)
        case .waiting(let deadline) where deadline <= now: dial()
        case .live, .idle, .dialling, .negotiating, .closing, .waiting, .ended: break
        }
    }

    /// Commits, then lets the bytes go; what the journal keeps back waits with them.
    private func finishTurn() {
        guard let house else { return }
        stopWhenQuiet()
        keepStream()
        switch house.commit(now: now) {
        case .held(let deadline):
            heldUntil = deadline
            return
        case .released:
            heldUntil = nil
            writeAcknowledgements(isStored: true)
        case .releasedUnstored:
            heldUntil = nil
            writeAcknowledgements(isStored: false)
        }
        flush()
        let left = !hasLostBytes
        hasLostBytes = false
        house.committed(now: now, left: left)
    }

    /// Forgets what the turn collected, because the connection that it was for is gone.
    func dropOutbox() {
        if outbox.count > 0 { hasLostBytes = true }
        outbox.removeAll()
    }

    /// Writes what the turn collected; a connection that breaks here shows at the next read, too.
    func flush() {
        guard let link else { return dropOutbox() }
        var failure: LinkFailure?
        if outbox.count > 0 {
            if log.isOn(.trace) { traceSent() }
            failure = link.send(outbox.bytes)
            live?.watch?.sent(now)
            outbox.removeAll()
        }
        failure = failure ?? link.flush()
        guard let failure else { return }
        hasLostBytes = true
        connectionFailed(link, failure)
    }
}
