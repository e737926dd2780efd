internal import BellhopSQLite

/// Rows and changes that are not in the database yet, all text in one buffer, so that a held row costs its bytes.
struct Backlog {
    /// The text of all rows; SQLite reads it from here without a copy.
    private(set) var text: [UInt8] = []
    private(set) var rows: [PendingRow] = []
    /// New states of rows that are in the database.
    private(set) var changes: [PendingChange] = []
    var orders: [Order] = []

    /// A value of a text column; `start` is -1 for a null.
    struct Field {
        var start: Int32 = -1
        var count: Int32 = 0

        var slice: Statement.Slice? { start < 0 ? nil : Statement.Slice(start: Int(start), count: Int(count)) }
    }

    /// A row to be inserted; integers that are null are `absent`.
    struct PendingRow {
        static let absent = Int64.min

        var number: Int64
        var account: Int64
        var receivedAt: Int64
        var sentAt = absent
        var answers = absent
        var fullLength = absent
        var ordinal: Int32 = 0
        var direction: Direction
        var kind: RowKind
        var state: RowState
        /// Whether the text goes when all is done with the message.
        var isTransient = false
        var peer = Field()
        var resource = Field()
        var reason = Field()
        var id = Field()
        var originID = Field()
        var archiveID = Field()
        var thread = Field()
        var body = Field()
        var payload = Field()
    }

    struct PendingChange {
        var number: Int64
        var state: RowState
        var reason: Field
    }

    /// A change outside of the messages, rare enough to be kept as a value.
    enum Order {
        case open(Request)
        case notify(number: Int64, at: Int64)
        case decide(Request)
        case greet(account: AccountID, jid: String, at: Int64)
        case set(key: String, value: String?)
        case audit(AuditRecord)
        /// Where to go on reading the archive, and which row was the newest then.
        case archive(ArchivePosition, account: AccountID, newest: Int64)
        case closeAudit(row: Int64, outcome: String, code: String?, duration: Int64?)
        /// Without a moment it is to be sent again.
        case enterOutbox(row: Int64, account: AccountID, jid: String, failedAt: Int64?)
        case leaveOutbox(row: Int64)
        /// Nil forgets it.
        case login(LoginRecord?, account: AccountID)
        /// Nil forgets them.
        case tokens(TokenRecords?, account: AccountID)
        /// Only the text of a row goes.
        case blank(row: Int64)
    }

    var isEmpty: Bool { rows.isEmpty && changes.isEmpty && orders.isEmpty }

    /// How many things wait.
    var count: Int { rows.count + changes.count + orders.count }

    /// How many bytes of memory they take, roughly.
    var bytes: Int {
        text.count + rows.count * MemoryLayout<PendingRow>.stride + changes.count * MemoryLayout<PendingChange>.stride
            + orders.count * 256
    }

    /// Copies a text into the buffer.
    mutating func store(_ value: String?) -> Field {
        guard let value else { return Field() }
        let start = text.count
        text.append(contentsOf: value.utf8)
        // The buffer is kept far below 2 GiB by the limits on held bytes.
        return Field(start: Int32(truncatingIfNeeded: start), count: Int32(truncatingIfNeeded: text.count - start))
    }

    /// The texts of a row as whoever brings them has them.
    struct Texts {
        var peer: String
        var resource: String?
        var reason: String?
        var id: String?
        var originID: String?
        var archiveID: String?
        var thread: String?
        var body: String?
        var payload: String?
    }

    /// Adds a row with its texts, and of id, body and payload what is kept.
    mutating func append(_ row: PendingRow, _ texts: Texts, id: String?, body: String?, payload: String?) {
        var row = row
        row.peer = store(texts.peer)
        row.resource = store(texts.resource)
        row.reason = store(texts.reason)
        row.id = store(id)
        row.originID = store(texts.originID)
        row.archiveID = store(texts.archiveID)
        row.thread = store(texts.thread)
        row.body = store(body)
        row.payload = store(payload)
        rows.append(row)
    }

    mutating func append(_ change: PendingChange) { changes.append(change) }

    /// Where in `rows` the row of this number waits; nil when it does not.
    func index(of number: Int64) -> Int? {
        guard let first = rows.first, number >= first.number else { return nil }
        // Numbers are given in order, with a gap only where a row was turned away.
        var upper = Int(min(number - first.number, Int64(rows.count - 1)))
        if rows[upper].number == number { return upper }
        var lower = 0
        while lower < upper {
            let middle = (lower + upper) / 2
            if rows[middle].number < number { lower = middle + 1 } else { upper = middle }
        }
        return rows[lower].number == number ? lower : nil
    }

    mutating func change(at index: Int, to state: RowState, reason: String?) {
        rows[index].state = state
        if reason != nil { rows[index].reason = store(reason) }
    }

    /// How many characters the body had; `absent` without one.
    func length(_ row: PendingRow) -> Int64 {
        guard row.fullLength == PendingRow.absent, let body = string(row.body) else { return row.fullLength }
        return Int64(body.unicodeScalars.count)
    }

    /// Forgets the new states of rows that are gone.
    mutating func dropChanges(of gone: Set<Int64>) { changes.removeAll { gone.contains($0.number) } }

    func string(_ field: Field) -> String? {
        guard let slice = field.slice else { return nil }
        return String(decoding: text[slice.start..<slice.start + slice.count], as: UTF8.self)
    }

    /// Forgets all, and gives back the memory of an unusually large batch.
    mutating func clear() {
        let isLarge = text.capacity > 1 << 20 || rows.capacity > 4_096
        text.removeAll(keepingCapacity: !isLarge)
        rows.removeAll(keepingCapacity: !isLarge)
        changes.removeAll(keepingCapacity: !isLarge)
        orders.removeAll()
    }
}
