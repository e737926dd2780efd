import Bellhop

/// A bot with no Swift of its own: its commands are those that the configuration names.
@main struct BellhopCommand: BotMain {
    static let bot = Bot {}
}
