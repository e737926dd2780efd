internal import BellhopEngine
internal import BellhopJournal
internal import BellhopXMPP

/// That the server once proved that it knows the password, so that it is never shown to whoever cannot.
extension JournalLedger {
    func note(proof mechanism: SASLMechanism, at clock: Timestamp) {
        journal.keepLogin(LoginRecord(mechanism: mechanism.rawValue, provedAt: clock), account: account)
    }

    /// Forgets what logins have left, tokens included.
    func forgetLogins() {
        journal.keepLogin(nil, account: account)
        forgetTokens()
    }

    /// The mechanism of that proof; nil where there was none, or nobody wants to know of it any more.
    func proof() throws(JournalError) -> SASLMechanism? {
        try journal.login(account: account).map { SASLMechanism(rawValue: $0.mechanism) ?? .scramSHA1 }
    }
}
