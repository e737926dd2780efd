internal import BellhopDiagnostics
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
    /// Whether an earlier run of the same command put it down already: it is sent, or waits to be.
    package var isRepeated = false
}

extension Journal {
    /// Logs a message that came in, or one that another of our devices wrote, unless it is logged already.
    package func admit(
        _ entry: Entry, state: RowState = .received, reason: String? = nil, at moment: Timestamp
    ) -> Admission {
        admit(
            entry.account, entry.direction, entry.kind, state, moment, sentAt: entry.sentAt,
            isTransient: entry.isTransient || !options.keepsBodies,
            Backlog.Texts(
                peer: entry.peer, resource: entry.resource, reason: reason, id: entry.id, originID: entry.originID,
                archiveID: entry.archiveID, thread: entry.thread, body: entry.body, payload: entry.payload))
    }

    /// The same for a message as it came, whose other side is `peer`; without an entry in between, which would cost as
    /// much as the rest.
    package func admit(
        _ message: IncomingMessage, _ direction: Direction, peer: String, account: AccountID, payload: String?,
        state: RowState, reason: String?, at moment: Timestamp
    ) -> Admission {
        admit(
            account, direction, RowKind(message.type, message.obstacle), state, moment, sentAt: message.delay,
            isTransient: message.isTransient || !options.keepsBodies,
            Backlog.Texts(
                peer: peer, resource: message.sender?.resource, reason: reason, id: message.id,
                originID: message.originID, archiveID: message.archiveID, thread: message.thread, body: message.body,
                payload: payload))
    }

    private func admit(
        _ account: AccountID, _ direction: Direction, _ kind: RowKind, _ state: RowState, _ moment: Timestamp,
        sentAt: Timestamp?, isTransient: Bool, _ texts: Backlog.Texts
    ) -> Admission {
        let body = cut(texts.body, to: options.bodyLimit)
        var identity = DuplicateWindow.Identity()
        switch direction {
        case .incoming:
            identity = window.identity(
                account: account.number, peer: texts.peer, archiveID: texts.archiveID, originID: texts.originID,
                id: texts.id, body: body.text, length: body.full == Backlog.PendingRow.absent ? nil : body.full)
            if let row = window.row(of: identity) { return .duplicate(of: RowID(row)) }
        case .outgoing:
            if let row = sameOutgoing(account, texts, body: body.text, &identity) { return .duplicate(of: row) }
        }
        if isFull {
            noteUnlogged()
            return .refused
        }
        let number = next
        next += 1
        var row = Backlog.PendingRow(
            number: number, account: account.number, receivedAt: moment.milliseconds, direction: direction,
            kind: kind, state: state)
        row.fullLength = body.full
        if let sentAt { row.sentAt = sentAt.milliseconds }
        var payload = kept(texts.payload, within: options.payloadLimit)
        if isTransient {
            row.isTransient = true
            if direction == .incoming {
                transient.insert(number)
                // Nothing else in the row would say so after a restart.
                if options.keepsBodies { payload = (payload ?? "") + Self.hint }
            }
        }
        backlog.append(row, texts, id: texts.id, body: body.text, payload: payload)
        switch direction {
        case .incoming: window.insert(identity, row: number)
        case .outgoing:
            if identity.archive != nil { window.insert(identity, row: number) }
            if let id = texts.originID ?? texts.id { recentOut.insert(id: id, row: number) }
        }
        return .new(RowID(number))
    }

    /// The row of what our account has said on another device, or of what this bot itself has said.
    private func sameOutgoing(
        _ account: AccountID, _ texts: Backlog.Texts, body: String?, _ identity: inout DuplicateWindow.Identity
    ) -> RowID? {
        if texts.archiveID != nil {
            // By the archive's id alone: our own rows have none and are found by theirs.
            identity.archive =
                window.identity(
                    account: account.number, peer: texts.peer, archiveID: texts.archiveID, originID: nil, id: nil,
                    body: nil
                ).archive
            if let row = window.row(of: identity) { return RowID(row) }
        }
        // Only our own server and our own account bring copies, so the search may go far.
        return (texts.originID ?? texts.id).flatMap {
            outgoing(id: $0, peer: texts.peer, reach: Self.mostHeldRows)
        }
    }

    /// Puts a message down to be sent, as the answer number `ordinal` to a command, or unasked.
    ///
    /// Without an id of its own it gets one. An answer that the last run gave already keeps its row.
    package func queue(
        _ entry: Entry, answers command: RowID? = nil, ordinal: Int = 0, state: RowState = .queued, at moment: Timestamp
    ) -> Queued {
        queue(
            entry.account, entry.kind, answers: command, ordinal: ordinal, state, moment,
            isTransient: entry.isTransient,
            Backlog.Texts(
                peer: entry.peer, resource: entry.resource, reason: nil, id: entry.id, originID: entry.originID,
                archiveID: entry.archiveID, thread: entry.thread, body: entry.body, payload: entry.payload))
    }

    /// The same for a message as it is going to be sent.
    package func queue(
        _ message: OutgoingMessage, account: AccountID, payload: String?, answers command: RowID?, ordinal: Int,
        isTransient: Bool = false, at moment: Timestamp
    ) -> Queued {
        queue(
            account, RowKind(message.type, nil), answers: command, ordinal: ordinal, .queued, moment,
            isTransient: isTransient,
            Backlog.Texts(
                peer: message.to.bareText, resource: message.to.resource, reason: nil,
                id: message.id.isEmpty ? nil : message.id, originID: nil, archiveID: nil, thread: message.thread,
                body: message.body, payload: payload))
    }

