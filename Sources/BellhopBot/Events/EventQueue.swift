/// Events on their way to handlers, which run one after the other.
struct EventQueue {
    struct Entry {
        let event: Event
        let handler: On
    }

    struct Running {
        let number: UInt64
        let name: EventName
        let deadline: Duration
        let task: Task<Void, Never>
    }

    /// Above this many, new events are dropped with a warning: handlers that cannot keep up must not eat the memory.
    static let capacity = 1_024

    private var waiting: [Entry] = []
    private var lastNumber: UInt64 = 0
    var running: Running?

    var isBusy: Bool { running != nil || !waiting.isEmpty }
    var deadline: Duration? { running?.deadline }

    /// False when the queue is full.
    mutating func add(_ entry: Entry) -> Bool {
        guard waiting.count < Self.capacity else { return false }
        waiting.append(entry)
        return true
    }

    /// The next entry and its number, when no handler runs.
    mutating func takeNext() -> (number: UInt64, entry: Entry)? {
        guard running == nil, !waiting.isEmpty else { return nil }
        lastNumber += 1
        return (lastNumber, waiting.removeFirst())
    }

    mutating func cancel() {
        running?.task.cancel()
        running = nil
        waiting = []
    }
}
