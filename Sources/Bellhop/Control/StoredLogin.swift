internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopJournal
internal import BellhopTransport

/// What the journal of a bot that does not run knows of its logins.
struct StoredLogin {
    let configuration: Configuration
    let log: Log

    /// Forgets that the server once proved that it knows the password, and the tokens that it gave out.
    func reset() -> ErrandOutcome {
        let path = configuration.journal.path
        // A journal is not made for this.
        guard SystemFile.exists(path) else { return .answered(.resetLogin(after: nil)) }
        do throws(JournalError) {
            let account = configuration.account.jid.bareText
            let journal = try Journal(
                path: path, accounts: [account], options: configuration.journalOptions, log: log)
            guard let number = journal.account(account) else { return .interrupted }
            let ledger = JournalLedger(journal: journal, account: number)
            let proof = try ledger.proof()
            ledger.forgetLogins()
            let isWhole = journal.close(now: MonotonicClock.now())
            return .answered(isWhole ? .resetLogin(after: proof?.rawValue) : .failed(.journalFull))
        } catch {
            return .journal(error)
        }
    }

    /// The mechanism of that proof, read beside whoever writes the journal; nil where nothing is known yet.
    func proof() throws(JournalError) -> SASLMechanism? {
        let path = configuration.journal.path
        guard SystemFile.exists(path) else { return nil }
        do throws(JournalError) {
            let record = try JournalReader(path: path).login(of: configuration.account.jid.bareText)
            return record.map { SASLMechanism(rawValue: $0.mechanism) ?? .scramSHA1 }
        } catch .older {
            return nil
        }
    }
}
