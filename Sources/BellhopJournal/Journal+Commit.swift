internal import BellhopDiagnostics
internal import BellhopSQLite

/// Where the rows of this turn are, and what the loop may do.
package enum CommitOutcome: Equatable, Sendable {
    /// In the database: answer, acknowledge.
    case committed
    /// The same, and everything that was held is, too; said once.
    case recovered
    /// Not yet: keep the bytes back and call again at `nextDeadline`.
    case waiting(since: Duration)
    /// In memory only: answer, do not acknowledge.
    case holding
    /// In memory, and no room for more: answer, and decline new commands.
    case full
}

extension Journal {
    /// When `commit` wants to be called again though nothing new happened; nil when nothing is pending.
    package var nextDeadline: Duration? {
        if let retry = health.retry { return retry }
        if let resentDue { return resentDue }
        if settled.due == nil && wipeDue == nil && !accounts.contains(where: { $0.sent.due != nil }) { return nil }
        let first = min(settled.due ?? .nanoseconds(Int64.max), wipeDue ?? .nanoseconds(Int64.max))
        return accounts.reduce(first) { min($0, $1.sent.due ?? $0) }
    }

    /// Why nothing can be written, in the words of SQLite; nil while commits succeed or are tried again in a moment.
    package var obstruction: String? { health.reason?.message }

    /// Writes what gathered since the last commit in one transaction. `now` is monotonic.
    @discardableResult
    package func commit(now: Duration) -> CommitOutcome {
        isClosed ? .holding : commit(now: now, atAnyCost: false)
    }

    func commit(now: Duration, atAnyCost: Bool) -> CommitOutcome {
        let storesProgress = progressIsDue(now)
        if let wipeDue, wipeDue <= now { wipe() }
        guard !backlog.isEmpty || storesProgress || hasStreamChange else { return outcome(now) }
        if let retry = health.retry, now < retry, !atAnyCost { return outcome(now) }
        if checkpointer.isPausing, !atAnyCost {
            return failed(Checkpointer.pause, mayWait: !isFullWhenFailing, now: now)
        }
        do {
            try statements.begin.run()
            try write(progress: storesProgress)
            try statements.commit.run()
        } catch {
            connection.rollBack()
            return failed(error, mayWait: !isFullWhenFailing && !atAnyCost, now: now)
        }
        let held = backlog.count
        settle(progress: storesProgress, now: now)
        if !backlog.orders.isEmpty { greeted.removeAll() }
        backlog.clear()
        checkpointer.noteLog(pages: connection.loggedPages)
        switch health.committed(now: now) {
        case .announceRecovery(let duration):
            log.warning(
                "journal", "The journal can be written again; all that was held is in it now.",
                ["rows": "\(held)", "unlogged": "\(unlogged)", "after": "\(duration.components.seconds) s"])
            unlogged = 0
            return .recovered
        case .goOn, .wait, .announceHolding, .hold: return .committed
        }
    }

    private func failed(_ error: DatabaseError, mayWait: Bool, now: Duration) -> CommitOutcome {
        switch health.failed(error, mayWait: mayWait, now: now) {
        case .announceHolding(let error):
            log.warning(
                "journal",
                """
                The journal cannot be written; the bot goes on and keeps what is said in memory. \
                If it is killed now, messages may be lost or answered twice.
                """,
                ["path": path, "reason": error.message, "code": "\(error.code)"])
        case .goOn, .wait, .hold, .announceRecovery: break
        }
        return outcome(now)
    }

    private func outcome(_ now: Duration) -> CommitOutcome {
        guard let since = health.since else { return .committed }
        if isFull { return .full }
        return health.isHolding ? .holding : .waiting(since: since)
    }

    private var isFullWhenFailing: Bool {
        backlog.count >= options.heldRows || backlog.bytes >= options.heldBytes
    }

    /// Progress goes along with a commit of some size, where it costs nothing, and else within a second.
    private func progressIsDue(_ now: Duration) -> Bool {
        let large = backlog.rows.count >= 8
        if let due = settled.due, large || due <= now { return true }
        for account in accounts {
            if let due = account.sent.due, large || due <= now { return true }
            // The record has marks of its own, which go with it.
            if case .forgotten? = account.stream { return true }
        }
        return false
    }

