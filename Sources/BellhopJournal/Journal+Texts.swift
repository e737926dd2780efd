/// Texts that are not kept: they stay as long as a message waits to be run or to be sent, and go then.
extension Journal {
    /// How long a text that is gone from its row may still be in the write-ahead log.
    static let wipeDelay = Duration.seconds(60)

    /// Messages that are known to be sent, and whose text goes with the mark that says so.
    var sentTexts: [PendingText] { unsentTexts.isEmpty ? [] : unsentTexts.filter(isSent) }

    private func isSent(_ text: PendingText) -> Bool {
        accounts.contains { $0.id.number == text.account && text.number <= $0.sent.value }
    }

    /// Brings what is known of texts in line with what was just committed.
    func settleTexts(progress: Bool, now: Duration) {
        if progress, !sentTexts.isEmpty {
            unsentTexts.removeAll(where: isSent)
            if wipeDue == nil { wipeDue = now + Self.wipeDelay }
        }
        guard !transient.isEmpty else { return }
        for row in backlog.rows where row.isTransient && row.direction == .incoming && !row.state.isOpen {
            transient.remove(row.number)
        }
        for change in backlog.changes where !change.state.isOpen && transient.remove(change.number) != nil {
            if wipeDue == nil { wipeDue = now + Self.wipeDelay }
        }
    }

    /// Has the write-ahead log emptied, in which older pages still hold the texts.
    func wipe() {
        wipeDue = nil
        checkpointer.empty()
    }
}
