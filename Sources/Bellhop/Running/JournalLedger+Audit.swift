internal import BellhopBot
internal import BellhopJournal
internal import BellhopXMPP

/// The audit of the desk, in the rows of the journal.
extension JournalLedger {
    func audit(_ entry: AuditEntry) {
        journal.audit(
            AuditRecord(
                row: BellhopJournal.RowID(entry.row), account: account, at: entry.at, jid: entry.person.bareText,
                command: entry.command, typed: entry.typed, rule: entry.rule, outcome: entry.outcome.word,
                code: entry.outcome.code, duration: entry.duration.map(Self.milliseconds)))
    }

    func closeAudit(_ row: BellhopBot.RowID, _ outcome: AuditOutcome, after duration: Duration?) {
        journal.closeAudit(
            BellhopJournal.RowID(row), outcome.word, code: outcome.code, duration: duration.map(Self.milliseconds))
    }

    /// Empty where the journal cannot be read; its log line says why.
    func audited(last: Int) -> [AuditEntry] {
        ((try? journal.audited(last: last)) ?? []).compactMap(AuditEntry.init)
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds.multipliedReportingOverflow(by: 1_000).partialValue &+ attoseconds / 1_000_000_000_000_000
    }
}

extension AuditEntry {
    /// Nil for a row that this program cannot make sense of.
    fileprivate init?(_ record: AuditRecord) {
        guard let person = try? JID(received: record.jid),
            let outcome = AuditOutcome(word: record.outcome, code: record.code)
        else { return nil }
        self.init(
            row: record.row.number, person: person.bare, command: record.command, typed: record.typed, at: record.at,
            rule: record.rule, outcome: outcome, duration: record.duration.map { .milliseconds($0) })
    }
}
