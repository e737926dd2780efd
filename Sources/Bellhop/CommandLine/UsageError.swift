internal import BellhopDiagnostics
package import BellhopXMPP

/// What is wrong with a command line; the exit code is 64.
package enum UsageError: Error, Equatable, Sendable {
    case unknownCommand(String, suggestion: String?)
    /// The bot knows it in the chat, and its process by a signal.
    case reloadByCommand
    case unknownSubcommand(CommandName, String, suggestion: String?)
    case unknownOption(String, suggestion: String?)
    /// An option that some other command has.
    case foreignOption(String, CommandName)
    /// Somebody tried to pass a password, which is not repeated here.
    case passwordOption
    case missingValue(option: String, wanted: String)
    case unwantedValue(option: String)
    case repeatedOption(String)
    case badValue(option: String, value: String, wanted: String)
    case missingArgument(CommandName, String)
    case extraArgument(CommandName, String)
    case notAnAddress(String, JIDError)
    case addressWithoutLocalPart(String)
    /// An account has none; one of its sessions has.
    case addressWithResource(String)
    case notARequest(String)
    case notAMessage(String)
    /// A name that none of the bot's own commands has.
    case noSuchBotCommand(String, suggestion: String?)
    case emptyText
    /// What stands behind `--field` names no field.
    case notAField(String)
    /// The configuration says that already.
    case fieldOfConfiguration(String)
    case eitherOr(String, String)

    /// What is wrong and what to do, for standard error; `bot` is the program's name.
    package func sentence(bot: String) -> String {
        switch self {
        case .unknownCommand(let name, let suggestion?):
            "There is no command \(Self.shown(name)); did you mean \"\(suggestion)\"?"
        case .unknownCommand(let name, nil):
            "There is no command \(Self.shown(name)); \(bot) --help lists them."
        case .reloadByCommand:
            "There is no command \"reload\" here: an admin says it to the bot in the chat. Where systemd runs it, systemctl "
                + "reload \(bot) does the same, and elsewhere the signal SIGHUP (kill -HUP and the number of its process)."
        case .unknownSubcommand(let command, let name, let suggestion?):
            "There is no \(command.rawValue) \(Self.shown(name)); did you mean \"\(command.rawValue) \(suggestion)\"?"
        case .unknownSubcommand(let command, let name, nil):
            "There is no \(command.rawValue) \(Self.shown(name)); \(bot) help \(command.rawValue) says what there is."
        case .unknownOption(let option, let suggestion?):
            "There is no option \(Self.shown(option)); did you mean \"\(suggestion)\"?"
        case .unknownOption(let option, nil): "There is no option \(Self.shown(option)); \(bot) --help lists them."
        case .foreignOption(let option, let command):
            "\(command.rawValue) has no option \"\(option)\"; \(bot) help \(command.rawValue) says what it has."
        case .passwordOption:
            "No option takes a password, since every user of this machine can read command lines; set "
                + "BELLHOP_PASSWORD, or let account.password in the configuration say where it is."
        case .missingValue(let option, let wanted): "\"\(option)\" needs \(wanted) behind it."
        case .unwantedValue(let option): "\"\(option)\" takes no value."
        case .repeatedOption(let option): "\"\(option)\" stands there twice."
        case .badValue(let option, let value, let wanted):
            "\(Self.shown(value)) is not what \"\(option)\" takes; write \(wanted)."
        case .missingArgument(let command, let argument):
            "\(command.rawValue) needs \(argument); \(bot) help \(command.rawValue) says more."
        case .extraArgument(let command, let argument):
            "\(command.rawValue) does not take \(Self.shown(argument)); \(bot) help \(command.rawValue) says what it takes."
        case .notAnAddress(let text, let error): "\(Self.shown(text)) is no address: \(error)."
        case .addressWithResource(let text):
            "\(Self.shown(text)) is one session of an account; write the account's address, without the / and what follows."
        case .addressWithoutLocalPart(let text):
            "\(Self.shown(text)) has no @; write a whole address, like \"alice@example.org\"."
        case .notARequest(let text):
            "\(Self.shown(text)) is no request; write its number, an address, @domain for all of a domain, or all."
        case .notAMessage(let text):
            "\(Self.shown(text)) is no message; write its number, as outbox lists it, or all."
        case .noSuchBotCommand(let name, let suggestion?):
            "The bot has no command \(Self.shown(name)); did you mean \"\(suggestion)\"?"
        case .noSuchBotCommand(let name, nil):
            "The bot has no command \(Self.shown(name)); send it help to see what it has."
        case .emptyText: "There is nothing to send: the text is empty."
        case .notAField(let text):
            "\(Self.shown(text)) is no field; write its name and its value, like --field email=you@example.org."
        case .fieldOfConfiguration(let name):
            "\(Self.shown(name)) is no field to give; name and password of the account are those of the configuration."
        case .eitherOr(let one, let other): "\"\(one)\" and \"\(other)\" do not go together; give one of them."
        }
    }

    private static func shown(_ text: String) -> String {
        let line = VisibleText.oneLine(text)
        return "\"\(line.count > 80 ? line.prefix(80) + "…" : line[...])\""
    }
}
