internal import BellhopDiagnostics
internal import BellhopXMPP

/// The one list of keys: the reader, its suggestions and the tests of the documentation all go by it.
package enum ConfigurationKeys {
    private typealias Key = ConfigurationKey<ConfigurationDraft>
    private typealias RuleKey = ConfigurationKey<RuleDraft>
    static let day: Duration = .seconds(86_400)
    private static let limitForm = "\"off\", or an object with count and per"

    /// The sections, in the order of the documentation.
    package static let sections = [
        "account", "admins", "roles", "presence", "subscriptions", "commands", "journal", "archive", "diagnostics",
        "bot",
    ]

    static let all: [ConfigurationKey<ConfigurationDraft>] = {
        let fresh = ConfigurationDraft()
        return account(fresh) + sending(fresh) + [admins(fresh), roles(fresh)] + presence(fresh) + subscriptions(fresh)
            + commands(fresh) + journal(fresh) + archive(fresh) + diagnostics(fresh) + [bot(fresh)]
    }()

    /// Every key as the documentation has it, those of a rule as `subscriptions.rules[].match`.
    package static let documentation: [Documentation] = all.flatMap { key in
        let entry = Documentation(key)
        switch key.path {
        case "subscriptions.rules":
            return [entry] + rule.map { Documentation($0, under: "subscriptions.rules[].") }
        case "commands.list":
            return [entry]
                + program.flatMap { key in
                    let entry = Documentation(key, under: "commands.list[].")
                    guard key.path == "arguments" else { return [entry] }
                    return [entry]
                        + programArgument.map { Documentation($0, under: "commands.list[].arguments[].") }
                }
        default: return [entry]
        }
    }

    /// What is read at the start only: the account's login, the journal's file, and how log lines are written.
    private static let fixed = ["account", "journal", "diagnostics.format"]

    /// Whether a change of that key counts only from the next start on.
    package static func needsRestart(_ path: String) -> Bool {
        fixed.contains { path == $0 || path.hasPrefix($0 + ".") }
    }

    /// What a person should know about a key.
    package struct Documentation: Equatable, Sendable {
        package var path: String
        package var wanted: String
        /// The default, as it would stand in the file, or a word like `none`.
        package var standard: String
        package var example: String
        package var meaning: String

        fileprivate init<Target>(_ key: ConfigurationKey<Target>, under prefix: String = "") {
            path = prefix + key.path
            wanted = key.wanted
            standard = key.standard
            example = key.example
            meaning = key.meaning
        }
    }

    /// The path with the numbers of a list's elements left out.
    package static func pattern(of path: String) -> String { path.replacing(/\[[0-9]+\]/, with: "[]") }

    private static func account(_ fresh: ConfigurationDraft) -> [Key] {
        [
            Key(
                optional: "account.jid", .account, \.jid, in: fresh, example: "\"bot@example.org\"",
                "The bot's address, without a resource."
            ).standing(for: "required"),
            Key(
                optional: "account.password", .secret, \.password.plain, in: fresh, example: "\"a b#c\"",
                "The password, either as it is or from one of the four places below; as it is, only in a file that nobody "
                    + "else can read (mode 0600)."
            ).standing(for: "required"),
            Key(
                optional: "account.password.env", .variable, \.password.environment, in: fresh,
                example: "\"BELLHOP_PASSWORD\"", "The environment variable that holds it."),
            Key(
                optional: "account.password.file", .path, \.password.file, in: fresh, example: "\"password.txt\"",
                "The file that holds it; one newline at the end is cut off. `register` makes it where it is not there, and "
                    + "`passwd` changes it."),
            Key(
                optional: "account.password.command", .command, \.password.command, in: fresh,
                example: "[\"pass\", \"show\", \"bot\"]",
                "The program that prints it, with its arguments; run without a shell, for at most 10 seconds."),
            Key(
                optional: "account.password.credential", .credential, \.password.credential, in: fresh,
                example: "\"password\"", "The systemd credential that holds it (`LoadCredential=`)."),
            Key(
                optional: "account.server", .server, \.server.whole, in: fresh, example: "\"xmpp.example.org:5222\"",
                "Where to connect, if DNS does not say so: host, or host and port; with `xmpps://` in front, TLS comes first "
                    + "(port 5223 if none is written). Certificate and stream still go by the domain of the address."
            ).standing(for: "from DNS"),
            Key(
                optional: "account.server.host", .host, \.server.host, in: fresh, example: "\"192.0.2.1\"",
                "The same in parts: a host name or an IP address."),
            Key(
                optional: "account.server.port", .port, \.server.port, in: fresh, example: "5224",
                "The port of that host."
            ).standing(for: "5222, or 5223 with directTLS"),
            Key(
                "account.server.directTLS", .bool, \.server.directTLS, in: fresh, example: "true",
                "Whether TLS comes first there, as on port 5223, and not after STARTTLS."),
            Key(
                optional: "account.nameServer", .nameServer, \.nameServer, in: fresh, example: "\"192.0.2.53\"",
                "The name server that is asked where the domain's server is: an IP address, or address and port."
            ).standing(for: "the system's"),
            Key(
                "account.resource", .resource, \.connection.resource, in: fresh, example: "\"night\"",
                "The name of this connection among those of the account; the server may choose another."),
            Key(
                "account.timeout", .duration(.seconds(1) ... .seconds(600)), \.connection.timeout, in: fresh,
                example: "\"20s\"", "How long a whole login may take."),
            Key(
                optional: "account.trust.ca", .path, \.connection.authorities, in: fresh, example: "\"ca.pem\"",
                "A PEM file with the certificate authorities to trust, in place of the system's."
            ).standing(for: "the system's"),
            Key(
                "account.trust.pins", .pins, \.connection.pins, in: fresh,
                example: "[\"sha256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"]",
                "The keys that the server may have, as the bot prints them when it refuses a certificate. Without `ca` the key "
                    + "alone proves the server, with `ca` both must hold."),
            Key(
                optional: "account.certificate.file", .path, \.connection.certificate.file, in: fresh,
                example: "\"bot.pem\"",
                "A PEM file with the bot's own certificate, for a server that asks for one, and the authorities between it and "
                    + "the root. With one that the server takes for the account's (SASL EXTERNAL) `account.password` may be left "
                    + "out. It proves nothing of the server: where `account.channelBinding` is `\"required\"` and there is a "
                    + "password, the password is used."),
            Key(
                optional: "account.certificate.key", .path, \.connection.certificate.key, in: fresh,
                example: "\"bot.key\"", "The PEM file with its key, which must not be encrypted."
            ).standing(for: "the same file"),
            Key(
                "account.tls", .word, \.connection.encryption, in: fresh, example: "\"off\"",
                "`\"off\"` connects without encryption, and only to a server on this machine."),
            Key(
                "account.allowPlain", .bool, \.connection.allowsPlain, in: fresh, example: "true",
                "Whether the password itself may be sent to the server (SASL PLAIN) where it knows nothing better."),
            Key(
                "account.channelBinding", .word, \.connection.channelBinding, in: fresh, example: "\"required\"",
                "Whether the login is bound to the TLS connection (SCRAM-PLUS), which finds out whoever sits between with a "
                    + "certificate that is trusted: `\"auto\"` where the server says how, `\"required\"` always or there is no "
                    + "login, `\"off\"` never, for a server whose TLS ends at a proxy."),
            Key(
                "account.allowLegacyLogin", .bool, \.connection.allowsLegacyLogin, in: fresh, example: "true",
                "Whether the login of 1999 (jabber:iq:auth) may be used where the server has nothing else that can be used; "
                    + "what it sends can be searched for the password."),
            Key(
                "account.sasl2", .word, \.connection.sasl2, in: fresh, example: "\"off\"",
                "The newer login of XEP-0388, which Prosody has by community modules: `\"auto\"` uses it where the server offers it, "
                    + "`\"off\"` never. It saves steps, most of all when a stream broke. Where the server gives out tokens, the next "
                    + "login shows one in place of the password, and the journal holds it. Where `archive.catchUp` is on, the server "
                    + "then makes the bot's resource of `account.resource` and a part of its own, like `bellhop~3fa8`; say `\"off\"` if "
                    + "something needs the resource to be exactly what you wrote."),
        ] + line(fresh)
    }

    private static func bot(_ fresh: ConfigurationDraft) -> Key {
        Key(
            optional: "bot", .object, \.bot, in: fresh, example: "{\"restart\": [\"nginx.service\"]}",
            "The bot's own settings; what may stand in here is the bot's to say."
        ).comparing { $0.custom != $1.custom }
    }

    private static func admins(_ fresh: ConfigurationDraft) -> Key {
        Key(
            "admins", .addresses, \.admins, in: fresh, example: "[\"you@example.org\"]",
            "Who may run every command, answers requests and is always accepted as a contact.")
    }

    private static func roles(_ fresh: ConfigurationDraft) -> Key {
        Key(
            "roles", .roles, \.roles, in: fresh, example: "{\"ops\": [\"alice@example.org\", \"group:Friends\"]}",
            "Who has which role: addresses, domains and patterns as in `subscriptions.rules[].match`, and `group:NAME` for "
                + "those in a group of the bot's roster.")
    }

    /// The keys of one command in `commands.access`.
    static let access: [ConfigurationKey<AccessParts>] = {
        let fresh = AccessParts()
        return [
            ConfigurationKey(
                optional: "allow", .mentions, \.allowed, in: fresh, example: "[\"ops\"]",
                "The roles that may run it, besides the admins."),
            ConfigurationKey(
                optional: "open", .bool, \.isOpen, in: fresh, example: "true", "Whether everybody may run it."),
        ]
    }()

    private static func presence(_ fresh: ConfigurationDraft) -> [Key] {
        [
            Key(
                "presence.show", .word, \.presence.show, in: fresh, example: "\"chat\"",
                "How the bot shows itself to its contacts."),
            Key(
                optional: "presence.status", .text(), \.presence.status, in: fresh, example: "\"at your service\"",
                "The line that contacts see next to it."),
            Key(
                "presence.priority", .integer(-128...127), \.presence.priority, in: fresh, example: "5",
                "Which connection of the account gets messages to the bare address: the highest; below 0 none."),
        ]
    }

    private static func subscriptions(_ fresh: ConfigurationDraft) -> [Key] {
        let limits = limitKeys("subscriptions.limitPerDomain", \.limit.off, \.limit.count, \.limit.per, in: fresh)
        return [
            Key(
                "subscriptions.rules", .rules, \.subscriptions.rules, in: fresh,
                example: "[{\"match\": \"example.org\", \"action\": \"accept\"}]",
                "Rules for contact requests; the first that matches decides, after the admins were let in."),
            Key(
                "subscriptions.default", .word, \.subscriptions.fallback, in: fresh, example: "\"accept\"",
                "What becomes of a request that no rule matches."),
            Key(
                optional: "subscriptions.greeting", .text(limit: 8192, manyLines: true), \.subscriptions.greeting,
                in: fresh, example: "\"Hello! Send help for what I can do.\"",
                "What is said once to a newly accepted person."),
        ] + limits
    }

    /// The keys of one rule.
    static let rule: [ConfigurationKey<RuleDraft>] = {
        let fresh = RuleDraft()
        return [
            RuleKey(
                optional: "match", .pattern, \.match, in: fresh, example: "\"*@example.org\"",
                "With an `@` compared with the person's address, without one with its whole domain; `*` stands for any "
                    + "characters, `?` for one."
            ).standing(for: "required"),
            RuleKey(
                optional: "action", .word, \.action, in: fresh,
                example: "\"accept-mutual\"",
                "`accept`; `accept-mutual`, which also subscribes back; `ask` the admins; `reject`; `ignore`; `block`."
            ).standing(for: "required"),
            RuleKey(
                optional: "group", .text(), \.group, in: fresh, example: "\"Friends\"",
                "The group of the roster that the contact is filed under."),
            RuleKey(
                optional: "limit", .word.named(limitForm), \.off, in: fresh, example: "\"off\"",
                "A limit per domain for what this rule accepts, in place of `subscriptions.limitPerDomain`; `\"off\"` lifts that one."
            ),
            RuleKey(
                optional: "limit.count", .integer(1...1_000_000), \.limit.count, in: fresh, example: "5",
                "How many requests of one domain are accepted in that time."
            ).standing(for: "required with limit"),
            RuleKey(
                optional: "limit.per", .duration(.seconds(1)...(day * 365)), \.limit.per, in: fresh,
                example: "\"1m\"", "How long that time is."
            ).standing(for: "required with limit"),
        ]
    }()

    private static func limitKeys(
        _ path: String, _ off: any WritableKeyPath<ConfigurationDraft, ConfigurationDraft.LimitSwitch> & Sendable,
        _ count: any WritableKeyPath<ConfigurationDraft, Int?> & Sendable,
        _ per: any WritableKeyPath<ConfigurationDraft, Duration?> & Sendable, in fresh: ConfigurationDraft
    ) -> [Key] {
        [
            Key(
                path, .word.named(limitForm), off, in: fresh, example: "{\"count\": 20, \"per\": \"1m\"}",
                "How many requests of one domain are accepted in a stretch of time; those above stay pending."),
            Key(
                optional: path + ".count", .integer(1...1_000_000), count, in: fresh, example: "20",
                "How many are accepted in that time."
            ).standing(for: "required with limitPerDomain"),
            Key(
                optional: path + ".per", .duration(.seconds(1)...(day * 365)), per, in: fresh, example: "\"1m\"",
                "How long that time is."
            ).standing(for: "required with limitPerDomain"),
        ]
    }

    private static func commands(_ fresh: ConfigurationDraft) -> [Key] {
        [
            Key(
                "commands.prefix", .prefix, \.commands.prefix, in: fresh, example: "\".\"",
                "What a command starts with; in a direct chat it may be left out."),
            Key(
                "commands.maxAge", .duration(.seconds(1)...(day * 30)), \.commands.maxAge, in: fresh,
                example: "\"10m\"",
                "Messages that were on their way for longer are logged, not run."),
            Key(
                "commands.timeout", .duration(.seconds(1)...day), \.commands.timeout, in: fresh, example: "\"1m\"",
                "How long a command may take."),
            Key(
                "commands.loopBrake", .integerOrFalse(1...1_000_000), \.commands.loopBrake, in: fresh, example: "false",
                "After how many messages in a row that only repeat the bot it stops answering a contact, which may be a bot "
                    + "itself; `false` lifts the brake."),
            Key(
                "commands.inputLimit", .integer(256...1_048_576), \.commands.inputLimit, in: fresh, example: "4096",
                "The longest message that is read as a command, in bytes."),
            Key(
                optional: "commands.language", .language, \.commands.language, in: fresh, example: "\"de\"",
                "Which body is read where a message has several."),
            Key(
                "commands.output.characters", .integerOrFalse(200...16_000), \.commands.output.characters, in: fresh,
                example: "4000",
                "The longest message of an answer, in characters; longer answers are split. `false` sends every answer whole."
            ),
            Key(
                "commands.output.messages", .integer(1...20), \.commands.output.messages, in: fresh, example: "5",
                "How many messages of one answer come at once; the rest comes when the person says `more`."),
        ] + perPerson(fresh) + [
            Key(
                "commands.typing", .bool, \.commands.typing, in: fresh, example: "false",
                "Whether people see that the bot is typing while a command takes longer than a second."),
            Key(
                "commands.access", .access, \.access, in: fresh, example: "{\"help\": {\"allow\": [\"admins\"]}}",
                "Who may run a command, in place of what the bot's code says: by its name either `{\"allow\": [\"ops\"]}`, a "
                    + "list of roles, or `{\"open\": true}`."),
            Key(
                "commands.list", .programs, \.programs, in: fresh,
                example: "[{\"name\": \"uptime\", \"run\": [\"uptime\"], \"open\": true}]",
                "Commands that run programs, with no Swift at all; see below."),
            Key(
                "commands.programs.atOnce", .integer(1...256), \.commands.programsAtOnce, in: fresh, example: "2",
                "How many programs may run at the same time; others wait in line, each for at most its time limit."),
        ]
    }

    private static func journal(_ fresh: ConfigurationDraft) -> [Key] {
        [
            Key(
                optional: "journal.path", .path, \.journalPath, in: fresh, example: "\"bot.db\"",
                "The file of what was said."
            ).standing(for: "see below"),
            Key(
                "journal.durability", .word, \.journal.durability, in: fresh, example: "\"full\"",
                "`\"normal\"` survives a killed process, `\"full\"` a power cut too, for more time per message."),
            Key(
                "journal.bodyLimit", .integer(1024...16_777_216), \.journal.bodyLimit, in: fresh, example: "4096",
                "How many characters of a received body are stored, the rest is cut off; the bot's own stay whole."),
            Key(
                "journal.payloadLimit", .integer(0...1_048_576), \.journal.payloadLimit, in: fresh, example: "4096",
                "How many bytes of extension elements are stored of a received message; longer ones are left out."),
            Key(
                "journal.bodies", .bool, \.journal.bodies, in: fresh, example: "false",
                "Whether the texts stay; `false` lets a text go as soon as its message is handled or sent, and its row stays."
            ),
            Key(
                "journal.keep", .durationOrForever(.seconds(3600)...(day * 36_500)), \.journal.keep, in: fresh,
                example: "\"90d\"", "How long messages are kept; older ones are deleted while the bot runs."),
            Key(
                optional: "journal.backup.every", .duration(.seconds(60)...(day * 365)), \.journal.backup.every,
                in: fresh, example: "\"24h\"",
                "How often the running bot makes a backup by itself; without it, it makes none."),
            Key(
                "journal.backup.keep", .integer(1...10_000), \.journal.backup.keep, in: fresh, example: "14",
                "How many of these backups are kept; the oldest are removed."),
            Key(
                optional: "journal.backup.folder", .path, \.journal.backup.folder, in: fresh,
                example: "\"/srv/backups\"", "The folder that they are made in, which has to be there."
            ).standing(for: "see below"),
        ]
    }

    private static func archive(_ fresh: ConfigurationDraft) -> [Key] {
        [
            Key(
                "archive.catchUp", .bool, \.archive.catchUp, in: fresh, example: "false",
                "Whether the bot reads, after a login, what its server's archive has of the time when it was away: what is fresh "
                    + "runs, the rest is logged."),
            Key(
                optional: "archive.onFirstLogin", .duration(.seconds(1)...(day * 365)), \.archive.onFirstLogin,
                in: fresh, example: "\"7d\"",
                "How far back the archive is read at the very first login; without it nothing of before is."),
        ]
    }

    private static func diagnostics(_ fresh: ConfigurationDraft) -> [Key] {
        [
            Key(
                "diagnostics.level", .word(of: LogLevel.allCases) { $0.name }, \.diagnostics.level, in: fresh,
                example: "\"debug\"", "The least that is written; `-v`, `-vv` and `--quiet` go before it."),
            Key(
                "diagnostics.format", .word, \.diagnostics.format, in: fresh, example: "\"json\"",
                "Lines for people, or one JSON object a line; `--log-format` goes before it."),
            Key(
                optional: "diagnostics.notify", .addressesOrFalse, \.diagnostics.notified, in: fresh,
                example: "[\"you@example.org\"]",
                "Who hears in the chat of what goes wrong, at most once an hour for each kind of trouble; `false` for nobody."
            ).standing(for: "the admins"),
        ]
    }
}
