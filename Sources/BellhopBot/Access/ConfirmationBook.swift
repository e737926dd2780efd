internal import BellhopXMPP

/// A command that runs when its person says yes.
struct Confirmation {
    let job: Job
    let work: Work
    /// The row of the question: only what came after it is an answer.
    let question: RowID
    let limit: Duration
    let deadline: Duration
}

/// The commands that wait for a yes, one a person: it may come from any of their devices, as the command may.
struct ConfirmationBook {
    /// Above this many, further commands that ask are declined; a stranger can only be asked about what is open.
    static let capacity = 4_096

    private var waiting: [JID: Confirmation] = [:]
    /// When the first of them has waited long enough; nil while none waits.
    private(set) var deadline: Duration?

    var isEmpty: Bool { waiting.isEmpty }
    var isFull: Bool { waiting.count >= Self.capacity }

    subscript(person: JID) -> Confirmation? { waiting[person] }

    mutating func add(_ confirmation: Confirmation) {
        waiting[confirmation.job.peer] = confirmation
        deadline = deadline.map { min($0, confirmation.deadline) } ?? confirmation.deadline
    }

    mutating func remove(_ person: JID) {
        waiting[person] = nil
        deadline = waiting.values.map(\.deadline).min()
    }

    /// Takes out all, in the order of their rows.
    mutating func takeAll() -> [Confirmation] {
        let all = waiting.values.sorted { $0.job.row < $1.job.row }
        waiting = [:]
        deadline = nil
        return all
    }

    /// Takes out those whose time is up, in the order of their rows.
    mutating func takeLate(now: Duration) -> [Confirmation] {
        guard let deadline, deadline <= now else { return [] }
        let late = waiting.values.filter { $0.deadline <= now }.sorted { $0.job.row < $1.job.row }
        for confirmation in late { waiting[confirmation.job.peer] = nil }
        self.deadline = waiting.values.map(\.deadline).min()
        return late
    }
}
