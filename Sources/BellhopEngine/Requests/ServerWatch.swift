/// Decides when a silent server is asked whether it is still there (XEP-0199), and when it counts as gone. Times are
/// monotonic.
///
/// Whatever the server sends shows that it is there: its answer, an error in the place of one, anything else. What it sends does
/// not show that **we** are, and many servers and routers drop a client that says nothing for minutes, so a silence of ours counts, too.
package struct ServerWatch: Equatable, Sendable {
    package enum Action: Equatable, Sendable {
        /// Ask the server now.
        case ask
        /// It was asked and said nothing: the connection is dead.
        case giveUp
    }

    private enum State: Equatable {
        /// Next: `asked`, after a silence.
        case listening
        /// A ping is out. Next: `listening` with the first byte that comes, or the end.
        case asked(until: Duration, isRepeated: Bool)
    }

    /// How much too late this process may look at the clock and still be believed to have been awake.
    private static let slack: Duration = .seconds(2)

    private let silence: Duration
    private let patience: Duration
    private var heard: Duration
    private var said: Duration
    private var state = State.listening

    /// - Parameters:
    ///   - silence: How long the server, or we, may say nothing before it is asked.
    ///   - patience: How long it may take to answer.
    package init(silence: Duration, patience: Duration, now: Duration) {
        self.silence = silence
        self.patience = patience
        heard = now
        said = now
    }

    /// How long a silence may last; nil for ever.
    ///
    /// - Parameters:
    ///   - wish: What the operator wants; nil for no pings.
    ///   - limit: After how many seconds without a word of ours the server may drop us (XEP-0478); nil where it does not say.
    package static func silence(_ wish: Duration?, serverDropsAfter limit: Int?) -> Duration? {
        guard let limit, limit > 0 else { return wish }
        // Three quarters of it, so that a slow line and a busy moment do not make it too late.
        let most = max(.seconds(1), Duration.seconds(limit) * 3 / 4)
        return min(wish ?? most, most)
    }

    /// Bytes left for the server.
    package mutating func sent(_ now: Duration) { said = now }

    /// Bytes came from the server, or it took bytes that had waited for it.
    package mutating func received(_ now: Duration) {
        heard = now
        state = .listening
    }

    /// The server was asked for something that it answers at once, and gets as long for it as for a ping.
    package mutating func asked(_ now: Duration) {
        switch state {
        case .listening: state = .asked(until: now + patience, isRepeated: false)
        case .asked: break
        }
    }

    /// When `timePassed` has something to say.
    package var deadline: Duration {
        switch state {
        case .listening: min(heard, said) + silence
        case .asked(let until, _): until
        }
    }

    /// Whether a ping waits for its answer.
    package var isAsking: Bool {
        switch state {
        case .listening: false
        case .asked: true
        }
    }

    /// What to do now; nil while the deadline has not come. What has come in must have been reported before.
    ///
    /// A process that was stopped meanwhile, or kept from running, asks once more: the answer may have been on its way while
    /// nobody listened.
    package mutating func timePassed(_ now: Duration) -> Action? {
        guard deadline <= now else { return nil }
        switch state {
        case .listening:
            state = .asked(until: now + patience, isRepeated: false)
            return .ask
        case .asked(let until, let isRepeated):
            guard !isRepeated, now - until > Self.slack else { return .giveUp }
            state = .asked(until: now + patience, isRepeated: true)
            return .ask
        }
    }
}
