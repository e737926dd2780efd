internal import BellhopSQLite

/// What the writer runs again and again, prepared once.
struct JournalStatements {
    let begin: Statement
    let commit: Statement
    /// A row whose number is said.
    let insert: Statement
    /// The row behind the last one; SQLite finds its place without a search.
    let append: Statement
    let change: Statement
    /// The same for a row whose text goes with it.
    let close: Statement
    /// Only the text goes.
    let blank: Statement
    let sent: Statement
    let keepStream: Statement
    let one: Statement

    init(_ connection: Connection) throws(DatabaseError) {
        begin = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
        let columns = """
            account, direction, kind, state, received_at, sent_at, answers, ordinal, length, peer, resource, reason, id, \
            origin_id, archive_id, thread, body, payload
            """
        let places = "?,?,?,?,?, ?,?,?,?,?, ?,?,?,?,?,?,?, ?"
        append = try connection.prepare("INSERT INTO messages (\(columns)) VALUES (\(places))")
        insert = try connection.prepare("INSERT INTO messages (\(columns), seq) VALUES (\(places), ?)")
        change = try connection.prepare(
            "UPDATE messages SET state = ?2, reason = coalesce(?3, reason) WHERE seq = ?1")
        let blanking = "body = NULL, payload = NULL, length = coalesce(length, length(body))"
        close = try connection.prepare(
            "UPDATE messages SET state = ?2, reason = coalesce(?3, reason), \(blanking) WHERE seq = ?1")
        blank = try connection.prepare("UPDATE messages SET \(blanking) WHERE seq = ?1")
        sent = try connection.prepare("UPDATE accounts SET sent = ?2, settled = ?3, acknowledged = ?4 WHERE id = ?1")
        keepStream = try connection.prepare("INSERT OR REPLACE INTO streams VALUES (?, ?, ?, ?)")
        one = try connection.prepare("SELECT \(StoredMessage.columns) FROM messages AS m WHERE m.seq = ?1")
    }
}
