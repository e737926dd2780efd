internal import BellhopSQLite
internal import Dispatch
internal import Synchronization

/// Copies the write-ahead log into the database file on a thread of its own, with a connection of its own.
///
/// Has no thread and no timer while there is nothing to do: the writer wakes it when the log has grown. A passive
/// checkpoint never reaches the end while the writer goes on, so from some length on the writer pauses for the last
/// pages, and then starts the log over: it is never longer than that. Only somebody who reads for longer than 20 ms can
/// prevent it; then the log grows until they are done.
final class Checkpointer: Sendable {
    private let path: String
    /// How many pages more ask for a passive checkpoint.
    private let step: Int
    /// From how many pages on the writer pauses.
    private let limit: Int
    private let queue = DispatchQueue(label: "bellhop.journal.checkpoint")
    private let isCopying = Atomic(false)
    private let pausing = Atomic(false)
    private let isFinished = Atomic(false)
    /// At which length of the log the next checkpoint is asked for; only the writer uses these two.
    private let nextCopy: Atomic<Int>
    private let nextPause: Atomic<Int>
    private let connection = Mutex<Connection?>(nil)

    /// What the writer is told while it pauses.
    static let pause = DatabaseError(kind: .busy, code: 5, message: "the write-ahead log is being copied")

    init(path: String, pageSize: Int, options: JournalOptions) {
        self.path = path
        step = max(options.checkpointBytes / max(pageSize, 512), 1)
        limit = max(options.restartBytes / max(pageSize, 512), step)
        nextCopy = Atomic(step)
        nextPause = Atomic(limit)
    }

    /// Whether the writer has to keep off for a moment.
    var isPausing: Bool { pausing.load(ordering: .acquiring) }

    /// Tells how long the log is after a commit, and asks for a checkpoint when it has grown by enough.
    func noteLog(pages: Int) {
        let copy = nextCopy.load(ordering: .relaxed)
        if pages < copy - step {
            // The log was started over.
            nextCopy.store(step, ordering: .relaxed)
            nextPause.store(limit, ordering: .relaxed)
            return
        }
        if pages >= nextPause.load(ordering: .relaxed) {
            nextPause.store(pages + 2 * step, ordering: .relaxed)
            nextCopy.store(pages + step, ordering: .relaxed)
            pausing.store(true, ordering: .releasing)
            queue.async {
                self.run(.restart)
                self.pausing.store(false, ordering: .releasing)
            }
        } else if pages >= copy, !isCopying.load(ordering: .acquiring) {
            nextCopy.store(pages + step, ordering: .relaxed)
            isCopying.store(true, ordering: .releasing)
            queue.async {
                self.run(.passive)
                self.isCopying.store(false, ordering: .releasing)
            }
        }
    }

    /// Empties the write-ahead log soon, so that nothing stays in it that is gone from the file; the writer pauses meanwhile.
    func empty() {
        queue.async { self.emptySometime() }
    }

    /// The same while the caller waits, which is never the writer; false when somebody reads for longer than `patience`.
    func emptyAndWait(patience: Duration) -> Bool {
        var left = patience
        while true {
            if queue.sync(execute: emptyNow) { return true }
            guard left > .zero else { return false }
            // Nobody signals it: the writer goes on for this long.
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(100))
            left -= .milliseconds(100)
        }
    }

    private func emptySometime() {
        guard !isFinished.load(ordering: .acquiring), !emptyNow() else { return }
        queue.asyncAfter(deadline: .now() + .seconds(10)) { [weak self] in self?.emptySometime() }
    }

    private func emptyNow() -> Bool {
        pausing.store(true, ordering: .releasing)
        defer { pausing.store(false, ordering: .releasing) }
        return run(.truncate)
    }

    /// Waits for a checkpoint at work and closes the connection.
    func finish() {
        isFinished.store(true, ordering: .releasing)
        queue.sync { connection.withLock { $0 = nil } }
    }

    /// Whether it went as far as asked.
    @discardableResult
    private func run(_ mode: Connection.CheckpointMode) -> Bool {
        connection.withLock { connection in
            do throws(DatabaseError) {
                if connection == nil {
                    let opened = try Connection(path, .write)
                    try opened.execute("PRAGMA cache_size = -64")
                    opened.setBusyTimeout(milliseconds: 20)
                    connection = opened
                }
                return try connection?.checkpoint(mode).wasBusy == false
            } catch {
                // The log stays longer; the next request tries again, and the writer reports a disk that is full.
                connection = nil
                return false
            }
        }
    }
}
