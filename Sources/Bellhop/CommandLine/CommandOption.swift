/// One option of the command line.
package struct CommandOption: Equatable, Sendable {
    /// As it is typed, like `--config`.
    package var name: String
    /// Another way to type it.
    package var alias: String?
    /// What stands behind it, like `FILE`; nil for an option without a value.
    package var value: String?
    /// One phrase for the help.
    package var meaning: String

    init(_ name: String, alias: String? = nil, value: String? = nil, _ meaning: String) {
        self.name = name
        self.alias = alias
        self.value = value
        self.meaning = meaning
    }

    /// The options that every command has.
    package static let common: [CommandOption] = [
        CommandOption("--config", value: "FILE", "the configuration to read"),
        CommandOption("--quiet", alias: "-q", "log warnings and errors only"),
        CommandOption("-v", alias: "--verbose", "log more"),
        CommandOption("-vv", "log everything, stanzas too, with secrets cut out"),
        CommandOption("--log-format", value: "text|json", "how log lines look"),
        CommandOption("--help", alias: "-h", "say what a command does"),
        CommandOption("--version", "say which version this is"),
    ]

    /// What a command has besides.
    package static func own(of command: CommandName) -> [CommandOption] {
        let json = CommandOption("--json", "one JSON object a line, for programs")
        switch command {
        case .run, .initialise, .send, .pause, .resume, .login, .restore, .why, .help: return []
        case .chat: return [CommandOption("--as", value: "JID", "speak as this person from the start")]
        case .register:
            return [
                CommandOption(
                    "--field", value: "NAME=VALUE", "answers a further field of the server's form; can be repeated"),
                CommandOption("--run", "go on to work, on the same connection"),
            ]
        case .changePassword:
            return [
                CommandOption("--generate", "make the new password"),
                CommandOption("--from", value: "FILE", "read the new password from there (- for standard input)"),
            ]
        case .unregister: return [CommandOption("--yes", value: "JID", "do not ask: this is the account to remove")]
        case .doctor, .status: return [json]
        case .backup: return [CommandOption("--force", "replace a file that is there")]
        case .check: return [CommandOption("--online", "log in too, and send a message to itself and back")]
        case .roster:
            return [
                json, CommandOption("--name", value: "NAME", "with add: what the contact is called"),
                CommandOption(
                    "--group", value: "GROUP", "with add: a group to file the contact under; can be repeated"),
            ]
        case .requests:
            return [
                json,
                CommandOption(
                    "--dry-run", value: "FILE",
                    "for each address of the file (- for standard input) print what the rules decide, and change nothing"
                ),
            ]
        case .outbox:
            return [
                CommandOption("--failed", "with the list: only what came back"),
                CommandOption("--to", value: "JID", "only messages to this address"),
                CommandOption("--since", value: "TIME", "only what came back since then, like 2h or 30d (7d)"), json,
            ]
        case .log:
            return [
                CommandOption("--last", value: "N", "with show: the newest N messages (50)"),
                CommandOption("--since", value: "TIME", "with show and fetch: nothing older, like 30s, 2h or 2d"),
                CommandOption("--follow", "with show: go on with what comes"),
                CommandOption("--utc", "times in UTC, not in local time"), json,
            ]
        case .audit:
            return [
                CommandOption("--last", value: "N", "the newest N runs (50)"),
                CommandOption("--since", value: "TIME", "nothing older, like 30s, 2h or 2d"),
                CommandOption("--utc", "times in UTC, not in local time"), json,
            ]
        }
    }
}
