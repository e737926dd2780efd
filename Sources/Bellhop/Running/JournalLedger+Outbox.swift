internal import BellhopBot
internal import BellhopJournal
internal import BellhopXMPP

/// The outbox of the desk, in the rows of the journal.
extension JournalLedger {
    func outbox(_ filter: OutboxFilter) throws(LedgerFault) -> OutboxListing {
        let query = OutboxQuery(
            account: account, peer: filter.to?.bareText, since: filter.since, failedOnly: filter.failedOnly,
            limit: filter.limit)
        return OutboxListing(try readable { () throws(JournalError) in try journal.outbox(query) })
    }

    func record(of row: BellhopBot.RowID) throws(LedgerFault) -> OutgoingRecord? {
        let stored = try readable { () throws(JournalError) in try journal.current(BellhopJournal.RowID(row)) }
        guard let stored, stored.account == account, stored.direction == .outgoing, stored.kind != .own,
            stored.kind != .carbon, let message = Self.outgoing(stored)
        else { return nil }
        let state: OutgoingRecord.State
        switch stored.state {
        case .queued, .requeued: state = .waiting
        case .failed: state = .failed(reason: stored.reason ?? "")
        case .dropped: state = .dropped
        case .sent, .acknowledged, .delivered: state = .sent
        // Written by another device of ours.
        case .received, .started, .handled, .interrupted, .declined: return nil
        }
        return OutgoingRecord(row: row, message: message, state: state, isWhole: journal.keepsText(of: stored))
    }

    func requeue(_ record: OutgoingRecord, by who: String) {
        guard let stored = try? journal.current(BellhopJournal.RowID(record.row)) else { return }
        journal.requeue(stored, reason: JournalPhrases.again(by: who, after: record.state))
    }

    func drop(_ record: OutgoingRecord, by who: String, at moment: Moment) {
        journal.drop(
            BellhopJournal.RowID(record.row), reason: JournalPhrases.dropped(by: who, after: record.state),
            now: moment.now)
    }

    /// How many messages came back since then; nil when the journal cannot say.
    func failedCount(since: Timestamp) -> Int? { try? journal.failedCount(account, since: since) }

    private func readable<Result>(
        _ read: () throws(JournalError) -> Result
    ) throws(LedgerFault) -> Result {
        do throws(JournalError) {
            return try read()
        } catch {
            throw .unreadable(JournalPhrases.sentence(error))
        }
    }
}

extension OutboxListing {
    init(_ page: OutboxPage) { self.init(entries: page.messages.compactMap(OutboxEntry.init), more: page.more) }
}

extension OutboxEntry {
    /// Nil for a row whose address nobody can read.
    fileprivate init?(_ found: OutboxMessage) {
        guard let to = try? JID(received: found.message.peer) else { return nil }
        let state: State =
            found.failedAt.map { .failed(at: $0, reason: found.message.reason ?? "undefined-condition") } ?? .waiting
        self.init(
            row: found.message.row.number, to: to.bare, queuedAt: found.message.receivedAt, state: state,
            text: found.message.body)
    }
}
