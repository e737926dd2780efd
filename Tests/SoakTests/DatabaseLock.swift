import BellhopSQLite

/// Another program's write transaction on a database.
final class DatabaseLock {
    private let connection: Connection

    init(_ path: String) throws {
        connection = try Connection(path, .write)
        try connection.execute("BEGIN IMMEDIATE")
    }

    func release() { try? connection.execute("ROLLBACK") }
}
