/// What `--help` says about one command.
package struct CommandHelp: Equatable, Sendable {
    package var command: CommandName
    /// One phrase for the list of commands.
    package var summary: String
    /// How it is typed, behind the program's name, each way for itself.
    package var usages: [String]
    /// What a person should know, in sentences.
    package var details: [String]
    package var exitCodes: [ExitCode]

    /// All commands, in the order of the list.
    package static let all: [CommandHelp] = CommandName.allCases.map { about($0) }

    /// The help of that command.
    package static func about(_ command: CommandName) -> CommandHelp {
        switch command {
        case .run:
            CommandHelp(
                command: command, summary: "log in and work until stopped (what happens without a command)",
                usages: ["", "run"],
                details: [
                    "Stays connected, and comes back by itself when the connection is lost.",
                    "Ends by itself only for what a person must mend; the exit code says what.",
                    "SIGINT (Ctrl-C) and SIGTERM finish what is running, say goodbye and end with 0.",
                    "SIGHUP reads the configuration again; a wrong one changes nothing.",
                ],
                exitCodes: [
                    .success, .usage, .unavailable, .cannotCreate, .inputOutput, .alreadyRunning, .conflict,
                    .loginRefused, .configuration,
                ])
        case .chat:
            CommandHelp(
                command: command, summary: "talk to the bot in this terminal, without a server",
                usages: ["chat [--as JID]"],
                details: [
                    "Each line is a message to the bot; Ctrl-D ends. Where there is a configuration, its commands, admins, roles",
                    "and limits count; none is needed.",
                    "You are \(TerminalPerson.usual), whom the bot takes for an admin. --as JID, and /as JID in a line of its own,",
                    "play anybody else; /help lists what else is for the terminal and not for the bot.",
                ],
                exitCodes: [.success, .usage, .unavailable, .cannotCreate, .inputOutput, .configuration])
        case .check:
            CommandHelp(
                command: command, summary: "say whether the configuration is right",
                usages: ["check", "check --online"],
                details: [
                    "Prints every problem with its place, or what the configuration means, without secrets.",
                    "--quiet prints problems only.",
                    "Connects to nothing, unless --online is given: then it logs in under a resource of its own and without",
                    "presence, so that neither contacts nor a running bot notice, and says how long each step took.",
                ],
                exitCodes: [.success, .usage, .unavailable, .conflict, .loginRefused, .configuration])
        case .doctor:
            CommandHelp(
                command: command, summary: "find out what works, what will be missing, and what to do",
                usages: ["doctor [--json]"],
                details: [
                    "Looks at the configuration, the journal and its disk, DNS, ports, TLS, the certificate and the ways to log in;",
                    "then logs in once, like check --online unnoticed, and asks for what a bot needs: stream management, archive,",
                    "carbons, files, limits, the clock. Goes on as far as it can when something fails. A running bot goes on, too.",
                    "Each line is ok, a note, degraded (the bot does without it), failed, or skipped; -> says what to do.",
                    "Ends with 0 where nothing is degraded or failed, with 1 where something is degraded, else with the code of",
                    "what failed first. --quiet prints what is degraded or failed only. In the chat an admin can say doctor.",
                ],
                exitCodes: [
                    .success, .denied, .usage, .unavailable, .cannotCreate, .inputOutput, .conflict, .loginRefused,
                    .configuration,
                ])
        case .initialise:
            CommandHelp(
                command: command, summary: "ask for account, password and admins, and write a configuration",
                usages: ["init"],
                details: [
                    "Asks in the terminal, or reads exactly three lines from standard input, where a wrong one ends it:",
                    "the bot's address, its password (empty: register makes one), and the admins (empty: none).",
                    "Writes to --config, else to ~/.config/bellhop/, with mode 0600; never over a file that is there.",
                    "The admins get the roles that the bot's own commands are for.",
                ],
                exitCodes: [.success, .usage, .cannotCreate, .configuration])
        case .register:
            CommandHelp(
                command: command, summary: "make the account of the configuration on its server",
                usages: ["register [--run] [--field NAME=VALUE]..."],
                details: [
                    "Works where the server allows registration by a program, and proves the account with a login.",
                    "Where account.password.file names a file that is not there, a password is made and written to it (mode",
                    "0600) before the server is asked; where account.password is missing, to a file beside the configuration.",
                    "What the server wants besides is asked in a terminal, a picture (CAPTCHA) as well, or given with --field.",
                    "--run goes on to work as the command run does.",
                ],
                exitCodes: [
                    .success, .usage, .unavailable, .cannotCreate, .inputOutput, .alreadyRunning, .conflict,
                    .loginRefused, .configuration,
                ])
        case .changePassword:
            CommandHelp(
                command: command, summary: "change the account's password, in its file and on the server",
                usages: ["passwd", "passwd --generate", "passwd --from FILE"],
                details: [
                    "For a password that account.password.file names; a running bot goes on.",
                    "Asks for the new password twice, or reads a line from standard input where that is no terminal.",
                    "It waits in FILE.new until the server has said yes, and takes the place of the old one then. After an",
                    "interruption the same command finishes the change, and a bot meanwhile tries both; it ends with 1 where it",
                    "was given another password, which is not set then.",
                ],
                exitCodes: [
                    .success, .denied, .usage, .unavailable, .cannotCreate, .inputOutput, .alreadyRunning, .conflict,
                    .loginRefused, .configuration,
                ])
        case .unregister:
            CommandHelp(
                command: command, summary: "remove the account from its server, for good",
                usages: ["unregister", "unregister --yes JID"],
                details: [
                    "Asks twice, the second time for the address, or takes that from --yes. The server forgets the contacts and",
                    "what it keeps for the account; the journal here stays, and so does the file of the password.",
                    "The bot must not be running.",
                ],
                exitCodes: [
                    .success, .denied, .usage, .unavailable, .cannotCreate, .inputOutput, .alreadyRunning, .conflict,
                    .loginRefused,
                    .configuration,
                ])
        case .status:
            CommandHelp(
                command: command, summary: "say how the running bot is", usages: ["status [--json]"],
                details: [
                    "Ends with 0 only if the bot is online, paused or not; with 69 if it is not online or not running.",
                    "With --json a bot that is not running is an object, too: its state is \"not-running\".",
                ],
                exitCodes: [.success, .usage, .unavailable, .inputOutput, .configuration])
        case .pause:
            CommandHelp(
                command: command, summary: "let the bot run nothing and answer nobody until resume", usages: ["pause"],
                details: [
                    "Running handlers are stopped and their senders told. What people write is logged and waits; each of them",
                    "is told once. Messages that the bot's own code sends wait, too. Contact requests are decided as always,",
                    "and what admins ask of the bot itself (help names it) works.",
                    "The pause is in the journal: it survives a restart, and can begin before a start.",
                ],
                exitCodes: pauseCodes)
        case .resume:
            CommandHelp(
                command: command, summary: "end a pause", usages: ["resume"],
                details: [
                    "Messages that waited leave. Commands that waited run once, if they are not older than commands.maxAge;",
                    "the senders of the others are told.",
                ],
                exitCodes: pauseCodes)
        case .send:
            CommandHelp(
                command: command, summary: "send one message", usages: ["send JID TEXT", "send JID < FILE"],
                details: [
                    "Ends with 0 when the server has taken the message, else with 69 and the reason.",
                    "Without TEXT it sends what standard input holds, without the newline at its end.",
                    "The message is in the journal like any other; what another server says of it later is there, too.",
                ] + besideOrInstead,
                exitCodes: errandCodes)
        case .roster:
            CommandHelp(
                command: command, summary: "list, add and remove contacts",
                usages: ["roster", "roster add JID [--name NAME] [--group GROUP]...", "roster remove JID"],
                details: [
                    "The list shows name, address, state, groups, and who is online; ? where that is not known,",
                    "because the bot is not running.",
                    "add asks to see the contact, too; a name and groups that are not given stay as they were.",
                    "remove ends both directions.",
                ] + besideOrInstead,
                exitCodes: errandCodes)
        case .requests:
            CommandHelp(
                command: command, summary: "list and answer contact requests",
                usages: ["requests", "requests accept WHO", "requests deny WHO", "requests --dry-run FILE"],
                details: [
                    "WHO is the number of a request, an address, @domain, or all.",
                    "The first answer to a request counts; the admins are told.",
                    "--dry-run tells for each address of a file what the rules decide, and what decides it; limits are not",
                    "counted. It ends with 74 when the file cannot be read, or a line of it is no address.",
                    "The list needs no login.",
                ] + besideOrInstead,
                exitCodes: errandCodes)
        case .outbox:
            CommandHelp(
                command: command, summary: "list the messages that wait or came back, send again, give up",
                usages: [
                    "outbox [--failed] [--to JID] [--since TIME]", "outbox retry N", "outbox drop N",
                    "outbox retry all [--to JID] [--since TIME]", "outbox drop all [--to JID] [--since TIME]",
                ],
                details: [
                    "Lists what waits to be sent, and what came back in the last 7 days, with age and reason; oldest first.",
                    "retry sends a message that came back once more, under its id and before what was queued since; where the",
                    "bot is offline, paused or not running it leaves later. drop gives up one that waits or came back.",
                    "all is all that came back, as --failed lists it. What is not kept whole (journal.bodies) is not sent again.",
                    "Needs no login and no password. Ends with 69 when nothing could be done about the message.",
                ],
                exitCodes: pauseCodes)
        case .log:
            CommandHelp(
                command: command, summary: "read what was said, fetch it from the server, or forget a person",
                usages: [
                    "log list", "log show JID [--last N] [--since TIME] [--follow]", "log fetch JID [--since TIME]",
                    "log forget JID",
                ],
                details: [
                    "list and show read the journal, oldest first, while the bot may be running.",
                    "fetch logs what the server's archive has of a person for the last week, or for that time, and runs nothing.",
                    "A running bot does it; where none runs, fetch logs in itself, without presence, and leaves again.",
                    "forget leaves no row of a person, and no byte of their texts in the journal's files; a running bot does it",
                    "itself. Backups are not touched: it names those that it knows of.",
                ],
                exitCodes: errandCodes)
        case .login:
            CommandHelp(
                command: command, summary: "allow a weaker login than the account once had", usages: ["login reset"],
                details: [
                    "Once a server has proved that it knows the password (SCRAM), the password itself is never sent again,",
                    "whatever the configuration allows and the server offers, since it may be somebody else's. Where the",
                    "server was changed on purpose, reset lets the next login use what account.allowPlain and",
                    "account.allowLegacyLogin allow. What a server gave out to be shown in place of the password (tokens) is",
                    "forgotten with it. Needs no login and no password.",
                ],
                exitCodes: pauseCodes)
        case .why:
            CommandHelp(
                command: command, summary: "say whether somebody may run a command, and what decides it",
                usages: ["why JID COMMAND"],
                details: [
                    "Goes by the configuration that it reads, which a running bot may have read earlier. Only where a group of",
                    "the roster can decide, the roster is asked for as with the command roster, with its exit codes.",
                ],
                exitCodes: [.success, .denied] + errandCodes.dropFirst())
        case .audit:
            CommandHelp(
                command: command, summary: "read who ran what is not open to everybody",
                usages: ["audit [--last N] [--since TIME]"],
                details: [
                    "Shows each run and each denial with what decided it, oldest first, while the bot may be running."
                ],
                exitCodes: [.success, .usage, .inputOutput, .configuration])
        case .backup:
            CommandHelp(
                command: command, summary: "copy the journal, while the bot may be running",
                usages: ["backup FILE [--force]"],
                details: [
                    "The copy is of one moment, is read again whole, and has mode 0600; it says what is in it.",
                    "A file that is there stays, unless --force is given. journal.backup makes the bot do this by itself.",
                ],
                exitCodes: [.success, .usage, .unavailable, .cannotCreate, .inputOutput, .configuration])
        case .restore:
            CommandHelp(
                command: command, summary: "put a backup in the journal's place, while no bot runs",
                usages: ["restore FILE"],
                details: [
                    "Reads the backup whole before it changes anything. The journal that is there is kept beside the new one.",
                    "What waited to be run or sent when the backup was made is ended: it was done since, or is too old.",
                ],
                exitCodes: [
                    .success, .usage, .invalidData, .cannotCreate, .inputOutput, .alreadyRunning, .configuration,
                ])
        case .help:
            CommandHelp(
                command: command, summary: "say what a command does", usages: ["help [COMMAND]"], details: [],
                exitCodes: [.success, .usage])
        }
    }

    private static let besideOrInstead = [
        "A running bot does it; where none runs, this command logs in itself, without presence, and leaves again."
    ]

    private static let pauseCodes: [ExitCode] = [
        .success, .usage, .unavailable, .cannotCreate, .inputOutput, .alreadyRunning, .configuration,
    ]

    private static let errandCodes: [ExitCode] = [
        .success, .usage, .unavailable, .cannotCreate, .inputOutput, .alreadyRunning, .conflict, .loginRefused,
        .configuration,
    ]

    /// The text of `help COMMAND`; `bot` is the program's name.
    package func text(bot: String) -> String {
        var lines = ["\(bot) \(command.rawValue): \(summary)", "", "usage:"]
        lines += usages.map { ("  \(bot) " + $0).trimmingEnd }
        if !details.isEmpty { lines += [""] + details }
        let own = CommandOption.own(of: command)
        if !own.isEmpty { lines += ["", "options:"] + Self.table(own.map { ($0.usage, $0.meaning) }) }
        lines += ["", "exit codes:"] + Self.table(exitCodes.map { ("\($0.rawValue)", $0.meaning) })
        lines += ["", "\(bot) --help lists the options that every command has."]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The text of `--help`.
    package static func overview(bot: String) -> String {
        var lines = ["\(bot): a chat bot for XMPP", "", "usage: \(bot) [OPTIONS] [COMMAND]", "", "commands:"]
        lines += table(all.map { ($0.command.rawValue, $0.summary) })
        lines += ["", "options:"] + table(CommandOption.common.map { ($0.usage, $0.meaning) })
        lines += ["", "\(bot) help COMMAND says more, exit codes too."]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func table(_ rows: [(name: String, meaning: String)]) -> [String] {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { "  \($0.name)\(String(repeating: " ", count: width - $0.name.count + 2))\($0.meaning)" }
    }
}

extension CommandOption {
    /// How it is typed, like `--quiet, -q` or `--config FILE`.
    fileprivate var usage: String { name + (alias.map { ", \($0)" } ?? "") + (value.map { " \($0)" } ?? "") }
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = self
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }
}
