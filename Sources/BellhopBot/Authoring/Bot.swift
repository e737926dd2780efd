/// What a bot does: its commands, what it says to everything else, and the events it hears.
///
/// A value that is declared once and checked at start; mistakes in it are listed by `problems(prefix:)`, never trapped.
public struct Bot: Sendable {
    package var commands: [Command] = []
    package var otherwise: [Otherwise] = []
    package var payloadHandlers: [OnMessage] = []
    package var eventHandlers: [On] = []
    /// How settings of the bot's own are read, in the words of the house above; nil where it has none.
    package var customSettings: (any Sendable)?

    public init(@BotBuilder _ parts: () -> [BotPart]) {
        for part in parts() {
            switch part.content {
            case .command(let command): commands.append(command)
            case .otherwise(let part): otherwise.append(part)
            case .payload(let part): payloadHandlers.append(part)
            case .event(let part): eventHandlers.append(part)
            }
        }
    }

    /// The same bot with more commands.
    package func adding(_ commands: [Command]) -> Bot {
        var bot = self
        bot.commands += commands
        return bot
    }

    /// What is wrong with the name of a command, whatever else the bot has; nil when nothing is.
    package static func problem(withCommandName name: String) -> BotProblem? {
        if !CommandName.isValid(name) { return .invalidName(name) }
        return CommandName.reserved.contains(CommandName.folded(name)) ? .reservedName(name) : nil
    }

    /// Everything that is wrong with the declaration; empty when the bot can start.
    ///
    /// `prefix` is the command prefix of the configuration: `/me` is an emote, so `me` cannot be a command behind `/`.
    public func problems(prefix: String = "!") -> [BotProblem] {
        var problems: [BotProblem] = []
        var seen: Set<String> = []
        for command in commands {
            let name = CommandName.folded(command.name)
            if !CommandName.isValid(command.name) { problems.append(.invalidName(command.name)) }
            if CommandName.reserved.contains(name) { problems.append(.reservedName(command.name)) }
            if prefix == "/" && name == "me" { problems.append(.emote(command.name)) }
            if !seen.insert(name).inserted { problems.append(.duplicateName(command.name)) }
            let arguments = command.description.arguments
            for (place, mistake) in ArgumentDescription.mistakes(in: arguments) {
                problems.append(.argument(arguments[place].label, of: command.name, mistake))
            }
            if command.rules.isOpen && !command.rules.roles.isEmpty {
                problems.append(.openAndAllowed(command.name))
            }
        }
        for rules in otherwise.map(\.rules) where rules.isOpen && !rules.roles.isEmpty {
            problems.append(.openAndAllowed(Self.otherwiseName))
        }
        for rules in payloadHandlers.map(\.rules) where rules.isOpen && !rules.roles.isEmpty {
            problems.append(.openAndAllowed(Self.onMessageName))
        }
        if otherwise.count > 1 { problems.append(.severalOtherwise) }
        if payloadHandlers.count > 1 { problems.append(.severalOnMessage) }
        return problems
    }
}

extension Bot {
    /// What the log and the configuration call a part that people cannot name.
    package static let otherwiseName = "Otherwise"
    package static let onMessageName = "OnMessage"
}

/// What is wrong with the declaration of a bot.
public enum BotProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// A name holds white space or does not start with a letter or digit.
    case invalidName(String)
    /// The name is that of a built-in command, like `help` or `status`.
    case reservedName(String)
    case duplicateName(String)
    /// Behind the prefix `/`, `me` would be taken for an emote.
    case emote(String)
    /// Something is wrong with an argument of a command.
    case argument(String, of: String, ArgumentMistake)
    /// What is open to everybody is allowed to roles, too.
    case openAndAllowed(String)
    case severalOtherwise
    case severalOnMessage

    public var description: String { Phrases.problem(self) }
}

/// One part of a bot: a `Command`, `Otherwise`, `On` or `OnMessage`.
public struct BotPart: Sendable {
    enum Content: Sendable {
        case command(Command)
        case otherwise(Otherwise)
        case payload(OnMessage)
        case event(On)
    }

    let content: Content
}

/// Collects the parts of a `Bot`.
@resultBuilder public enum BotBuilder {
    public static func buildExpression(_ part: Command) -> [BotPart] { [BotPart(content: .command(part))] }
    public static func buildExpression(_ part: Otherwise) -> [BotPart] { [BotPart(content: .otherwise(part))] }
    public static func buildExpression(_ part: OnMessage) -> [BotPart] { [BotPart(content: .payload(part))] }
    public static func buildExpression(_ part: On) -> [BotPart] { [BotPart(content: .event(part))] }
    public static func buildBlock(_ parts: [BotPart]...) -> [BotPart] { parts.flatMap { $0 } }
    public static func buildArray(_ parts: [[BotPart]]) -> [BotPart] { parts.flatMap { $0 } }
    public static func buildOptional(_ parts: [BotPart]?) -> [BotPart] { parts ?? [] }
    public static func buildEither(first parts: [BotPart]) -> [BotPart] { parts }
    public static func buildEither(second parts: [BotPart]) -> [BotPart] { parts }
}
