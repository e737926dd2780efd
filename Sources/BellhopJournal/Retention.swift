internal import BellhopSQLite
internal import BellhopXMPP

/// What of a journal is too old to be kept: one batch at a time.
///
/// What is still to be run or to be sent stays, whatever its age. The newest rows, among which duplicates are looked for, stay
/// without their texts.
struct Retention {
    let keep: Duration
    /// How many of the newest rows duplicates are found by.
    let window: Int
    let now: Timestamp

    struct Count: Equatable, Sendable {
        var deleted = 0
        var blanked = 0
        var requests = 0

        mutating func add(_ other: Count) {
            deleted += other.deleted
            blanked += other.blanked
            requests += other.requests
        }
    }

    enum Step: Equatable, Sendable {
        /// Something was deleted, and there may be more.
        case more(Count)
        /// Nothing is too old now; look again after that time.
        case done(next: Duration)
    }

    /// At most so many rows, or so many bytes of text, in one transaction.
    private static let rowLimit = 64
    private static let byteLimit: Int64 = 256 << 10
    /// The clock may have been set back once: so many rows that are not old end the search.
    private static let patience = 4_096
    private static let leastSleep = Duration.seconds(60)

    func sweep(_ connection: Connection) throws(DatabaseError) -> Step {
        let limit = (now - keep).milliseconds
        let search = try search(connection, before: limit)
        var count = Count(deleted: search.deleted.count, blanked: search.blanked.count)
        count.requests = try requests(connection, before: limit)
        guard count != Count() else {
            guard let next = search.next else { return .done(next: keep) }
            return .done(next: max(Timestamp(milliseconds: next) + keep - now, Self.leastSleep))
        }
        try connection.transaction { () throws(DatabaseError) in
            let delete = try connection.prepare("DELETE FROM messages WHERE seq = ?")
            // What a message made run has its number, and goes with it.
            let deleteRun = try connection.prepare("DELETE FROM audit WHERE seq = ?")
            let deleteReturned = try connection.prepare("DELETE FROM outbox WHERE seq = ?")
            for number in search.deleted {
                delete.bind(number, at: 1)
                try delete.run()
                deleteRun.bind(number, at: 1)
                try deleteRun.run()
                deleteReturned.bind(number, at: 1)
                try deleteReturned.run()
            }
            let blank = try connection.prepare(
                """
                UPDATE messages SET body = NULL, payload = NULL, length = coalesce(length, length(body))
                WHERE seq = ?
                """)
            let blankRun = try connection.prepare("UPDATE audit SET typed = command WHERE seq = ?")
            for number in search.blanked {
                blank.bind(number, at: 1)
                try blank.run()
                blankRun.bind(number, at: 1)
                try blankRun.run()
            }
            if count.requests > 0 { try deleteRequests(connection, before: limit) }
        }
        return .more(count)
    }

    private struct Search {
        var deleted: [Int64] = []
        var blanked: [Int64] = []
        /// The moment of the oldest row that is not too old yet.
        var next: Int64?
    }

    /// Reads outside of the transaction: a row that is done with never waits again.
    private func search(_ connection: Connection, before limit: Int64) throws(DatabaseError) -> Search {
        let newest = try connection.integer("SELECT max(seq) FROM messages") ?? 0
        let rows = try connection.prepare(
            """
            SELECT m.seq, m.received_at, CASE WHEN m.received_at < ?1
                THEN coalesce(length(CAST(m.body AS BLOB)), 0) + coalesce(length(CAST(m.payload AS BLOB)), 0) END,
                (m.direction = 0 AND m.state IN (2, 3)) OR (m.direction = 1 AND (m.state = 10 OR m.state = 0 AND m.seq > coalesce(a.sent, 0)))
            FROM messages AS m LEFT JOIN accounts AS a ON a.id = m.account ORDER BY m.seq
            """)
        rows.bind(limit, at: 1)
        defer { rows.reset() }
        var found = Search()
        var bytes: Int64 = 0
        var fresh = 0
        while try rows.step() {
            let (number, moment, size) = (rows.integer(0), rows.integer(1), rows.integer(2))
            if moment >= limit {
                found.next = min(found.next ?? moment, moment)
                fresh += 1
                if fresh >= Self.patience { break }
                continue
            }
            guard rows.integer(3) == 0 else { continue }
            if number <= newest - Int64(window) {
                found.deleted.append(number)
            } else if size > 0 {
                found.blanked.append(number)
            } else {
                continue
            }
            bytes += size
            if found.deleted.count + found.blanked.count >= Self.rowLimit || bytes >= Self.byteLimit { break }
        }
        return found
    }

    // MARK: Requests

    /// The newest one stays, since the next number is one more than its.
    private static let oldRequests = """
        FROM requests WHERE state <> 0 AND decided_at < ? AND number < (SELECT max(number) FROM requests)
        """

    private func requests(_ connection: Connection, before limit: Int64) throws(DatabaseError) -> Int {
        let rows = try connection.prepare("SELECT count(*) \(Self.oldRequests)")
        rows.bind(limit, at: 1)
        defer { rows.reset() }
        return try rows.step() ? Int(truncatingIfNeeded: rows.integer(0)) : 0
    }

    private func deleteRequests(_ connection: Connection, before limit: Int64) throws(DatabaseError) {
        let delete = try connection.prepare("DELETE \(Self.oldRequests)")
        delete.bind(limit, at: 1)
        try delete.run()
    }
}
