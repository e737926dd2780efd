package import BellhopXMPP

/// What the configuration says to the desk.
package struct DeskSettings: Sendable {
    /// Our own bare address.
    package var account: JID
    package var permissions: Permissions
    package var policy: SubscriptionPolicy
    /// `commands.prefix`; optional in direct chats.
    package var prefix = "!"
    /// How long a handler may run.
    package var handlerLimit: Duration = .seconds(30)
    /// `commands.loopBrake`: how many messages in a row that only repeat us are in a circle; nil lifts the brake.
    package var loopBrake: Int? = 4
    /// `commands.maxAge`: a command that is older when a restarted bot finds it is not run any more.
    package var maxAge: Duration = .seconds(120)
    /// `commands.output`: how much of an answer leaves at once.
    package var output = OutputLimits()
    /// `commands.typing`: how long a handler runs before its person sees that the bot is at work; nil never shows it.
    package var typingDelay: Duration? = .seconds(1)
    /// `diagnostics.notify`: who hears in the chat of what goes wrong.
    package var notified: [JID]
    /// The longest text that is read, in UTF-8 bytes.
    package var textLimit = 65_536
    /// Messages that wait in memory in one conversation; the others wait in the ledger.
    package var laneLimit = 64
    /// Messages that wait in the ledger in one conversation; what comes above that is declined.
    package var spillLimit = 10_000
    /// Messages that wait in memory in all conversations together.
    package var waitingLimit = 4_096
    /// `commands.perPerson`: how fast one person's messages are taken up; nil as fast as they come.
    package var perPerson: Pace?
    /// Handlers that run at the same time, in all conversations together; what comes above that waits.
    package var runLimit = 10_000
    /// `subscriptions.greeting`: sent once to each newly accepted person; nil sends none.
    package var greeting: String?
    /// `presence`: what contacts see while nobody has asked for something else.
    package var availability = Availability()
    /// The name of the bot's executable, for sentences that name a command line.
    package var program = "echobot"
    /// The bot's own settings, of its author's type; nil where there are none.
    package var custom: (any Sendable)?
    /// The folder for the bot's own files.
    package var folder = "."

    package init(
        account: JID, admins: [JID], roles: [RoleDefinition] = [], access: [AccessOverride] = [],
        rules: [SubscriptionRule] = [], fallback: SubscriptionAction = .ask
    ) {
        self.account = account.bare
        permissions = Permissions(admins: admins, roles: roles, overrides: access)
        notified = permissions.admins
        policy = SubscriptionPolicy(permissions: permissions, rules: rules, fallback: fallback)
    }
}
