internal import BellhopSQLite
package import BellhopXMPP

/// Messages of ours that wait to be sent or came back: what there is, once more, and no more.
///
/// What is sent once more lies below the mark that says how far everything was sent. So it has a state of its own, which
/// survives a kill, and is known in memory besides.
extension Journal {
    /// What waits to be sent and what came back, this turn's included.
    package func outbox(_ query: OutboxQuery) throws(JournalError) -> OutboxPage {
        let changes = Dictionary(backlog.changes.map { ($0.number, $0) }) { _, last in last }
        let search = OutboxSearch(query: query, sent: sent(query.account.number))
        let (count, stored) = try JournalFile.described(path) { () throws(DatabaseError) in
            (try search.count(connection), try search.run(connection, slack: changes.count))
        }
        var found = stored.filter { changes[$0.message.row.number] == nil }
        let ended = stored.count - found.count
        var held: [OutboxMessage] = []
        for number in Set(changes.keys).union(backlog.rows.map(\.number)) {
            guard let stored = try message(RowID(number)) else { continue }
            if let entry = entry(changed(stored, by: changes[number]), query) { held.append(entry) }
        }
        found = (found + held).sorted { $0.message.row < $1.message.row }
        let total = max(found.count, count - ended + held.count)
        let messages = Array(found.suffix(max(query.limit, 0)))
        return OutboxPage(messages: messages, more: total - messages.count)
    }

    /// How many messages of the account came back since then and were not sent again or given up.
    package func failedCount(_ account: AccountID, since: Timestamp) throws(JournalError) -> Int {
        let query = OutboxQuery(account: account, since: since, failedOnly: true, limit: 0)
        guard backlog.isEmpty else { return try outbox(query).more }
        return try JournalFile.described(path) { () throws(DatabaseError) in
            try OutboxSearch(query: query, sent: 0).count(connection)
        }
    }

    /// A row as it is now, with what the mark of its account says and what was not written yet; nil when there is none.
    package func current(_ row: RowID) throws(JournalError) -> StoredMessage? {
        guard let message = try message(row) else { return nil }
        return changed(message, by: backlog.changes.last { $0.number == row.number })
    }

    private func changed(_ stored: StoredMessage, by change: Backlog.PendingChange?) -> StoredMessage {
        var message = stored
        if let change {
            message.state = change.state
            message.reason = backlog.string(change.reason) ?? message.reason
        }
        let isBelowMark = message.row.number <= sent(message.account.number)
        if message.direction == .outgoing, message.state == .queued, isBelowMark { message.state = .sent }
        return message
    }

    /// Whether the text of a message of ours goes as soon as it is sent, or was not kept whole.
    package func keepsText(of message: StoredMessage) -> Bool {
        if unsentTexts.contains(where: { $0.number == message.row.number }) { return false }
        if message.fullLength != nil { return false }
        return message.body != nil || message.payload != nil
    }

    /// Puts a message that came back down to be sent again, under its id and in front of all that was queued since.
    package func requeue(_ message: StoredMessage, reason: String) {
        mark(message.row, .requeued, reason: reason)
        requeued.insert(message.row.number)
        backlog.orders.append(
            .enterOutbox(row: message.row.number, account: message.account, jid: message.peer, failedAt: nil))
    }

    /// Gives up a message that waits or came back; a text that is not kept goes at once.
    package func drop(_ row: RowID, reason: String, now: Duration) {
        mark(row, .dropped, reason: reason)
        takeFromQueue(row)
        backlog.orders.append(.leaveOutbox(row: row.number))
        guard let index = unsentTexts.firstIndex(where: { $0.number == row.number }) else { return }
        unsentTexts.remove(at: index)
        backlog.orders.append(.blank(row: row.number))
        if wipeDue == nil { wipeDue = now + Self.wipeDelay }
    }

    /// Whether a message is to be sent again, so that the marks of its account say nothing about it.
    package func isRequeued(_ row: RowID) -> Bool { !requeued.isEmpty && requeued.contains(row.number) }

    // MARK: What belongs to other changes of a row

    /// Notes that a message was written once more, or that the server has it now.
    func departedAgain(_ row: RowID, _ state: RowState, now: Duration) {
        guard isRequeued(row) else { return }
        mark(row, state)
        // Until it is stored a kill would send it once more, and nothing else may be written for long.
        resentDue = now
    }

    /// A message that is not to be sent any more keeps no mark back; that moves with the next one that comes to its end.
    func takeFromQueue(_ row: RowID) {
        for index in accounts.indices where accounts[index].outgoing.contains(row.number) {
            _ = accounts[index].outgoing.end(row.number)
        }
    }

    /// What came back is found by this without a look at all rows.
    func noteFailed(_ row: RowID, to peer: String, at moment: Timestamp) {
        guard row != .unstored, let message = try? message(row) else { return }
        backlog.orders.append(
            .enterOutbox(
                row: row.number, account: message.account, jid: peer, failedAt: moment.milliseconds))
    }

    /// Whatever becomes of a message that was to be sent again, it no longer is.
    func takeFromRequeued(_ row: RowID, _ state: RowState) {
        guard state != .requeued, requeued.remove(row.number) != nil else { return }
        backlog.orders.append(.leaveOutbox(row: row.number))
    }

    /// The messages that are to be sent again, oldest first.
    func requeuedMessages() throws(JournalError) -> [StoredMessage] {
        var found: [StoredMessage] = []
        for number in requeued.sorted() {
            guard var message = try message(RowID(number)) else { continue }
            message.state = .requeued
            found.append(message)
        }
        return found
    }

    func enterOutbox(
        _ row: Int64, _ account: AccountID, _ jid: String, _ failedAt: Int64?
    ) throws(DatabaseError) {
        let put = try connection.prepare("INSERT OR REPLACE INTO outbox VALUES (?, ?, ?, ?)")
        put.bind(row, at: 1)
        put.bind(account.number, at: 2)
        put.bind(jid, at: 3)
        put.bind(failedAt, at: 4)
        try put.run()
    }

    func leaveOutbox(_ row: Int64) throws(DatabaseError) {
        let delete = try connection.prepare("DELETE FROM outbox WHERE seq = ?")
        delete.bind(row, at: 1)
        try delete.run()
    }

    // MARK: This turn

    private func entry(_ message: StoredMessage, _ query: OutboxQuery) -> OutboxMessage? {
        guard message.direction == .outgoing, message.account == query.account,
            query.peer == nil || query.peer == message.peer
        else { return nil }
        switch message.state {
        case .queued, .requeued: return query.failedOnly ? nil : OutboxMessage(message: message, failedAt: nil)
        case .failed:
            guard let failedAt = failedAt(message.row), failedAt >= query.since else { return nil }
            return OutboxMessage(message: message, failedAt: failedAt)
        case .received, .started, .handled, .interrupted, .declined, .sent, .acknowledged, .delivered, .dropped:
            return nil
        }
    }

    /// When a message came back that is not written as such yet.
    private func failedAt(_ row: RowID) -> Timestamp? {
        for case .enterOutbox(row.number, _, _, let moment?) in backlog.orders.reversed() {
            return Timestamp(milliseconds: moment)
        }
        return nil
    }
}
