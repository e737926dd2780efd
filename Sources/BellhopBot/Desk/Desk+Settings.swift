package import BellhopXMPP

/// What the desk goes by, and how that changes while it is at work.
extension Desk {
    package var bot: Bot { plan.bot }
    var settings: DeskSettings { plan.settings }
    /// The name of the bot's executable.
    package var program: String { plan.settings.program }
    var router: Router { plan.router }
    var help: HelpText { plan.help }
    var commands: [Runnable] { plan.commands }
    var otherwise: Runnable? { plan.otherwise }
    var payloadHandler: Runnable? { plan.payloadHandler }

    /// The server has bound this address; its domain may be another than that of the configuration.
    package func serve(as bound: JID) { account = bound.bare }

    /// Goes by other settings from the next message on.
    ///
    /// What runs goes on, and what waits is decided when its turn comes, by the new settings. A running handler has the new
    /// time limit from now on, but never more than it had, unless it has one of its own. Limits of subscription rules are counted anew if the rules changed.
    package func apply(_ settings: DeskSettings, bot: Bot, at moment: Moment) {
        let old = plan.settings
        plan = DeskPlan(bot: bot, settings: settings)
        outlet.apply(settings)
        if settings.loopBrake != old.loopBrake { brake = settings.loopBrake.map(LoopBrake.init(limit:)) }
        if settings.perPerson != old.perPerson { changePace(to: settings.perPerson, at: moment) }
        if settings.policy.rules != old.policy.rules { requests.counts = DomainCounts() }
        guard settings.handlerLimit < old.handlerLimit else { return }
        let latest = moment.now + settings.handlerLimit
        for (id, run) in runs where run.deadline > latest && run.work.runnable.rules.timeLimit == nil {
            runs[id]?.deadline = latest
        }
        dropEndedRuns()
        runOrder.sort { (runs[$0]?.deadline ?? .zero) < (runs[$1]?.deadline ?? .zero) }
    }
}
