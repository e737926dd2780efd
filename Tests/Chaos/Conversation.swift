import BellhopTransport
import EndToEndSupport

/// The people say what is planned, message by message, and the blows fall between.
struct Conversation {
    private let run: ChaosRun
    private var said = 0
    private var struck = 0
    /// So many messages may wait for their answers before the next is said.
    private var window = Self.window
    private var lastProgress = 0
    private var lastChange = MonotonicClock.now()
    /// Of the blow that comes next: how many messages were settled when its message was written.
    private var settledBefore: Int?

    private static let window = 30
    /// After so long without anything happening, more is said all the same.
    private static let patience: Duration = .seconds(15)
    /// After so long without anything happening, a blow waits for no more answers.
    private static let hesitation: Duration = .seconds(1)

    init(_ run: ChaosRun) { self.run = run }

    private var messages: [PlannedMessage] { run.schedule.messages }
    private var blows: [Blow] { run.schedule.blows }
    private var waiting: Int { said - run.census.look { $0.settled.count } }

    /// Returns when everything was said and every blow has fallen.
    mutating func run(_ note: @Sendable (String) -> Void) async throws {
        while said < messages.count || struck < blows.count {
            if struck < blows.count, said >= blows[struck].after {
                if isDue(blows[struck]) {
                    settledBefore = nil
                    try await strike(blows[struck].kind)
                    struck += 1
                    continue
                }
            } else if said < messages.count, waiting < window {
                sayNext()
                if said.isMultiple(of: 100) { note("\(said) said, \(struck) blows") }
                continue
            }
            try await run.keeper.lookAfter()
            watchProgress()
            try await Task.sleep(for: .milliseconds(2))  // waits for a fact: an answer, or a message on its way
        }
        // What is still to be lost on the way when something comes is cut now, so that every cut has happened.
        run.relay.finishCuts()
    }

    private mutating func sayNext() {
        let message = messages[said]
        run.census.note { _ = $0.said.insert(message.id) }
        run.people[message.person].say(message)
        said += 1
    }

    private mutating func watchProgress() {
        let progress = run.census.progress
        if progress != lastProgress {
            lastProgress = progress
            lastChange = MonotonicClock.now()
        } else if MonotonicClock.now() - lastChange > Self.patience {
            window += Self.window
            lastChange = MonotonicClock.now()
        }
    }

    /// Whether the blow's message is on its way, and as many answers came since as it lets through.
    private mutating func isDue(_ blow: Blow) -> Bool {
        let id = messages[blow.after - 1].id
        let (isWritten, settled) = run.census.look { ($0.written.contains(id), $0.settled.count) }
        guard isWritten else { return false }
        let before = settledBefore ?? settled
        settledBefore = before
        return settled - before >= blow.answers || waiting == 0
            || MonotonicClock.now() - lastChange > Self.hesitation
    }

    private mutating func strike(_ blow: Blow.Kind) async throws {
        switch blow {
        case .kill:
            await run.keeper.kill()
            try run.keeper.start()
        case .cut(let cut): run.relay.cut(cut)
        case .serverDeath(let unheard): try await fellServer(unheard: unheard)
        }
        run.census.note { _ in }
    }

    /// What the server says now does not arrive any more; a few messages are still said, and then it is gone.
    private mutating func fellServer(unheard: Int) async throws {
        run.gate.set(open: false)
        run.crowd.cut(.losesIncoming)
        let first = said
        while said < messages.count, said - first < unheard { sayNext() }
        for message in messages[first..<said] {
            while !run.census.look({ $0.written.contains(message.id) || !$0.online.contains(message.person) }) {
                try await Task.sleep(for: .milliseconds(2))  // waits for a fact: it is on its way, or cannot be
            }
        }
        // ejabberd keeps much in memory that it writes when it is stopped in order.
        if run.server.kind == .prosody { try await run.server.stop(abruptly: true) }
        try await run.server.restart()
        run.gate.set(open: true)
    }
}
