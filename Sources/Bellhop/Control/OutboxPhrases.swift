internal import BellhopBot
internal import BellhopDiagnostics

/// What `outbox` says to the person at the command line.
enum OutboxPhrases {
    /// Why messages wait.
    static func hold(_ hold: OutboxHold) -> String {
        switch hold {
        case .paused: "the bot is paused"
        case .offline(let reason):
            "the bot is not connected" + (reason.map { " (\(VisibleText.oneLine($0)))" } ?? "")
        case .notRunning: "the bot is not running"
        }
    }

    static func more(_ count: Int) -> String {
        "\(count) older ones are not shown; --to and --since narrow it down."
    }

    /// What was done.
    static func changed(_ outcome: OutboxOutcome, hold: OutboxHold?) -> String {
        guard outcome.done.count + outcome.refused.count > 0 else { return "Nothing came back in that time.\n" }
        let what: String
        if outcome.done.count == 1, let done = outcome.done.first {
            what = "Message \(done.row) to \(done.to.bareText) is"
        } else {
            what = "\(outcome.done.count) messages are"
        }
        let text: String
        switch outcome.verb {
        case .drop: text = "\(what) given up."
        case .retry:
            // What nothing was done about waits for nothing.
            let reason = outcome.done.isEmpty ? nil : hold
            text = "\(what) sent again" + (reason.map { " once that is over: \(Self.hold($0))." } ?? ".")
        }
        return text + (Phrases.left(outcome).map { " " + $0 } ?? "") + "\n"
    }

    /// Why nothing was done about the one message that was meant; nil where something was, or all were meant.
    static func trouble(_ outcome: OutboxOutcome, _ choice: OutboxChoice) -> String? {
        guard case .number = choice, let refused = outcome.refused.first else { return nil }
        return Phrases.refusal(refused.row, refused.why, outcome.verb)
    }
}
