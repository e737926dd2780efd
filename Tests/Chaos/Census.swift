import Synchronization

/// One message of the bot's that a person heard.
struct Heard: Equatable, Sendable {
    var person: Int
    var id: String
    var body: String
    /// Found in the person's archive, and not heard otherwise.
    var isFromArchive = false
}

/// What has become of every message, as the people know it.
final class Census: Sendable {
    struct Facts: Equatable, Sendable {
        var said: Set<String> = []
        /// Written to a stream at least once.
        var written: Set<String> = []
        /// Covered by an `h` of the server's.
        var acknowledged: Set<String> = []
        var bounced: Set<String> = []
        /// How often one was written anew because the server had not acknowledged it.
        var repetitions = 0
        var heard: [Heard] = []
        /// Those of our messages that were answered, or of which an interruption was told.
        var settled: Set<String> = []
        var online: Set<Int> = []
        /// Whose archive was read to its end when it was asked for.
        var reviewed: Set<Int> = []
        var resumptions = 0
        var newSessions = 0
        /// What people met that they did not expect.
        var troubles: [String] = []
    }

    private let state = Mutex(Facts())
    private let changes = Atomic<Int>(0)

    var facts: Facts { state.withLock { $0 } }
    /// Grows with all that happens.
    var progress: Int { changes.load(ordering: .relaxed) }

    func note<Result: Sendable>(_ change: (inout Facts) -> Result) -> Result {
        changes.add(1, ordering: .relaxed)
        return state.withLock { change(&$0) }
    }

    func look<Result: Sendable>(_ read: (Facts) -> Result) -> Result { state.withLock { read($0) } }

    /// What the bot said to a person; what the archive has counts only if it was not heard.
    func heard(_ heard: Heard) {
        note { facts in
            let isKnown = heard.isFromArchive && facts.heard.contains { $0.person == heard.person && $0.id == heard.id }
            if isKnown { return }
            facts.heard.append(heard)
            switch HeardWords(heard.body) {
            case .answer(let id), .interruption(let id): facts.settled.insert(id)
            case .other: break
            }
        }
    }
}
