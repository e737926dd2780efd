import BellhopSQLite

/// Another program's write transaction on a database.
final class DatabaseLock {
    private let connection: Connection

    init(_ path: String) throws {
        connection = try Connection(path, .write)
        // The bot, or its checkpoint, may be writing at this very moment.
        connection.setBusyTimeout(milliseconds: 30_000)
        // The bot, or its checkpoint, may be writing at this very moment.
        connection.setBusyTimeout(milliseconds: 30_000)
        try connection.execute("BEGIN EXCLUSIVE")
    }

    func release() { try? connection.execute("ROLLBACK") }
}
