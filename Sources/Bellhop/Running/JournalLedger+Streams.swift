internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopJournal

/// What resuming the stream takes, as text in the journal.
extension JournalLedger {
    func keep(_ stream: StoredStream?) { journal.keepStream(stream?.text, account: account) }

    /// The stream of the last run; nil when it ended properly, or when nothing can be made of what was kept.
    func keptStream() throws(JournalError) -> StoredStream? {
        try journal.keptStream(account: account).flatMap { StoredStream(text: $0) }
    }
}
