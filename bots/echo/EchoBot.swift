import Bellhop

@main struct EchoBot: BotMain {
    static let bot = Bot {
        Command("echo", "Say something back", Rest("text")) { _, text in text }.open().inline()
        Otherwise { _, text in text }.open().inline()
    }
}
