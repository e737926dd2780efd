internal import BellhopBot
internal import BellhopJournal

/// Makes a trouble of a journal that cannot be written for more than a moment, and of its recovery.
///
/// Somebody else's short lock, as of a backup, is in the log and worth no message.
struct JournalWatch {
    /// How long rows may be held in memory before that is told.
    static let patience: Duration = .seconds(5)

    private enum State {
        /// Next: `held`, or `told` when memory is full.
        case well
        /// Next: `told`, or `well`.
        case held(since: Duration)
        /// Next: `well`.
        case told
    }

    private var state = State.well

    /// `reason` says why nothing can be written, where that is so.
    mutating func committed(_ outcome: CommitOutcome, reason: String?, now: Duration) -> Trouble? {
        switch (outcome, state) {
        case (.waiting, _), (.holding, .told), (.full, .told): return nil
        case (.holding, .well):
            state = .held(since: now)
            return nil
        case (.holding, .held(let since)) where now - since < Self.patience: return nil
        case (.holding, .held), (.full, .well), (.full, .held):
            state = .told
            return .journalHeld(reason: reason ?? "no reason known")
        case (.committed, .well), (.committed, .held), (.recovered, .well), (.recovered, .held):
            state = .well
            return nil
        case (.committed, .told), (.recovered, .told):
            state = .well
            return .journalRecovered
        }
    }
}
