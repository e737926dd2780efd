import BellhopBot
import BellhopJournal
import Testing

@testable import Bellhop

@Suite("Watching the journal")
struct JournalWatchTests {
    struct Step: Sendable {
        var outcome: CommitOutcome
        var second: Int64
        var trouble: Trouble?
    }

    static let held = Trouble.journalHeld(reason: "disk full")
    static let stories: [[Step]] = [
        // A short lock.
        [
            Step(outcome: .committed, second: 0), Step(outcome: .waiting(since: .seconds(1)), second: 1),
            Step(outcome: .holding, second: 2), Step(outcome: .holding, second: 6),
            Step(outcome: .recovered, second: 7),
            Step(outcome: .holding, second: 8), Step(outcome: .committed, second: 20),
        ],
        // A full disk, told once, and its end.
        [
            Step(outcome: .holding, second: 2), Step(outcome: .holding, second: 7, trouble: held),
            Step(outcome: .holding, second: 8), Step(outcome: .full, second: 9),
            Step(outcome: .recovered, second: 10, trouble: .journalRecovered), Step(outcome: .committed, second: 11),
        ],
        // Full memory is told at once.
        [
            Step(outcome: .holding, second: 2), Step(outcome: .full, second: 3, trouble: held),
            Step(outcome: .holding, second: 9), Step(outcome: .committed, second: 10, trouble: .journalRecovered),
        ],
        [Step(outcome: .full, second: 0, trouble: held)],
    ]

    @Test("a short lock is no trouble, a long one is told once, and so is its end", arguments: stories)
    func story(steps: [Step]) {
        var watch = JournalWatch()
        for step in steps {
            let trouble = watch.committed(step.outcome, reason: "disk full", now: .seconds(step.second))
            #expect(trouble == step.trouble, "\(step)")
        }
    }
}
