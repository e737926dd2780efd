package import BellhopXMPP

/// Decides what may become of messages that wait or came back; needs no connection, so it works where no bot runs, too.
package struct Outbox {
    /// The most messages that are shown or changed at once, so that nobody waits for long meanwhile.
    package static let limit = 1_000
    /// How far back it is looked for what came back, where nobody says.
    package static let period: Duration = .seconds(7 * 86_400)

    private let ledger: any Ledger
    /// What was handed to the stream and is not known to have arrived there.
    private let underWay: Set<RowID>

    package init(ledger: any Ledger, underWay: Set<RowID> = []) {
        self.ledger = ledger
        self.underWay = underWay
    }

    package func list(_ filter: OutboxFilter) throws(LedgerFault) -> OutboxListing {
        Self.noting(underWay, in: try ledger.outbox(filter))
    }

    /// Tells what is on its way from what waits.
    package static func noting(_ underWay: Set<RowID>, in listing: OutboxListing) -> OutboxListing {
        var listing = listing
        for index in listing.entries.indices where underWay.contains(listing.entries[index].row) {
            if case .waiting = listing.entries[index].state { listing.entries[index].state = .leaving }
        }
        return listing
    }

    /// Retries or drops messages; `all` means what the filter finds of those that came back. Gives also what to send.
    package func change(
        _ verb: OutboxVerb, _ choice: OutboxChoice, _ filter: OutboxFilter, by who: String, at moment: Moment
    ) throws(LedgerFault) -> (outcome: OutboxOutcome, messages: [(row: RowID, message: OutgoingMessage)]) {
        var outcome = OutboxOutcome(verb: verb)
        var messages: [(row: RowID, message: OutgoingMessage)] = []
        var rows: [RowID] = []
        switch choice {
        case .number(let row): rows = [row]
        case .all:
            var failed = filter
            failed.failedOnly = true
            let listing = try ledger.outbox(failed)
            rows = listing.entries.map(\.row)
            outcome.more = listing.more
        }
        for row in rows {
            switch try record(row, for: verb) {
            case .failure(let refusal): outcome.refused.append(OutboxOutcome.Refused(row: row, why: refusal))
            case .success(let record):
                switch verb {
                case .retry:
                    ledger.requeue(record, by: who)
                    messages.append((row, record.message))
                case .drop: ledger.drop(record, by: who, at: moment)
                }
                outcome.done.append(OutboxOutcome.Done(row: row, to: record.message.to))
            }
        }
        return (outcome, messages)
    }

    private func record(
        _ row: RowID, for verb: OutboxVerb
    ) throws(LedgerFault) -> Result<OutgoingRecord, OutboxRefusal> {
        guard let record = try ledger.record(of: row) else { return .failure(.unknown) }
        switch record.state {
        case .sent: return .failure(.sent)
        case .dropped: return .failure(.dropped)
        case .waiting:
            guard !underWay.contains(row) else { return .failure(.leaving) }
            return verb == .drop ? .success(record) : .failure(.waiting)
        case .failed where verb == .drop: return .success(record)
        case .failed:
            // The acknowledgement that is still to come would be taken for that of the second try.
            guard !underWay.contains(row) else { return .failure(.leaving) }
            return record.isWhole ? .success(record) : .failure(.notWhole)
        }
    }
}
