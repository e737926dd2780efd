internal import BellhopSQLite
internal import Dispatch
internal import Synchronization

/// Copies the write-ahead log into the database file on a thread of its own, with a connection of its own.
///
/// Has no thread and no timer while there is nothing to do: the writer wakes it when the log has grown.
final class Checkpointer: Sendable {
    private let path: String
    private let queue = DispatchQueue(label: "bellhop.journal.checkpoint")
    private let isRunning = Atomic(false)
    /// The length of the log at the last request, in pages; only the writer uses it.
    private let requested = Atomic(0)
    private let connection = Mutex<Connection?>(nil)

    init(path: String) { self.path = path }

    /// Tells how long the log is after a commit, and asks for a checkpoint when it has grown by enough.
    func noteLog(pages: Int, _ options: JournalOptions) {
        let pageSize = 8_192
        let last = requested.load(ordering: .relaxed)
        if pages < last { requested.store(0, ordering: .relaxed) }
        let grown = pages - min(last, pages < last ? 0 : last)
        guard grown * pageSize >= options.checkpointBytes, !isRunning.load(ordering: .acquiring) else { return }
        requested.store(pages, ordering: .relaxed)
        isRunning.store(true, ordering: .releasing)
        let restarts = pages * pageSize >= options.restartBytes
        queue.async {
            self.run(restarts: restarts)
            self.isRunning.store(false, ordering: .releasing)
        }
    }

    /// Waits for a checkpoint at work and closes the connection.
    func finish() {
        queue.sync { connection.withLock { $0 = nil } }
    }

    /// A passive checkpoint never reaches the end while the writer goes on, and the log grows; so from some length on the
    /// writer is locked out for the last pages, and starts the log over. Somebody who reads for long prevents that: then
    /// the log grows until they are done, and each attempt locks the writer out for 20 ms at most.
    private func run(restarts: Bool) {
        connection.withLock { connection in
            do throws(DatabaseError) {
                if connection == nil {
                    let opened = try Connection(path, .write)
                    try opened.execute("PRAGMA cache_size = -64")
                    opened.setBusyTimeout(milliseconds: 20)
                    connection = opened
                }
                guard let connection else { return }
                _ = try connection.checkpoint(.passive)
                if restarts { _ = try connection.checkpoint(.restart) }
            } catch {
                // The log stays longer; the next request tries again, and the writer reports a disk that is full.
                connection = nil
            }
        }
    }
}
