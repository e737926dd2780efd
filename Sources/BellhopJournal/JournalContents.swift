internal import BellhopSQLite
package import BellhopXMPP

/// What a journal, or a copy of one, holds, found by reading all of it.
package struct JournalContents: Equatable, Sendable {
    /// The version of its schema.
    package var version: Int64
    package var messages: Int
    /// When the first of its rows was written; nil without rows.
    package var first: Timestamp?
    package var last: Timestamp?
    /// The bare addresses that it was kept for.
    package var accounts: [String]
    /// The size of the file.
    package var bytes: Int64

    /// Reads the file whole; throws when it is no journal of a version that this program knows, or not sound.
    package init(of file: String, schema: Schema = .current) throws(JournalError) {
        let connection = try JournalFile.openForReading(file, schema: schema, allowsOlder: true)
        let finding = try JournalFile.described(file) { () throws(DatabaseError) in
            try connection.text("PRAGMA integrity_check(1)")
        }
        guard finding == "ok" else { throw .damaged(path: file, finding: finding ?? "nothing can be read") }
        self = try JournalFile.described(file) { () throws(DatabaseError) in try Self(connection) }
    }

    /// Counts, as the connection sees it.
    init(_ connection: Connection) throws(DatabaseError) {
        version = try connection.userVersion
        messages = Int(truncatingIfNeeded: try connection.integer("SELECT count(*) FROM messages") ?? 0)
        first = try Self.moment(connection, "ASC")
        last = try Self.moment(connection, "DESC")
        accounts = []
        let rows = try connection.prepare("SELECT jid FROM accounts ORDER BY id")
        while try rows.step() { accounts.append(rows.text(0) ?? "") }
        bytes = DataFile.size(connection.path)
    }

    private static func moment(_ connection: Connection, _ order: String) throws(DatabaseError) -> Timestamp? {
        try connection.integer("SELECT received_at FROM messages ORDER BY seq \(order) LIMIT 1")
            .map { Timestamp(milliseconds: $0) }
    }
}
