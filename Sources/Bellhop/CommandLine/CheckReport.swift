/// What a right configuration means, without secrets.
enum CheckReport {
    static func text(_ loaded: LoadedConfiguration) -> String {
        let configuration = loaded.configuration
        let account = configuration.account
        let server = account.server.map { "\($0.host):\($0.port)" } ?? "what DNS says for \(account.jid.domain)"
        var rows: [(name: String, value: String)] = [
            ("configuration", loaded.origin.description),
            ("account", "\(account.jid) as \(account.connection.resource)"),
            ("stream and certificate", account.jid.domain),
            ("server", server),
            ("encryption", account.connection.encryption == .required ? "required" : "off (this machine only)"),
            ("authorities", account.connection.authorities ?? "the system's"),
            ("admins", configuration.admins.isEmpty ? "none" : configuration.admins.map(\.description).joined(separator: ", ")),
            ("subscriptions", "\(configuration.subscriptions.rules.count) rules, then \(configuration.subscriptions.fallback.rawValue)"),
            ("command prefix", configuration.commands.prefix),
            ("journal", "\(configuration.journal.path) (\(configuration.journal.durability.rawValue))"),
        ]
        rows += loaded.notes.map { ("note", $0) }
        let width = rows.map(\.name.count).max() ?? 0
        let lines = rows.map { "\($0.name)\(String(repeating: " ", count: width - $0.name.count + 2))\($0.value)" }
        return lines.joined(separator: "\n") + "\nThe configuration is right.\n"
    }
}
