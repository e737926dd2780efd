internal import BellhopBot
internal import BellhopJournal
internal import BellhopXMPP

/// The pause in the journal: that there is one, and what waits for its end.
extension JournalLedger {
    private static let pauseKey = "pause"

    func storedPause() -> Pause? {
        guard let text = try? journal.value(Self.pauseKey) else { return nil }
        let parts = text.split(separator: " ", maxSplits: 1)
        guard let since = parts.first.flatMap({ Timestamp(String($0)) }) else { return nil }
        return Pause(since: since, by: parts.count > 1 ? String(parts[1]) : "nobody known")
    }

    func store(_ pause: Pause?) {
        journal.set(Self.pauseKey, pause.map { "\($0.since.description) \($0.by)" })
    }

    func unfinished() -> [UnfinishedMessage]? { try? unfinishedCommands() }

    /// How many messages wait to be sent; nil when the journal cannot say.
    var queuedCount: Int? { try? journal.queuedCount(account) }

    var loggedCount: Int { journal.loggedCount }
}
