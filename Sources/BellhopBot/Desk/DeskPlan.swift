/// What a desk goes by: the author's bot and the operator's settings, made ready; replaced as a whole.
struct DeskPlan {
    let bot: Bot
    let settings: DeskSettings
    let router: Router
    let help: HelpText
    /// In the order of `Bot.commands`.
    let commands: [Runnable]
    let otherwise: Runnable?
    let payloadHandler: Runnable?

    init(bot: Bot, settings: DeskSettings) {
        self.bot = bot
        self.settings = settings
        router = Router(bot: bot, prefix: settings.prefix)
        help = HelpText(bot: bot, prefix: settings.prefix)
        let permissions = settings.permissions
        commands = bot.commands.map { command in
            Runnable(
                command.handler, command.rules, name: command.name, policy: permissions.policy(for: command),
                usage: command.description.usage(prefix: settings.prefix), arguments: command.description.arguments)
        }
        otherwise = bot.otherwise.first.map {
            Runnable(
                $0.handler, $0.rules, name: Bot.otherwiseName,
                policy: permissions.policy(for: Bot.otherwiseName, $0.rules))
        }
        payloadHandler = bot.payloadHandlers.first.map {
            Runnable(
                $0.handler, $0.rules, name: Bot.onMessageName,
                policy: permissions.policy(for: Bot.onMessageName, $0.rules))
        }
    }
}
