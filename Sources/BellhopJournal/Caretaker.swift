internal import BellhopDiagnostics
internal import BellhopSQLite
internal import BellhopXMPP
internal import Dispatch
internal import Synchronization

/// Deletes what the journal is not to keep, on a thread of its own and with a connection of its own.
///
/// Writes in transactions of a few milliseconds with pauses between them, so that the writer, whose lock they take, finds it
/// taken only now and then and only for a moment. Has no timer but the one for the next row that becomes too old.
package final class Caretaker: Sendable {
    private let path: String
    /// How long messages are kept; nil for ever.
    private let keep: Duration?
    private let window: Int
    private let checkpointer: Checkpointer
    private let log: Log
    private let clock: @Sendable () -> Timestamp
    /// How long somebody who reads is waited for.
    private let patience: Duration
    private let queue = DispatchQueue(label: "bellhop.journal.care")
    private let isStopped = Atomic(false)
    private let connection = Mutex<Connection?>(nil)
    private let swept = Mutex(Retention.Count())
    /// Whether it was said that deleting fails, which is said once until it works again.
    private let hasWarned = Atomic(false)

    /// How long the writer has the lock to itself between two batches.
    private static let pause = DispatchTimeInterval.milliseconds(20)
    /// When a sweep is tried again that met somebody's lock or a full disk.
    private static let retry = Duration.seconds(60)
    private static let longestSleep = Duration.seconds(86_400)

    package convenience init(of journal: Journal, keep: Duration?) {
        // A backup of gigabytes is the longest that there is to wait for.
        self.init(of: journal, keep: keep, patience: .seconds(60)) { Timestamp(milliseconds: WallClock.milliseconds()) }
    }

    init(
        of journal: Journal, keep: Duration?, patience: Duration = .zero, clock: @escaping @Sendable () -> Timestamp
    ) {
        self.patience = patience
        path = journal.path
        self.keep = keep
        window = journal.options.duplicateWindow
        checkpointer = journal.checkpointer
        log = journal.log
        self.clock = clock
    }

    /// Deletes what is too old, now and whenever something becomes so.
    package func start() {
        guard keep != nil else { return }
        queue.async { self.sweep() }
    }

    /// Ends what is at work, and closes the connection; call it before the journal is closed.
    package func finish() {
        isStopped.store(true, ordering: .releasing)
        queue.sync { connection.withLock { $0 = nil } }
    }

    // MARK: Old messages

    private func sweep() {
        guard !isStopped.load(ordering: .acquiring), let keep else { return }
        let step: Retention.Step
        do throws(DatabaseError) {
            step = try perform { connection throws(DatabaseError) in
                try Retention(keep: keep, window: window, now: clock()).sweep(connection)
            }
        } catch {
            if error.kind != .busy, !hasWarned.exchange(true, ordering: .relaxed) {
                log.warning(
                    "retention",
                    "Old messages cannot be deleted, and it is tried again every minute; look after the journal's disk.",
                    ["path": path, "reason": error.message, "code": "\(error.code)"])
            }
            return again(after: Self.retry)
        }
        hasWarned.store(false, ordering: .relaxed)
        switch step {
        case .more(let count):
            swept.withLock { $0.add(count) }
            queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in self?.sweep() }
        case .done(let next):
            report()
            again(after: min(next, Self.longestSleep))
        }
    }

    private func again(after delay: Duration) {
        queue.asyncAfter(wallDeadline: .now() + .seconds(Int(clamping: delay.components.seconds + 1))) { [weak self] in
            self?.sweep()
        }
    }

    private func report() {
        let count = swept.withLock { count in
            defer { count = Retention.Count() }
            return count
        }
        guard count != Retention.Count() else { return }
        // Nobody else may be writing, and the log would stay as long as it has become.
        _ = try? perform { connection throws(DatabaseError) in _ = try connection.checkpoint(.passive) }
        log.info(
            "retention", "Old messages were deleted.",
            ["messages": "\(count.deleted)", "texts": "\(count.blanked)", "requests": "\(count.requests)"])
    }

    // MARK: Forgetting

    /// Leaves no row of a person up to that one, and nothing of their texts in the journal's files; calls back once, on
    /// another thread.
    package func forget(
        _ person: String, through last: RowID,
        _ done: @escaping @Sendable (Result<Forgetting.Outcome, ForgetError>) -> Void
    ) {
        queue.async { done(self.forgetNow(person, through: last)) }
    }

    /// The same, waiting for it.
    package func forgetAndWait(_ person: String, through last: RowID) -> Result<Forgetting.Outcome, ForgetError> {
        queue.sync { forgetNow(person, through: last) }
    }

    /// Does what would take the writer too long, when nothing else is at work here.
    package func whenFree(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Calls back after a moment: the writer may not wait itself.
    package func afterMoment(_ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .milliseconds(50), execute: work)
    }

    private func forgetNow(_ person: String, through last: RowID) -> Result<Forgetting.Outcome, ForgetError> {
        let goesOn: @Sendable () -> Bool = { !self.isStopped.load(ordering: .acquiring) }
        let forgetting = Forgetting(
            person: person, last: last.number, log: log,
            empty: { self.checkpointer.emptyAndWait(patience: self.patience, while: goesOn) }, goesOn: goesOn)
        do throws(DatabaseError) {
            return try perform { connection throws(DatabaseError) in try forgetting.run(connection) }
        } catch {
            return .failure(error.kind == .interrupted ? .stopped : .journal(JournalError(error, path: path)))
        }
    }

    private func perform<Result>(
        _ work: (Connection) throws(DatabaseError) -> sending Result
    ) throws(DatabaseError) -> sending Result {
        // A mutex only because the compiler cannot know that all of it happens on one queue.
        try connection.withLock { kept throws(DatabaseError) in
            if let kept { return try work(kept) }
            let opened = try Connection(path, .write)
            opened.setBusyTimeout(milliseconds: 1_000)
            try opened.execute("PRAGMA secure_delete = ON")
            try opened.execute("PRAGMA synchronous = NORMAL")
            try opened.execute("PRAGMA cache_size = -512")
            opened.watchLog()
            kept = opened
            return try work(opened)
        }
    }
}

/// Why a person was not forgotten whole.
package enum ForgetError: Error, Equatable, Sendable {
    case journal(JournalError)
    /// The rows are gone, but somebody who reads keeps the write-ahead log from being emptied.
    case logInUse
    /// The bot was stopped before it was done.
    case stopped
}
