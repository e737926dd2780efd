internal import BellhopBot
internal import BellhopJournal
internal import BellhopXMPP

/// Messages of ours in the journal: what waits to be sent, and what became of one.
extension JournalLedger {
    /// Messages that wait to be sent, behind a row, oldest first, at most `limit`; to one person, or to all; each says since when
    /// it waits. Empty where the journal cannot be read.
    func queued(
        to person: JID?, after row: BellhopBot.RowID, limit: Int
    ) -> [(row: BellhopBot.RowID, message: OutgoingMessage)] {
        let stored =
            (try? journal.queued(account, to: person?.bareText, after: BellhopJournal.RowID(row), limit: limit)) ?? []
        return stored.compactMap { row in
            guard var message = Self.outgoing(row) else { return nil }
            message.delay = row.receivedAt
            return (row.row.number, message)
        }
    }

    func queued(_ row: BellhopBot.RowID) -> (message: OutgoingMessage, isWhole: Bool)? {
        guard let stored = try? journal.message(BellhopJournal.RowID(row)), let message = Self.outgoing(stored) else {
            return nil
        }
        return (message, stored.fullLength == nil)
    }

    /// Whether a message came back and is to be sent again.
    func isRequeued(_ row: BellhopBot.RowID) -> Bool { journal.isRequeued(BellhopJournal.RowID(row)) }

    func markFailed(_ row: BellhopBot.RowID, reason: String) {
        journal.fail(BellhopJournal.RowID(row), reason: reason)
    }
}
