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

    /// Lets bots in again.
    package func release() { lock.release() }
}
