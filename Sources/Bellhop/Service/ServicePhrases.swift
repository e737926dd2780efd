/// What an operator hears of the bot as a service: in the log, from systemd, and as an admin in the chat.
enum ServicePhrases {
    // MARK: Reading the configuration again

    static func reloaded(_ changes: ConfigurationChanges) -> String {
        if !changes.postponed.isEmpty {
            return "The configuration was read again; what is named under restart holds from the next start on"
        }
        return changes.applied.isEmpty
            ? "The configuration was read again; nothing in it has changed" : "The configuration was read again"
    }

    static func fields(_ changes: ConfigurationChanges) -> KeyValuePairs<String, String> {
        let (applied, postponed) = (list(changes.applied), list(changes.postponed))
        if postponed.isEmpty { return applied.isEmpty ? [:] : ["changed": applied] }
        return applied.isEmpty ? ["restart": postponed] : ["changed": applied, "restart": postponed]
    }

    static let reloadRefused =
        "The configuration is wrong and was not applied; the bot goes on with the one that it has"
    static let reloadsWait = "Too many wait already for the configuration to be read again; ask once more in a moment"

    static let nothingToReload = "This program has no configuration that it could read again"

    private static func list(_ keys: [String]) -> String { keys.joined(separator: ", ") }

    // MARK: At the start

    static func runsAsRoot(bot: String) -> String {
        "\(bot) runs as root, and so would everything that it starts; let a user of its own run it "
            + "(sudo scripts/install \(bot) makes one)"
    }

    // MARK: systemctl status

    static func connecting(to place: String) -> String { "Connecting to \(place)" }

    static func online(as jid: String) -> String { "Online as \(jid)" }

    static func offline(_ reason: String, retry: Duration?) -> String {
        let next = retry.map { "next attempt in \($0.components.seconds + 1) s" } ?? "no further attempt"
        return "Not connected: \(reason); \(next)"
    }

    static let stopping = "Stopping; running commands may finish"
    static let reloading = "Reading the configuration again"

    // MARK: To admins

    /// What became of `reload`. A line for each problem, at most ten.
    static func answer(_ outcome: ReloadOutcome) -> String {
        switch outcome {
        case .done(let changes):
            var sentence = reloaded(changes) + "."
            if !changes.applied.isEmpty { sentence += " Changed: \(list(changes.applied))." }
            if !changes.postponed.isEmpty { sentence += " Restart: \(list(changes.postponed))." }
            return sentence
        case .refused(let problems):
            let more = problems.count > 10 ? ["and \(problems.count - 10) more"] : []
            return ([reloadRefused + ":"] + problems.prefix(10) + more).joined(separator: "\n")
        }
    }

    static func upgraded(_ program: String, from old: String, to new: String) -> String {
        "\(program) was changed from version \(old) to \(new), and is online."
    }
}
