internal import BellhopSQLite

/// Keeps every bot away from a journal for as long as it lives, without opening it.
package final class JournalClaim {
    private let lock: InstanceLock

    /// Throws `alreadyRunning` where a bot has the journal, whether it answers or hangs.
    package init(journal path: String) throws(JournalError) {
        do {
            lock = try InstanceLock(beside: path)
        } catch {
            throw JournalError(error, path: path)
        }
    }

    /// The number of the process that has the journal, whether it answers or hangs; nil where none has it, or
    /// none is named.
    package static func holder(journal path: String) -> Int32? {
        do throws(JournalError) {
            try JournalClaim(journal: path).release()
        } catch .alreadyRunning(_, let process) {
            return process
        } catch {}
        return nil
    }

    /// Lets bots in again.
    package func release() { lock.release() }
}
