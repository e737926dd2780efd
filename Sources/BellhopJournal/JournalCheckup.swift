internal import BellhopSQLite

/// How a journal is, looked at through a connection that only reads, while its writer may be at work.
package struct JournalCheckup: Equatable, Sendable {
    /// The version of its schema.
    package var version: Int64
    /// The version that this program writes.
    package var known: Int64
    /// Nil where that would take too long to count.
    package var messages: Int?
    /// The size of the file.
    package var bytes: Int64
    /// The size of the write-ahead log beside it.
    package var logBytes: Int64

    /// How much of the file is read to see whether it is sound.
    package enum Depth: Sendable {
        /// All of it, which takes as long as reading it takes.
        case whole
        /// As much as at each start.
        case sample
    }

    package init(version: Int64, known: Int64, messages: Int?, bytes: Int64, logBytes: Int64) {
        self.version = version
        self.known = known
        self.messages = messages
        self.bytes = bytes
        self.logBytes = logBytes
    }

    /// Throws where the file cannot be read, is no journal that this program knows, or is not sound.
    package init(of path: String, _ depth: Depth, schema: Schema = .current) throws(JournalError) {
        let connection = try JournalFile.openForReading(path, schema: schema, allowsOlder: true)
        let finding = try JournalFile.described(path) { () throws(DatabaseError) in
            switch depth {
            case .whole: try JournalFile.quickCheck(connection)
            case .sample: try JournalFile.finding(in: connection)
            }
        }
        if let finding { throw .damaged(path: path, finding: finding) }
        self = try JournalFile.described(path) { () throws(DatabaseError) in
            let count: Int64? =
                switch depth {
                case .whole: try connection.integer("SELECT count(*) FROM messages")
                case .sample: nil
                }
            return JournalCheckup(
                version: try connection.userVersion, known: schema.version,
                messages: count.map { Int(truncatingIfNeeded: $0) },
                bytes: DataFile.size(connection.path), logBytes: DataFile.size(connection.path + "-wal"))
        }
    }
}
