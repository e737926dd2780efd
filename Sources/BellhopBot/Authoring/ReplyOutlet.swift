internal import Synchronization

/// Where the answers of handlers go: those of the run that the loop is calling right now are kept for its turn, all
/// others are posted to the loop.
///
/// One for each desk. A context may outlive its handler and reach any thread, hence the lock.
final class ReplyOutlet: Sendable {
    private struct Call {
        var current: RunID?
        var replies: [Reply] = []
    }

    /// What handlers ask of the settings.
    struct Surroundings: Sendable {
        var folder = "."
        var custom: (any Sendable)?
    }

    private let call = Mutex(Call())
    private let known = Mutex(Surroundings())
    private let post: @Sendable (DeskInput) -> Void
    let bot: BotHandle
    let gate = InputGate()

    init(post: @escaping @Sendable (DeskInput) -> Void) {
        self.post = post
        bot = BotHandle(gate: gate, post: post)
    }

    var surroundings: Surroundings { known.withLock { $0 } }

    /// Contexts go by these settings from now on, those of running handlers too.
    func apply(_ settings: DeskSettings) {
        known.withLock { $0 = Surroundings(folder: settings.folder, custom: settings.custom) }
    }

    /// From now to `endCall()` the answers of this run are kept.
    func beginCall(_ run: RunID) {
        call.withLock { $0.current = run }
    }

    /// The answers since `beginCall`.
    func endCall() -> [Reply] {
        call.withLock { call in
            call.current = nil
            guard !call.replies.isEmpty else { return [] }
            defer { call.replies = [] }
            return call.replies
        }
    }

    func reply(_ reply: Reply, from run: RunID) {
        let isKept = call.withLock { call in
            guard call.current == run else { return false }
            // One more than may leave, so that the desk sees that there were more.
            if call.replies.count <= Desk.replyLimit { call.replies.append(reply) }
            return true
        }
        if !isKept && gate.lets(reply, of: run) { post(.replied(run, reply)) }
    }
}