    private func write(progress: Bool) throws(DatabaseError) {
        let backlog = backlog
        let text = backlog.text.span
        let rows = backlog.rows.span
        // Numbers only grow, and nobody else writes: behind a row of this commit the next number is SQLite's choice, too.
        var last = Int64.min
        for index in rows.indices {
            try insert(rows[index], text, isNext: rows[index].number == last &+ 1)
            last = rows[index].number
        }
        for change in backlog.changes {
            let losesText = !change.state.isOpen && !transient.isEmpty && transient.contains(change.number)
            let statement = losesText ? statements.close : statements.change
            statement.bind(change.number, at: 1)
            statement.bind(change.state.rawValue, at: 2)
            if let reason = change.reason.slice { statement.bind(slice: reason, at: 3) }
            try statement.run(over: text)
        }
        if !backlog.orders.isEmpty { try writeOrders() }
        if hasStreamChange { try writeStreams() }
        guard progress else { return }
        for account in accounts {
            statements.sent.bind(account.id.number, at: 1)
            statements.sent.bind(account.sent.value, at: 2)
            statements.sent.bind(settled.value, at: 3)
            statements.sent.bind(account.acknowledged.value, at: 4)
            try statements.sent.run()
        }
        for sent in sentTexts {
            statements.blank.bind(sent.number, at: 1)
            try statements.blank.run()
        }
    }

    private func insert(
        _ row: Backlog.PendingRow, _ text: Span<UInt8>, isNext: Bool
    ) throws(DatabaseError) {
        let insert = isNext ? statements.append : statements.insert
        if !isNext { insert.bind(row.number, at: 19) }
        insert.bind(row.account, at: 1)
        insert.bind(row.direction.rawValue, at: 2)
        insert.bind(row.kind.rawValue, at: 3)
        insert.bind(row.state.rawValue, at: 4)
        insert.bind(row.receivedAt, at: 5)
        if row.sentAt != Backlog.PendingRow.absent { insert.bind(row.sentAt, at: 6) }
        if row.answers != Backlog.PendingRow.absent {
            insert.bind(row.answers, at: 7)
            insert.bind(Int64(row.ordinal), at: 8)
        }
        // A message that is done with already never has its text in the file.
        let losesText = row.isTransient && (row.direction == .incoming ? !row.state.isOpen : row.state != .queued)
        let length = losesText ? backlog.length(row) : row.fullLength
        if length != Backlog.PendingRow.absent { insert.bind(length, at: 9) }
        if let slice = row.peer.slice { insert.bind(slice: slice, at: 10) }
        if let slice = row.resource.slice { insert.bind(slice: slice, at: 11) }
        if let slice = row.reason.slice { insert.bind(slice: slice, at: 12) }
        if let slice = row.id.slice { insert.bind(slice: slice, at: 13) }
        if let slice = row.originID.slice { insert.bind(slice: slice, at: 14) }
        if let slice = row.archiveID.slice { insert.bind(slice: slice, at: 15) }
        if let slice = row.thread.slice { insert.bind(slice: slice, at: 16) }
        if !losesText {
            if let slice = row.body.slice { insert.bind(slice: slice, at: 17) }
            if let slice = row.payload.slice { insert.bind(slice: slice, at: 18) }
        }
        try insert.run(over: text)
    }

    /// Brings what is known in memory in line with what was just committed.
    private func settle(progress: Bool, now: Duration) {
        if progress {
            settled.noteStored()
            for index in accounts.indices {
                accounts[index].sent.noteStored()
                accounts[index].acknowledged.noteStored()
            }
        }
        for index in accounts.indices { accounts[index].stream = nil }
        resentDue = nil
        for row in backlog.rows where row.direction == .incoming && row.state.isOpen {
            open[row.number] = (backlog.string(row.peer) ?? "").hashValue
        }
        for change in backlog.changes where !change.state.isOpen { open.removeValue(forKey: change.number) }
        if !transient.isEmpty || !unsentTexts.isEmpty { settleTexts(progress: progress, now: now) }
        // The oldest open row is looked for only when the one that stood at the mark is done.
        if open.isEmpty {
            settled.advance(to: next, now: now)
        } else if open[settled.value] == nil, let first = open.keys.min() {
            settled.advance(to: first, now: now)
        }
    }
}
