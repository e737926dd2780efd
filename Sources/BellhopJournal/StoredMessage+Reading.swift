internal import BellhopSQLite
internal import BellhopXMPP

extension StoredMessage {
    /// The columns that `init(_:)` reads, of a table that the statement calls `m`.
    static let columns = columns(state: "m.state")

    /// The same for a reader, who knows of sent messages only by the marks in the account `a`.
    static let readerColumns = columns(
        state: """
            CASE WHEN m.direction = 1 AND m.state = 0 AND m.seq <= a.acknowledged THEN 7 \
            WHEN m.direction = 1 AND m.state = 0 AND m.seq <= a.sent THEN 6 ELSE m.state END
            """)

    private static func columns(state: String) -> String {
        """
        m.seq, m.account, m.direction, m.kind, \(state), m.received_at, m.sent_at, m.answers, m.ordinal, m.length, \
        m.peer, m.resource, m.reason, m.id, m.origin_id, m.archive_id, m.thread, m.body, m.payload
        """
    }

    /// Reads the row that the statement is at; a number that this program does not know reads as its plainest meaning.
    init(_ statement: Statement) {
        row = RowID(statement.integer(0))
        account = AccountID(statement.integer(1))
        direction = Direction(rawValue: statement.integer(2)) ?? .incoming
        kind = RowKind(rawValue: statement.integer(3)) ?? .normal
        state = RowState(rawValue: statement.integer(4)) ?? .handled
        receivedAt = Timestamp(milliseconds: statement.integer(5))
        sentAt = statement.optionalInteger(6).map { Timestamp(milliseconds: $0) }
        answers = statement.optionalInteger(7).map { RowID($0) }
        ordinal = Int(truncatingIfNeeded: statement.integer(8))
        fullLength = statement.optionalInteger(9).map { Int(truncatingIfNeeded: $0) }
        peer = statement.text(10) ?? ""
        resource = statement.text(11)
        reason = statement.text(12)
        id = statement.text(13)
        originID = statement.text(14)
        archiveID = statement.text(15)
        thread = statement.text(16)
        body = statement.text(17)
        payload = statement.text(18)
    }

    /// A row that still waits in memory.
    init(_ pending: Backlog.PendingRow, in backlog: Backlog) {
        row = RowID(pending.number)
        account = AccountID(pending.account)
        direction = pending.direction
        kind = pending.kind
        state = pending.state
        receivedAt = Timestamp(milliseconds: pending.receivedAt)
        let absent = Backlog.PendingRow.absent
        sentAt = pending.sentAt == absent ? nil : Timestamp(milliseconds: pending.sentAt)
        answers = pending.answers == absent ? nil : RowID(pending.answers)
        ordinal = Int(pending.ordinal)
        fullLength = pending.fullLength == absent ? nil : Int(truncatingIfNeeded: pending.fullLength)
        peer = backlog.string(pending.peer) ?? ""
        resource = backlog.string(pending.resource)
        reason = backlog.string(pending.reason)
        id = backlog.string(pending.id)
        originID = backlog.string(pending.originID)
        archiveID = backlog.string(pending.archiveID)
        thread = backlog.string(pending.thread)
        body = backlog.string(pending.body)
        payload = backlog.string(pending.payload)
    }
}
