import Bellhop
import FoundationEssentials

/// A bot whose commands take their time, fail, or say what is hard to say.
@main struct FixtureBot: BotMain {
    static let bot = Bot {
        Command("hold", "Says when it has begun, and ends when the file is there", Rest("file")) { context, file in
            context.reply("holding")
            while !FileManager.default.fileExists(atPath: file) {
                try await Task.sleep(for: .milliseconds(10))  // waits for a fact: the test makes the file
            }
            return "released"
        }.open()
        Command("fail", "Throws an error") { _ in throw FixtureFault.secret }.open()
        Command("ctrl", "Says control characters") { _ in "a\u{1}b\u{8}c\u{1B}[31md\u{FFFE}e" }.open()
        Command("big", "Says this many characters", Arg<Int>("count")) { _, count in
            String(repeating: "x", count: max(0, count))
        }.open()
        Command("many", "Says this many answers", Arg<Int>("count")) { context, count in
            for number in 0..<max(0, count) { context.reply("answer \(number)") }
        }.open()
        Command("mirror", "Says it back at once", Rest("text")) { _, text in "mirror: \(text)" }.open().inline()
        Command("ponder", "Says it back after a while; may be done again", Rest("text")) { _, text in
            try await EffectFile.pause()
            return "ponder: \(text)"
        }.open().idempotent()
        Command("note", "Writes a line into the file of effects", Rest("text")) { context, text in
            try await EffectFile.pause()
            try EffectFile.append(text, in: context.stateFolder)
            try await EffectFile.pause()
            return "note: \(text)"
        }.open()
        Otherwise { _, text in text }.open()
    }
}

/// What `fail` throws; its name must reach the log and nobody else.
enum FixtureFault: Error {
    case secret
    /// What `note` throws where it cannot write.
    case file
}
