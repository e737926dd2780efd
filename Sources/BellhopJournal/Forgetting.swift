internal import BellhopDiagnostics
internal import BellhopSQLite

/// Takes a person out of a journal's file: rows, unused room and write-ahead log.
///
/// Rows are overwritten where they are before they are deleted, because a deletion moves neighbours about, and of a row that
/// moved a copy can stay in room that nothing uses. Where such a copy of an earlier day may be left, the file is written anew.
package struct Forgetting: Sendable {
    /// The bare address.
    let person: String
    /// Rows behind this one are of a later time, and stay.
    let last: Int64
    let log: Log
    /// Empties the write-ahead log; false when somebody who reads prevents it.
    let empty: @Sendable () -> Bool
    let goesOn: @Sendable () -> Bool

    /// What was there.
    package struct Outcome: Equatable, Sendable {
        /// The numbers of the messages.
        package var rows: Set<Int64>
        /// Rows of other tables.
        package var others: Int

        package init(rows: Set<Int64>, others: Int) {
            self.rows = rows
            self.others = others
        }
    }

    /// At most so many rows, or so many bytes, in one transaction, so that the writer never waits for long.
    private static let rowLimit = 64
    private static let byteLimit: Int64 = 256 << 10

    func run(_ connection: Connection) throws(DatabaseError) -> Result<Outcome, ForgetError> {
        let found = try rows(connection)
        let texts = ["peer", "resource", "reason", "id", "origin_id", "archive_id", "thread", "body", "payload"]
            .map { "\($0) = CAST(zeroblob(length(CAST(\($0) AS BLOB))) AS TEXT)" }.joined(separator: ", ")
        try each(found, connection, "UPDATE messages SET \(texts) WHERE seq = ?")
        try each(found, connection, "DELETE FROM messages WHERE seq = ?")
        let others = try forgetElsewhere(connection)
        guard empty() else { return .failure(.logInUse) }
        if try connection.hasResidue(while: goesOn) {
            log.info("forget", "The journal is written anew, so that nothing stays in unused room of its file.")
            try connection.execute("VACUUM")
            guard empty() else { return .failure(.logInUse) }
        }
        return .success(Outcome(rows: Set(found.map(\.number)), others: others))
    }

    private func rows(_ connection: Connection) throws(DatabaseError) -> [(number: Int64, bytes: Int64)] {
        let rows = try connection.prepare(
            """
            SELECT seq, coalesce(length(CAST(body AS BLOB)), 0) + coalesce(length(CAST(payload AS BLOB)), 0)
            FROM messages WHERE peer = ?1 AND seq > ?2 AND seq <= ?3 ORDER BY seq LIMIT 1000
            """)
        var found: [(number: Int64, bytes: Int64)] = []
        var before = Int64.min
        while goesOn() {
            rows.bind(person, at: 1)
            rows.bind(before, at: 2)
            rows.bind(last, at: 3)
            let known = found.count
            while try rows.step() { found.append((rows.integer(0), rows.integer(1))) }
            guard found.count > known, let newest = found.last else { return found }
            before = newest.number
        }
        throw Self.stopped
    }

    private static let stopped = DatabaseError(kind: .interrupted, code: 9, message: "stopped")

    private func each(
        _ rows: [(number: Int64, bytes: Int64)], _ connection: Connection, _ sql: String
    ) throws(DatabaseError) {
        let statement = try connection.prepare(sql)
        var rest = rows[...]
        while !rest.isEmpty {
            guard goesOn() else { throw Self.stopped }
            try connection.transaction { () throws(DatabaseError) in
                var bytes: Int64 = 0
                for _ in 0..<Self.rowLimit {
                    guard bytes < Self.byteLimit, let row = rest.popFirst() else { break }
                    statement.bind(row.number, at: 1)
                    try statement.run()
                    bytes += row.bytes
                }
            }
        }
    }

    /// The other tables are small.
    private func forgetElsewhere(_ connection: Connection) throws(DatabaseError) -> Int {
        try connection.transaction { () throws(DatabaseError) in
            var count = 0
            for place in Schema.personal where place.table != "messages" {
                let delete = try connection.prepare("DELETE FROM \(place.table) WHERE \(place.column) = ?")
                delete.bind(person, at: 1)
                try delete.run()
                count += connection.changes
            }
            let decided = try connection.prepare("UPDATE requests SET decided_by = NULL WHERE decided_by = ?")
            decided.bind(person, at: 1)
            try decided.run()
            // The newest row may be gone, and its number is in the ids of messages that went out.
            let newest = try connection.prepare(
                """
                INSERT OR REPLACE INTO meta VALUES ('newest',
                    max(?1, coalesce((SELECT value FROM meta WHERE key = 'newest'), 0)))
                """)
            newest.bind(last, at: 1)
            try newest.run()
            return count
        }
    }
}
