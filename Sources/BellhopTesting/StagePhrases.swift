/// Every sentence that a stage says to a bot's author.
enum StagePhrases {
    static func sentence(_ error: StageError) -> String {
        switch error {
        case .mistakes(let lines): "The bot cannot start:\n" + lines.joined(separator: "\n")
        case .missing(let wanted, let reason, let instead, let log):
            "Waited for \(wanted), but \(reason)." + list(" Meanwhile", instead)
                + list(" The bot logged last", log)
        case .notRunning(let what): "The bot does not run, so it cannot \(what). Call restart() first."
        case .runsAlready: "The bot runs already. Call kill() or stop() before restart()."
        case .noName(let name): "“\(name)” is no name for a person: \(nameRule)."
        case .machine(let reason): "The machine does not give what the stage needs: \(reason)."
        }
    }

    private static let nameRule = "take letters and digits, like “alice”, or an address, like “bob@example.org”"

    private static func list(_ introduction: String, _ items: [String]) -> String {
        guard !items.isEmpty else { return "" }
        return introduction + ": " + items.joined(separator: "; ") + "."
    }

    static func impatient(_ patience: Duration) -> String { "it did not come in \(patience)" }
    static let cancelled = "the test was cancelled"
    static let killed = "the bot was killed and not started again"
    static func ended(_ code: Int32) -> String { "the bot has ended with exit code \(code)" }

    // What is waited for.
    static func nextMessage(to name: String) -> String { "a message to \(name)" }
    static let online = "the bot to be online"
    static let start = "the bot to start"
    static let end = "the bot to end"
    static let quiet = "the bot to have nothing left to do"
    static let answer = "the bot to answer a ping"

    static func isOnline(_ isOnline: Bool) -> String {
        isOnline ? "the bot is online" : "the bot is not online"
    }

    static func heard(_ bodies: [String], _ person: String) -> String {
        "\(person) heard last " + bodies.map { "“\($0)”" }.joined(separator: ", ")
    }
}
