import Bellhop
import BellhopBot

/// The bot that is soaked: one command of each kind that makes a difference.
struct SoakBot: Sendable {
    let world: VirtualWorld
    let effects: Effects

    /// What commands did to the world outside; outlives the bot, as a file does.
    ///
    /// Unchecked for the reason that its world is.
    final class Effects: @unchecked Sendable {
        /// How often each deed was done.
        var deeds: [String: Int] = [:]
        /// Which process of the bot lives now.
        var life = 0
    }

    /// A handler of a killed process: in the world it is replayed in, it never gets further.
    private struct Dead: Error {}

    private func work(_ tenths: Int) async throws {
        let life = effects.life
        // waits for a fact: the world's clock, which its events move.
        await world.sleep(for: .milliseconds(tenths * 100))
        guard life == effects.life else { throw Dead() }
        try Task.checkCancellation()
    }

    var bot: Bot {
        Bot {
            Command("echo", "Says it back", Rest("text")) { _, text in "echo of \(text)" }.open().inline()
            Command("tell", "Says much", Arg<Int>("sentences"), Rest("text")) { _, count, text in
                Self.story(text, count)
            }.open().inline()
            Command("look", "Takes a while, and may be run again", Arg<Int>("tenths"), Rest("text")) {
                _, tenths, text in
                try await work(tenths)
                return "saw \(text)"
            }.open().idempotent()
            Command("recite", "Says several things, with pauses", Arg<Int>("tenths"), Rest("text")) {
                context, tenths, text in
                for verse in 1...3 {
                    context.reply("verse \(verse) of \(text)")
                    try await work(tenths)
                }
                return "end of \(text)"
            }.open().idempotent()
            Command("deploy", "Does something that must not be done twice", Arg<Int>("tenths"), Rest("text")) {
                _, tenths, text in
                try await work(tenths)
                effects.deeds[text, default: 0] += 1
                try await work(tenths)
                return "deployed \(text)"
            }.open()
        }
    }

    /// So many sentences of about forty characters.
    static func story(_ text: String, _ count: Int) -> String {
        (0..<max(0, min(count, 1_000))).map { "Sentence \($0) of the long story of \(text)." }.joined(separator: "\n")
    }
}
