internal import BellhopBot
internal import BellhopCrypto
internal import BellhopDiagnostics
internal import BellhopXMPP

/// What `check` prints of a configuration that is right: what it means, without secrets.
package enum ConfigurationSummary {
    /// One line for each fact, aligned.
    package static func text(_ loaded: LoadedConfiguration) -> String {
        var table = TextTable()
        for (name, value) in facts(loaded) { table.add([name, value]) }
        return table.text
    }

    /// The facts in order, by their names.
    package static func facts(_ loaded: LoadedConfiguration) -> [(name: String, value: String)] {
        let configuration = loaded.configuration
        return [("configuration", loaded.origin.description)] + account(loaded) + [
            ("admins", list(configuration.admins.map(\.bareText)))
        ] + roles(configuration.roles) + access(configuration.commands.access) + [
            ("presence", presence(configuration.presence))
        ] + subscriptions(configuration.subscriptions) + commands(configuration.commands)
            + programs(configuration.commands) + [
                (
                    "troubles",
                    "told to \(configuration.diagnostics.notified.map { list($0.map(\.bareText)) } ?? "the admins")"
                ),
                ("journal", "\(configuration.journal.path), durability \(configuration.journal.durability.rawValue)"),
            ] + care(configuration) + archive(configuration.archive) + [
                ("log lines", "\(configuration.diagnostics.level.name), \(configuration.diagnostics.format.rawValue)")
            ] + (configuration.custom?.facts ?? []).map { ($0.name, $0.value) }
    }

    private static func account(_ loaded: LoadedConfiguration) -> [(name: String, value: String)] {
        let account = loaded.configuration.account
        let domain = account.jid.domain
        let isEncrypted = account.connection.encryption == .required
        let server = account.server.map { "\($0.host), port \($0.port)\($0.directTLS ? ", direct TLS" : "")" }
        let nameServer = account.nameServer.map { [("name server", "\($0.address), port \($0.port)")] } ?? []
        return [
            ("JID", account.jid.bareText), ("resource", account.connection.resource),
            ("password", password(loaded.passwordSource)), ("stream domain", domain),
            (
                "server",
                server
                    ?? "what DNS says for \(domain) (_xmpps-client._tcp, _xmpp-client._tcp), else \(domain), port 5222"
            ),
        ] + nameServer + [
            ("encryption", isEncrypted ? "TLS required" : "off"),
            ("certificate name", isEncrypted ? domain : "none"),
            ("trust", trust(account.connection)),
        ] + (account.connection.certificate.file.map { [("own certificate", $0)] } ?? []) + [
            ("PLAIN", account.connection.allowsPlain ? "allowed" : "not allowed"),
            ("channel binding", account.connection.channelBinding.rawValue),
            ("jabber:iq:auth", account.connection.allowsLegacyLogin ? "allowed" : "not allowed"),
            ("SASL2", account.connection.sasl2 == .auto ? "where offered" : "off"),
            ("login limit", DurationText.show(account.connection.timeout)),
            ("ping", ping(account.connection.ping)),
            ("after an outage", outage(account.connection.reconnectSpread)),
        ]
    }

    private static func trust(_ connection: Configuration.Connection) -> String {
        let pins = connection.pins.map(\.description).joined(separator: " or ")
        return switch (connection.authorities, connection.pins.isEmpty) {
        case (nil, true): "the system's authorities"
        case (let file?, true): file
        case (nil, false): "the key \(pins) alone"
        case (let file?, false): "\(file), and the key \(pins)"
        }
    }

    private static func outage(_ spread: Duration) -> String {
        spread == .zero ? "back at once" : "back at a random moment within \(DurationText.show(spread))"
    }

    private static func ping(_ ping: Configuration.Ping) -> String {
        guard let every = ping.every else { return "off" }
        return "after \(DurationText.show(every)) of silence, answer within \(DurationText.show(ping.timeout))"
    }

    private static func password(_ source: SecretSource) -> String {
        switch source {
        case .plain(let secret): secret.reveal().isEmpty ? "none; the certificate has to do" : "given"
        case .environment(let name): "from the variable \(name)"
        case .file(let path): "from the file \(path)"
        case .command(let arguments): "from the program \(arguments.first ?? "")"
        case .credential(let name): "from the credential \(name)"
        }
    }

    private static func roles(_ roles: [RoleDefinition]) -> [(name: String, value: String)] {
        roles.enumerated().map { index, role in
            (name: index == 0 ? "roles" : "", value: "\(role.role): \(list(role.members.map(\.description)))")
        }
    }

    private static func access(_ overrides: [AccessOverride]) -> [(name: String, value: String)] {
        overrides.enumerated().map { index, override in
            let whom =
                switch override.audience {
                case .everybody: "open"
                case .roles(let roles): list(roles.map(\.name))
                }
            return (name: index == 0 ? "access" : "", value: "\(override.command): \(whom)")
        }
    }

    private static func presence(_ presence: Availability) -> String {
        let status = presence.status.map { ", \($0)" } ?? ""
        return "\(presence.show.rawValue)\(status), priority \(presence.priority)"
    }

    private static func subscriptions(
        _ subscriptions: Configuration.Subscriptions
    ) -> [(name: String, value: String)] {
        let rules = subscriptions.rules.enumerated().map { index, rule in
            (
                name: index == 0 ? "requests" : "",
                value: "\(index): \(rule.match) \(rule.action.rawValue)\(extras(rule))"
            )
        }
        let fallback = (name: rules.isEmpty ? "requests" : "", value: "default: \(subscriptions.fallback.rawValue)")
        let limit = subscriptions.limitPerDomain.map(limit) ?? "off"
        return rules + [
            fallback, ("limit per domain", limit),
            ("greeting", subscriptions.greeting == nil ? "none" : "given"),
        ]
    }

    private static func extras(_ rule: Configuration.Subscriptions.Rule) -> String {
        let group = rule.group.map { ", group \($0)" } ?? ""
        switch rule.limit {
        case .inherited: return group
        case .off: return group + ", no limit"
        case .some(let limit): return group + ", " + Self.limit(limit)
        }
    }

    private static func limit(_ limit: Configuration.Subscriptions.Limit) -> String {
        "\(limit.count) in \(DurationText.show(limit.per))"
    }

    private static func commands(_ commands: Configuration.Commands) -> [(name: String, value: String)] {
        [
            (
                "commands",
                "prefix \(commands.prefix), at most \(DurationText.show(commands.maxAge)) old, "
                    + "time limit \(DurationText.show(commands.timeout)), input limit \(commands.inputLimit) bytes, "
                    + "loop brake \(commands.loopBrake.map { "\($0)" } ?? "off"), "
                    + "language \(commands.language ?? "any")"
            ),
            ("answers", answers(commands)),
        ]
    }

    private static func programs(_ commands: Configuration.Commands) -> [(name: String, value: String)] {
        commands.list.enumerated().map { index, command in
            let whom = command.roles.map { list($0.map(\.name)) } ?? "everybody"
            let limit = DurationText.show(command.timeLimit ?? commands.timeout)
            return (
                name: index == 0 ? "programs" : "",
                value: "\(command.name): \(command.run.program), for \(whom), time limit \(limit)"
            )
        }
    }

    private static func answers(_ commands: Configuration.Commands) -> String {
        let typing = "typing \(commands.typing ? "shown" : "not shown")"
        guard let characters = commands.output.characters else { return "whole, \(typing)" }
        let messages = commands.output.messages
        return
            "at most \(messages) \(messages == 1 ? "message" : "messages") of \(characters) characters at once, \(typing)"
    }

    /// Only what differs from keeping everything in one file.
    private static func care(_ configuration: Configuration) -> [(name: String, value: String)] {
        let journal = configuration.journal
        var facts: [(name: String, value: String)] = []
        if !journal.bodies { facts.append(("texts", "not kept")) }
        if let keep = journal.keep { facts.append(("messages", "kept for \(DurationText.show(keep))")) }
        if let every = journal.backup.every {
            let value =
                "every \(DurationText.show(every)), \(journal.backup.keep) kept, in \(configuration.backupFolder)"
            facts.append(("backups", value))
        }
        return facts
    }

    /// Likewise.
    private static func archive(_ archive: Configuration.Archive) -> [(name: String, value: String)] {
        guard archive.catchUp else { return [("archive", "not read")] }
        return archive.onFirstLogin.map {
            [("archive", "read at the first login for the last \(DurationText.show($0))")]
        }
            ?? []
    }

    private static func list(_ texts: [String]) -> String { texts.isEmpty ? "nobody" : texts.joined(separator: ", ") }
}
