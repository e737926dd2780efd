internal import BellhopSQLite
package import BellhopXMPP

/// Reads a journal from any process, while its writer is at work or not; changes nothing.
///
/// Each call is one short transaction, so that the write-ahead log can be copied and started over in between.
package final class JournalReader {
    package let path: String
    let connection: Connection

    /// One line of the list of conversations.
    package struct Conversation: Equatable, Sendable {
        /// The own bare address.
        package var account: String
        package var peer: String
        package var count: Int
        package var last: StoredMessage
    }

    /// Opens the journal at `path` for reading.
    package init(path: String, schema: Schema = .current) throws(JournalError) {
        self.path = path
        connection = try JournalFile.openForReading(path, schema: schema)
    }

    /// With whom was spoken, the latest first.
    package func conversations() throws(JournalError) -> [Conversation] {
        try JournalFile.described(path) { () throws(DatabaseError) in
            // With max() in the list, SQLite takes the other columns from the row that has the maximum; what was fetched from an
            // archive is older than all else.
            let rows = try connection.prepare(
                """
                SELECT \(StoredMessage.readerColumns), a.jid, count(*),
                    max(CASE WHEN m.reason IS '\(Journal.fetched)' THEN m.seq - 1000000000000000 ELSE m.seq END) AS newest
                FROM messages AS m LEFT JOIN accounts AS a ON a.id = m.account
                GROUP BY m.account, m.peer ORDER BY newest DESC
                """)
            var found: [Conversation] = []
            while try rows.step() {
                let last = StoredMessage(rows)
                found.append(
                    Conversation(
                        account: rows.text(19) ?? "", peer: last.peer,
                        count: Int(truncatingIfNeeded: rows.integer(20)), last: last))
            }
            return found
        }
    }

    /// The newest `last` messages of a conversation, those from `since` on where it is given, oldest first: in the order
    /// in which they came, and those that were fetched from an archive in their places among them.
    package func messages(
        with peer: String, last: Int, since: Timestamp? = nil
    ) throws(JournalError) -> [StoredMessage] {
        try JournalFile.described(path) { () throws(DatabaseError) in
            func newest(_ which: String, by time: String, _ order: String) throws(DatabaseError) -> [StoredMessage] {
                let rows = try connection.prepare(
                    """
                    SELECT \(StoredMessage.readerColumns)
                    FROM messages AS m LEFT JOIN accounts AS a ON a.id = m.account
                    WHERE m.peer = ?1 AND m.reason \(which) ?4 AND \(time) >= ?2 ORDER BY \(order) DESC LIMIT ?3
                    """)
                rows.bind(peer, at: 1)
                rows.bind(since?.milliseconds ?? Int64.min, at: 2)
                rows.bind(Int64(max(last, 0)), at: 3)
                rows.bind(Journal.fetched, at: 4)
                return try all(rows).reversed()
            }
            let written = "coalesce(m.sent_at, m.received_at)"
            let came = try newest("IS NOT", by: "m.received_at", "m.seq")
            let fetched = try newest("IS", by: written, "\(written) DESC, m.seq")
            return fetched.isEmpty ? came : Self.merged(came, fetched).suffix(max(last, 0))
        }
    }

    private static func merged(_ came: [StoredMessage], _ fetched: [StoredMessage]) -> [StoredMessage] {
        var merged: [StoredMessage] = []
        var old = fetched[...]
        for message in came {
            while let first = old.first, (first.sentAt ?? first.receivedAt) <= message.receivedAt {
                merged.append(first)
                old.removeFirst()
            }
            merged.append(message)
        }
        return merged + old
    }

    /// The messages after a row, oldest first; with one peer where it is given.
    package func messages(
        after row: RowID, with peer: String? = nil, limit: Int
    ) throws(JournalError) -> [StoredMessage] {
        try JournalFile.described(path) { () throws(DatabaseError) in
            let rows = try connection.prepare(
                """
                SELECT \(StoredMessage.readerColumns) FROM messages AS m LEFT JOIN accounts AS a ON a.id = m.account
                WHERE m.seq > ?1 AND (?2 IS NULL OR m.peer = ?2) ORDER BY m.seq LIMIT ?3
                """)
            rows.bind(row.number, at: 1)
            rows.bind(peer, at: 2)
            rows.bind(Int64(max(limit, 0)), at: 3)
            return try all(rows)
        }
    }

    /// The newest row; `RowID(0)` in an empty journal.
    package func newest() throws(JournalError) -> RowID {
        try JournalFile.described(path) { () throws(DatabaseError) in
            RowID(try connection.integer("SELECT max(seq) FROM messages") ?? 0)
        }
    }

    /// A number that changes whenever the writer commits; ask it before reading again.
    package func version() throws(JournalError) -> Int64 {
        try JournalFile.described(path) { () throws(DatabaseError) in
            try connection.integer("PRAGMA data_version") ?? 0
        }
    }

    /// The subscription requests in one state, or all, by number.
    package func requests(_ state: Request.State?) throws(JournalError) -> [Request] {
        try JournalFile.described(path) { () throws(DatabaseError) in
            let rows = try connection.prepare(
                "SELECT \(RequestBook.columns) FROM requests WHERE ?1 IS NULL OR state = ?1 ORDER BY number")
            rows.bind(state?.rawValue, at: 1)
            var found: [Request] = []
            while try rows.step() { found.append(Request(rows)) }
            return found
        }
    }

    /// Reads the whole file and says what is wrong with it; empty when it is sound.
    package func check() throws(JournalError) -> [String] {
        try JournalFile.described(path) { () throws(DatabaseError) in
            let rows = try connection.prepare("PRAGMA integrity_check(20)")
            var findings: [String] = []
            while try rows.step() {
                if let finding = rows.text(0), finding != "ok" { findings.append(finding) }
            }
            return findings
        }
    }

    /// Copies the journal as it is now into a new file of mode 0600.
    package func backUp(to file: String) throws(JournalError) {
        try JournalFile.described(path) { () throws(DatabaseError) in try connection.backUp(to: file) }
    }

    private func all(_ rows: Statement) throws(DatabaseError) -> [StoredMessage] {
        var found: [StoredMessage] = []
        while try rows.step() { found.append(StoredMessage(rows)) }
        return found
    }
}