    private func queue(
        _ account: AccountID, _ kind: RowKind, answers command: RowID?, ordinal: Int, _ state: RowState,
        _ moment: Timestamp, isTransient: Bool, _ texts: Backlog.Texts
    ) -> Queued {
        let number = next
        let id = texts.id ?? identifier(command ?? RowID(number), ordinal)
        if !answered.isEmpty, let command,
            let row = answered.removeValue(forKey: Answer(command: command.number, ordinal: ordinal))
        {
            return Queued(row: row, id: id, isRepeated: true)
        }
        next = number + 1
        guard hasRoomToSpare else {
            noteUnlogged()
            return Queued(row: .unstored, id: id)
        }
        if state == .queued, let index = accounts.firstIndex(where: { $0.id == account }) {
            accounts[index].outgoing.append(number)
        }
        var row = Backlog.PendingRow(
            number: number, account: account.number, receivedAt: moment.milliseconds, direction: .outgoing,
            kind: kind, state: state)
        if let command {
            row.answers = command.number
            row.ordinal = Int32(clamping: ordinal)
        }
        // What may have to be sent again is kept as it is, or it would be another message then.
        let body = cut(texts.body, to: Self.ownLimit)
        row.fullLength = body.full
        // An answer repeats what it answers, often word for word.
        if isTransient || !options.keepsBodies
            || (!transient.isEmpty && command.map { transient.contains($0.number) } ?? false)
        {
            row.isTransient = true
            unsentTexts.append(PendingText(number: number, account: account.number))
        }
        backlog.append(row, texts, id: id, body: body.text, payload: kept(texts.payload, within: Self.ownLimit))
        recentOut.insert(id: id, row: number)
        return Queued(row: RowID(number), id: id)
    }

    /// What a row has in its payload while its text waits to go (XEP-0334).
    static let hint = "<no-store xmlns=\"urn:xmpp:hints\"/>"

    /// The id of the answer number `ordinal` to the command in `row`.
    package func identifier(_ row: RowID, _ ordinal: Int) -> String {
        MessageIdentifier.make(tag: tag, row: row.number, ordinal: ordinal)
    }

    /// Notes what has become of a row; without a reason the old one stays.
    package func mark(_ row: RowID, _ state: RowState, reason: String? = nil) {
        guard row != .unstored else { return }
        if !requeued.isEmpty { takeFromRequeued(row, state) }
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
        accounts[index].outgoing.end(through: row.number)
        accounts[index].sent.advance(to: row.number, now: now)
    }

    /// Notes that this message was written to the stream, or is known to be with the server (XEP-0198).
    ///
    /// Costs next to nothing where they come in order: one mark for all is stored with a later commit, within a second.
    package func departed(_ row: RowID, isAcknowledged: Bool, account: AccountID, now: Duration) {
        guard row != .unstored, let index = accounts.firstIndex(where: { $0.id == account }) else { return }
        // Behind a mark of acknowledgements a message that was only written has to say so itself.
        let state: RowState = isAcknowledged ? .acknowledged : .sent
        let marksEach = !isAcknowledged && accounts[index].acknowledged.value > 0
        switch accounts[index].outgoing.end(row.number) {
        case .through(let last):
            if marksEach { mark(row, state) }
            accounts[index].sent.advance(to: last, now: now)
            if isAcknowledged { accounts[index].acknowledged.advance(to: last, now: now) }
        case .alone: mark(row, state)
        case .unknown: departedAgain(row, state, now: now)
        }
    }

    /// Marks the message that bounced; nil when it is none of ours, so that nobody's word fails another's message.
    @discardableResult
    package func fail(id: String, to peer: String, reason: String, at moment: Timestamp) -> RowID? {
        guard let row = outgoing(id: id, peer: peer) else { return nil }
        fail(row, reason: reason)
        noteFailed(row, to: peer, at: moment)
        return row
    }

    /// Marks a message of ours as failed, one that is not to be sent again.
    package func fail(_ row: RowID, reason: String) {
        mark(row, .failed, reason: reason)
        takeFromQueue(row)
    }

    /// Says at once, and once an outage, that from here on messages leave no row.
    private func noteUnlogged() {
        unlogged += 1
        guard unlogged == 1 else { return }
        log.error(
            "journal",
            "No more rows fit into memory: messages are declined, and leave no row, until the journal can be written.",
            ["path": path])
    }

    /// Whether rows are turned away: the disk takes none, and memory is used up.
    package var isFull: Bool {
        !health.isClear && (backlog.count >= options.heldRows || backlog.bytes >= options.heldBytes)
    }

    /// Answers and new states of what was let in get a quarter more room, so that they are not lost first.
    var hasRoomToSpare: Bool {
        health.isClear
            || (backlog.count < options.heldRows / 4 * 5 && backlog.bytes < options.heldBytes / 4 * 5)
    }

    /// What is kept of our own messages whatever the options say, in characters of the body and in bytes of the payload: more than
    /// any server takes.
    static let ownLimit = 16_777_216

    private func kept(_ payload: String?, within limit: Int) -> String? {
        guard let payload, payload.utf8.count <= limit else { return nil }
        return payload
    }

    /// The body within the limit, which counts Unicode scalars, and how many there were when it was cut.
    private func cut(_ body: String?, to limit: Int) -> (text: String?, full: Int64) {
        guard let body, body.utf8.count > limit else { return (body, Backlog.PendingRow.absent) }
        let count = body.unicodeScalars.count
        guard count > limit else { return (body, Backlog.PendingRow.absent) }
        return (String(body.unicodeScalars.prefix(limit)), Int64(count))
    }
}
