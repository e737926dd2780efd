import EndToEndSupport

/// What a run prints.
enum Report {
    /// One line for what was done, and a table of what was counted.
    static func text(_ options: ChaosOptions, _ tally: Tally, _ breaches: [Breach], took: Duration) -> String {
        let rows = [
            ("acknowledged to their senders", tally.acknowledged),
            ("  written anew by people under the same id", tally.repetitions),
            ("  came back as errors", tally.bounced),
            ("  lost by the server: in no archive, not delivered", tally.lostByServer),
            ("in the log", tally.logged),
            ("answered", tally.answered),
            ("called interrupted", tally.interrupted),
            ("lost by the server behind the bot", tally.undelivered),
            ("lines of effects", tally.effects),
            ("answers found in the archive only", tally.fromArchive),
            ("messages that the bot wrote more than once", tally.writtenAgain),
            ("  of these, covered by a count as far as traced", tally.writtenThoughCovered),
            ("  delivered again because of that, same id", tally.secondByBot),
            ("delivered again by the server alone, same id", tally.secondByServer),
            ("sessions that people resumed", tally.resumptions),
            ("sessions that people had to begin anew", tally.newSessions - Schedule.people),
        ]
        var lines = [
            "chaos: seed \(options.seed), \(options.server.rawValue): \(options.messages) messages of \(Schedule.people) "
                + "people, \(options.kills) kills, \(options.cuts) cuts, \(options.serverDeaths) deaths of the server; "
                + "\(took.components.seconds) s"
        ]
        for (words, count) in rows {
            let number = String(count)
            lines.append(
                words + String(repeating: " ", count: max(1, 54 - words.count - number.count)) + number)
        }
        for kind in Breach.Kind.allCases {
            let found = breaches.filter { $0.kind == kind }
            if !found.isEmpty { lines.append("BREACH: \(found.count) \(kind.rawValue)") }
        }
        for breach in breaches {
            lines.append("\(breach.message ?? "the run"): \(breach.kind.rawValue)")
            lines += breach.details.map { "    \($0)" }
        }
        lines.append(breaches.isEmpty ? "the bot lost nothing, and did nothing twice" : again(options))
        return lines.joined(separator: "\n")
    }

    private static func again(_ options: ChaosOptions) -> String {
        "the same again: scripts/chaos --seed \(options.seed) --messages \(options.messages) --kills \(options.kills) "
            + "--cuts \(options.cuts) --server-deaths \(options.serverDeaths) --server \(options.server.rawValue)"
    }
}
