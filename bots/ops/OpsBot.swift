import Bellhop

/// A bot for those who look after a machine: what it does, and a few things that can be done about it.
@main struct OpsBot: BotMain {
    static let bot = watching(.live)

    /// Everything is for the role ops (and for admins); what changes something asks first.
    static func watching(_ machine: Machine) -> Bot {
        Bot(settings: OpsSettings.self) {
            Command.uptime(on: machine)
            Command.disk(on: machine)
            Command.memory(on: machine)
            Command.top(on: machine)
            Command.unit(on: machine)
            Command.failed(on: machine)
            Command.restart(on: machine)
            Command.log(on: machine)
            Command.reach(on: machine)
            Command.who(on: machine)
            Command.onCall(on: machine)
        }
    }
}
