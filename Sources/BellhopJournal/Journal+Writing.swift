internal import BellhopSQLite
package import BellhopXMPP

/// What became of a message that was brought in.
package enum Admission: Equatable, Sendable {
    case new(RowID)
    /// It is in the log already; nothing was written.
    case duplicate(of: RowID)
    /// The disk takes nothing and memory is used up: decline it with a sentence.
    case refused
}

/// A message that was put down to be sent.
package struct Queued: Equatable, Sendable {
    package var row: RowID
    /// The id to send it under.
    package var id: String
}

extension Journal {
    /// Logs a message that came in, or one that another of our devices wrote, unless it is logged already.
    package func admit(
        _ entry: Entry, state: RowState = .received, reason: String? = nil, at moment: Timestamp
    ) -> Admission {
        let body = cut(entry.body)
        var identity = DuplicateWindow.Identity()
        switch entry.direction {
        case .incoming:
            identity = window.identity(
                account: entry.account.number, peer: entry.peer, archiveID: entry.archiveID, originID: entry.originID,
                id: entry.id, body: body.text)
            if let row = window.row(of: identity) { return .duplicate(of: RowID(row)) }
        case .outgoing:
            if let id = entry.originID ?? entry.id, let row = outgoing(id: id, peer: entry.peer) {
                return .duplicate(of: row)
            }
        }
        if isFull {
            unlogged += 1
            return .refused
        }
        var row = Backlog.PendingRow(
            number: next, account: entry.account.number, receivedAt: moment.milliseconds, direction: entry.direction,
            kind: entry.kind, state: state)
        row.fullLength = body.full
        if let sentAt = entry.sentAt { row.sentAt = sentAt.milliseconds }
        backlog.append(
            row, entry, id: entry.id, body: body.text, payload: kept(entry.payload), reason: reason)
        switch entry.direction {
        case .incoming: window.insert(identity, row: next)
        case .outgoing: if let id = entry.originID ?? entry.id { recentOut.insert(id: id, row: next) }
        }
        next += 1
        return .new(RowID(row.number))
    }

    /// Puts a message down to be sent, as the answer number `ordinal` to a command, or unasked.
    ///
    /// Without an id of its own it gets one. An answer that the last run gave already keeps its row.
    package func queue(
        _ entry: Entry, answers command: RowID? = nil, ordinal: Int = 0, state: RowState = .queued, at moment: Timestamp
    ) -> Queued {
        let id = entry.id ?? identifier(command ?? RowID(next), ordinal)
        if !answered.isEmpty, let command,
            let row = answered.removeValue(forKey: Answer(command: command.number, ordinal: ordinal))
        {
            return Queued(row: row, id: id)
        }
        let number = next
        next += 1
        guard hasRoomToSpare else {
            unlogged += 1
            return Queued(row: .unstored, id: id)
        }
        var row = Backlog.PendingRow(
            number: number, account: entry.account.number, receivedAt: moment.milliseconds, direction: .outgoing,
            kind: entry.kind, state: state)
        if let command {
            row.answers = command.number
            row.ordinal = Int32(clamping: ordinal)
        }
        let body = cut(entry.body)
        row.fullLength = body.full
        backlog.append(row, entry, id: id, body: body.text, payload: kept(entry.payload), reason: nil)
        recentOut.insert(id: id, row: number)
        return Queued(row: RowID(number), id: id)
    }

    /// The id of the answer number `ordinal` to the command in `row`.
    package func identifier(_ row: RowID, _ ordinal: Int) -> String {
        MessageIdentifier.make(tag: tag, row: row.number, ordinal: ordinal)
    }

    /// Notes what has become of a row; without a reason the old one stays.
    package func mark(_ row: RowID, _ state: RowState, reason: String? = nil) {
        guard row != .unstored else { return }
        if let index = backlog.index(of: row.number) {
            backlog.change(at: index, to: state, reason: reason)
            return
        }
        // With more changes than there is room for, the last states are lost as the announcement said.
        guard hasRoomToSpare else { return }
        let field = backlog.store(reason)
        backlog.append(Backlog.PendingChange(number: row.number, state: state, reason: field))
    }

    /// Notes that every message of the account up to this row was written to the stream.
    ///
    /// Costs next to nothing: it is stored with a later commit, within a second.
    package func sent(through row: RowID, account: AccountID, now: Duration) {
        guard let index = accounts.firstIndex(where: { $0.id == account }) else { return }
        accounts[index].sent.advance(to: row.number, now: now)
    }

    /// Marks the message that bounced; nil when it is none of ours, so that nobody's word fails another's message.
    @discardableResult
    package func fail(id: String, to peer: String, reason: String) -> RowID? {
        guard let row = outgoing(id: id, peer: peer) else { return nil }
        mark(row, .failed, reason: reason)
        return row
    }

    /// Whether rows are turned away: the disk takes none, and memory is used up.
    package var isFull: Bool {
        !health.isClear && (backlog.count >= options.heldRows || backlog.bytes >= options.heldBytes)
    }

    /// Answers and new states of what was let in get a quarter more room, so that they are not lost first.
    private var hasRoomToSpare: Bool {
        health.isClear
            || (backlog.count < options.heldRows / 4 * 5 && backlog.bytes < options.heldBytes / 4 * 5)
    }

    private func kept(_ payload: String?) -> String? {
        guard let payload, payload.utf8.count <= options.payloadLimit else { return nil }
        return payload
    }

    /// The body within the limit, which counts Unicode scalars, and how many there were when it was cut.
    private func cut(_ body: String?) -> (text: String?, full: Int64) {
        guard let body, body.utf8.count > options.bodyLimit else { return (body, Backlog.PendingRow.absent) }
        let count = body.unicodeScalars.count
        guard count > options.bodyLimit else { return (body, Backlog.PendingRow.absent) }
        return (String(body.unicodeScalars.prefix(options.bodyLimit)), Int64(count))
    }
}
