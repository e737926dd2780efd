internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXMPP

/// The outbox in the journal of a bot that does not run: what is retried leaves at its next start.
struct StoredOutbox {
    let configuration: Configuration
    let log: Log

    /// Reads the journal, which somebody else may have open.
    func list(_ filter: Invocation.OutboxFilter) -> ErrandOutcome {
        do throws(JournalError) {
            let account = configuration.account.jid.bareText
            let reader = try JournalReader(path: configuration.journal.path)
            let page = try reader.outbox(
                of: account, to: filter.to?.bareText, since: now - filter.since, failedOnly: filter.failedOnly,
                limit: Outbox.limit)
            let underWay = try reader.keptStream(of: account).map(Self.rows) ?? []
            let listing = Outbox.noting(underWay, in: OutboxListing(page))
            return .answered(
                .outbox(listing.entries.map { OutboxRow($0, hold: .notRunning) }, more: listing.more))
        } catch .cannotOpen(_, .fileMissing) {
            return .answered(.outbox([], more: 0))
        } catch {
            return .journal(error)
        }
    }

    func change(
        _ verb: OutboxVerb, _ choice: OutboxChoice, _ filter: Invocation.OutboxFilter
    ) -> ErrandOutcome {
        let path = configuration.journal.path
        // A journal is not made for this.
        guard SystemFile.exists(path) else {
            return .answered(.changedOutbox(nothing(verb, choice), hold: .notRunning))
        }
        do throws(JournalError) {
            let account = configuration.account.jid.bareText
            let journal = try Journal(
                path: path, accounts: [account], options: configuration.journalOptions, log: log)
            guard let number = journal.account(account) else { return .interrupted }
            let moment = Moment(now: MonotonicClock.now(), clock: now)
            let underWay = try journal.keptStream(account: number).map(Self.rows) ?? []
            let outbox = Outbox(ledger: JournalLedger(journal: journal, account: number), underWay: underWay)
            let answer = change(outbox, verb, choice, filter, at: moment)
            let isWhole = journal.close(now: MonotonicClock.now())
            return .answered(isWhole ? answer : .failed(.journalFull))
        } catch {
            return .journal(error)
        }
    }

    private func change(
        _ outbox: Outbox, _ verb: OutboxVerb, _ choice: OutboxChoice, _ filter: Invocation.OutboxFilter,
        at moment: Moment
    ) -> ControlAnswer {
        do throws(LedgerFault) {
            let (outcome, _) = try outbox.change(
                verb, choice, filter.asOf(moment.clock), by: BotHouse.commandLine, at: moment)
            return .changedOutbox(outcome, hold: .notRunning)
        } catch {
            return ControlAnswer(error)
        }
    }

    private func nothing(_ verb: OutboxVerb, _ choice: OutboxChoice) -> OutboxOutcome {
        guard case .number(let row) = choice else { return OutboxOutcome(verb: verb) }
        return OutboxOutcome(verb: verb, refused: [OutboxOutcome.Refused(row: row, why: .unknown)])
    }

    /// What was under way when the bot ended; only its next run learns what arrived.
    private static func rows(_ stream: String) -> Set<BellhopBot.RowID> {
        Set(StoredStream(text: stream)?.queue.rows ?? [])
    }

    private var now: Timestamp { Timestamp(milliseconds: WallClock.milliseconds()) }
}
