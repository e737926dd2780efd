internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXMPP

/// Begins or ends a pause in the journal of a bot that does not run, and so finds it at its next start.
struct StoredPause {
    let configuration: Configuration
    let log: Log

    func begin() -> ErrandOutcome {
        change { ledger in
            if let pause = ledger.storedPause() { return .paused(since: pause.since, by: pause.by, isNew: false) }
            let pause = Pause(since: Timestamp(milliseconds: WallClock.milliseconds()), by: BotHouse.commandLine)
            ledger.store(pause)
            return .paused(since: pause.since, by: pause.by, isNew: true)
        }
    }

    /// What waits is for the next start to decide, so nothing is counted here.
    func end() -> ErrandOutcome {
        change { ledger in
            guard ledger.storedPause() != nil else { return .notPaused }
            ledger.store(nil)
            return .resumed(run: 0, late: 0)
        }
    }

    private func change(_ change: (JournalLedger) -> ControlAnswer) -> ErrandOutcome {
        do throws(JournalError) {
            let account = configuration.account.jid.bareText
            let journal = try Journal(
                path: configuration.journal.path, accounts: [account], options: configuration.journalOptions, log: log)
            guard let number = journal.account(account) else { return .interrupted }
            let answer = change(JournalLedger(journal: journal, account: number))
            let isWhole = journal.close(now: MonotonicClock.now())
            return .answered(isWhole ? answer : .failed(.journalFull))
        } catch {
            return .journal(error)
        }
    }
}
