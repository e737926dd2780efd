/// Where a body goes.
enum Route: Equatable {
    /// A command, by its place in the bot.
    case command(Int, arguments: String)
    case builtin(Builtin, arguments: String)
    /// To `Otherwise`, with the whole body.
    case otherwise
    /// A name that no command has.
    case unknown(String)
    /// Chat for which the bot has no ear; nothing is said to it.
    case nothing
}

/// Finds what a body is for; knows nothing of who wrote it.
struct Router: Sendable {
    private let reader: CommandReader
    private let places: [String: Int]
    private let hasOtherwise: Bool

    init(bot: Bot, prefix: String) {
        reader = CommandReader(prefix: prefix)
        places = Dictionary(
            bot.commands.enumerated().map { (CommandName.folded($1.name), $0) }, uniquingKeysWith: { first, _ in first }
        )
        hasOtherwise = !bot.otherwise.isEmpty
    }

    func route(_ body: String) -> Route {
        switch reader.read(body) {
        case .command(let name, let isPrefixed, let arguments):
            if let place = places[name] { return .command(place, arguments: arguments) }
            if let builtin = Builtin(rawValue: name), builtin.takes(arguments, isPrefixed: isPrefixed) {
                return .builtin(builtin, arguments: arguments)
            }
            if isPrefixed { return .unknown(name) }
            if hasOtherwise { return .otherwise }
            // Words behind a quotation are talk about what was quoted, and want no hint.
            return reader.isQuoting(body) ? .nothing : .unknown(name)
        case .chat:
            return hasOtherwise ? .otherwise : .nothing
        }
    }
}
