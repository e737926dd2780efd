import BellhopClient
import BellhopTestServer
import BellhopXMPP

@testable import BellhopTransport

/// A world where time passes only when nothing is left to do at the present moment, and then at once.
///
/// The bot's loop waits in it: while it waits, the same thread is the network, the server, the people and the clock.
///
/// Unchecked, because one thread alone ever touches it: the one that runs the bot's loop. Handlers run on it as well, since the world
/// keeps their tasks there, and so does whatever they resume.
final class VirtualWorld: @unchecked Sendable {
    static let start: Duration = .seconds(1_000)
    private(set) var now = VirtualWorld.start
    /// How far the bot's wall clock is from the server's.
    var clockError: Duration = .zero
    var network: VirtualNetwork
    /// Draws for the bot.
    private var chance: SeededRandom
    private var events: [Event] = []
    private var lastEvent = 0
    private var sleepers: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastSleeper = 0
    /// Turns of the bot's loop at the present moment, and in all.
    private var turnsHere = 0
    private(set) var turns = 0
    /// Something real that the bot must not overtake: returns when it is done.
    var beforeWaiting: () -> Void = {}
    /// Whether another thread is about to wake the loop, by an order of the soak.
    var expectsWakeup = false
    /// What the loop waited for last, and what it got.
    private(set) var lastWait = ""
    /// Told when the loop goes round and round and no time passes.
    var spins: () -> Void = {}

    private struct Event {
        var due: Duration
        var number: Int
        var body: () -> Void
    }

    /// So many turns at one moment are a loop that has lost itself.
    private static let mostTurns = 20_000

    init(_ server: SimulatedServer, seed: UInt64) {
        network = VirtualNetwork(server, at: SimulatedMoment(now: Self.start, clock: Self.clock(Self.start)))
        chance = SeededRandom(seed: seed)
    }

    /// The time of day at a moment.
    static func clock(_ now: Duration) -> Timestamp { Timestamp(milliseconds: 1_772_000_000_000) + now }

    /// Both clocks as the server has them.
    var moment: SimulatedMoment { SimulatedMoment(now: now, clock: Self.clock(now)) }

    /// The world as the bot's loop knows it.
    var loopWorld: LoopWorld {
        var world = LoopWorld()
        world.now = { self.now }
        world.clock = { Self.clock(self.now) + self.clockError }
        world.wait = { self.wait($0, $1, reading: $2, writing: $3, $4) }
        world.dial = { _, _, deadline, answer in self.dial(until: deadline, answer) }
        world.chance = { self.chance.next() }
        world.secrets = { count in (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self.chance) } }
        world.isSingleThreaded = true
        return world
    }

    // MARK: What happens later

    /// Has this happen so much later.
    func after(_ delay: Duration, _ body: @escaping () -> Void) {
        lastEvent += 1
        let event = Event(due: now + delay, number: lastEvent, body: body)
        let place = events.lastIndex { $0.due <= event.due }
        events.insert(event, at: place.map { $0 + 1 } ?? 0)
    }

    /// Returns so much later, to the thread of the loop.
    // waits for a fact: the world's clock, which its events move.
    func sleep(for duration: Duration) async {
        await withCheckedContinuation { continuation in
            lastSleeper += 1
            let number = lastSleeper
            sleepers[number] = continuation
            after(duration) { [self] in sleepers.removeValue(forKey: number)?.resume() }
        }
    }

    /// Ends all sleep: the bot is dead.
    func wakeAll() {
        let waking = sleepers
        sleepers = [:]
        for (_, sleeper) in waking { sleeper.resume() }
    }

    // MARK: While the bot waits

    private func wait(
        _ poller: Poller, _ socket: Socket?, reading: Bool, writing: Bool, _ timeout: Duration?
    ) -> Poller.Readiness {
        turns += 1
        turnsHere += 1
        if turnsHere == Self.mostTurns { spins() }
        beforeWaiting()
        let end = timeout.map { now + max(.zero, $0) }
        defer {
            if turnsHere > Self.mostTurns - 3 {
                lastWait = "reading \(reading), writing \(writing), for \(timeout.map { "\($0)" } ?? "ever")"
            }
        }
        while true {
            if expectsWakeup {
                expectsWakeup = false
                let readiness = poller.wait(socket: nil, reading: false, writing: false, timeout: .seconds(30))
                if readiness.woken { return readiness }
            }
            let readiness = poller.wait(socket: socket, reading: reading, writing: writing, timeout: .zero)
            if readiness != Poller.Readiness() { return readiness }
            if let end, end <= now { return readiness }
            if !network.move(at: moment), !step(until: end) { return readiness }
        }
    }

    /// Lets time pass while there is no bot.
    func pass(until end: Duration) {
        while now < end {
            if !network.move(at: moment), !step(until: end) { return }
        }
    }

    /// Goes to the next moment at which something happens, but not beyond the end; false when nothing ever will.
    private func step(until end: Duration?) -> Bool {
        var next = end
        for candidate in [events.first?.due, network.nextDeadline] {
            guard let candidate else { continue }
            next = next.map { min($0, candidate) } ?? candidate
        }
        guard let next else {
            spins()
            return false
        }
        if next > now {
            now = next
            turnsHere = 0
        }
        while let first = events.first, first.due <= now {
            events.removeFirst()
            first.body()
        }
        if let deadline = network.nextDeadline, deadline <= now { network.timePassed(at: moment) }
        return true
    }

    private func dial(until deadline: Duration, _ answer: @escaping @Sendable (Result<Socket, TransportError>) -> Void)
    {
        switch network.dial(at: moment) {
        case .connected(let socket): answer(.success(socket))
        case .refused:
            let attempt = TransportError.Attempt(address: "127.0.0.1", port: 5222, reason: "Connection refused")
            answer(.failure(.unreachable([attempt])))
        // The loop has a deadline of its own.
        case .unanswered: break
        }
    }
}
