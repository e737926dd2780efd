import BellhopBot
import BellhopXMPP
import Synchronization

/// The bot of the shared cases: small commands that write down each of their runs.
struct StandardBot: Sendable {
    /// Which way handlers run.
    enum Style: Sendable, CaseIterable {
        /// On the loop's thread.
        case inline
        /// Each in a task of its own.
        case tasks
        /// Each in a task, and run again after a restart.
        case idempotent
    }

    struct Run: Sendable, Equatable, CustomStringConvertible {
        var command: String
        /// The bare address that wrote.
        var sender: String
        /// The text behind the command's name, as it was typed.
        var arguments: String
        /// That text in words, for a command that takes words.
        var words: [String]?

        var description: String { "\(command)(\(arguments)) \(words ?? []) by \(sender)" }
    }

    struct Broken: Error {}

    final class Runs: Sendable {
        private let all = Mutex<[Run]>([])
        func note(_ command: String, _ context: Context, words: [String]? = nil) {
            let run = Run(
                command: command, sender: context.sender.bareText, arguments: context.arguments, words: words)
            all.withLock { $0.append(run) }
        }
        var list: [Run] { all.withLock { $0 } }
    }

    let runs = Runs()
    let clock = VirtualClock()
    let style: Style

    init(_ style: Style = .tasks) { self.style = style }

    private func command(
        _ name: String, _ summary: String, _ label: String,
        run: @escaping @Sendable (Context, String) throws -> String?
    ) -> Command {
        let command = Command(name, summary, Rest(label, default: "")) { [runs] context, text in
            runs.note(name, context)
            return try run(context, text)
        }
        return styled(command)
    }

    private var args: Command {
        let command = Command("args", "Says its words back", Arg<[String]>("words", default: [])) {
            [runs] context, words in
            runs.note("args", context, words: words)
            return words.joined(separator: " ")
        }
        return styled(command)
    }

    private func styled(_ command: Command) -> Command {
        switch style {
        case .inline: return command.inline()
        case .tasks: return command
        case .idempotent: return command.idempotent()
        }
    }

    private func slow(_ name: String, unit: Duration) -> Command {
        let slow = Command(name, "Answers late", Rest("number", default: "1")) { [runs, clock] context, text in
            runs.note(name, context)
            await clock.wait(unit * (Int(text) ?? 1))
            return "done \(text)"
        }
        return style == .idempotent ? slow.idempotent() : slow
    }

    var bot: Bot {
        Bot {
            command("ping", "Answers pong", "text") { _, _ in "pong" }.open()
            command("echo", "Says something back", "text") { _, text in text }.open()
            args.open()
            command("info", "Says what it is", "text") { _, _ in "info" }.open()
            command("deploy", "Deploys", "name") { _, name in "deployed \(name)" }
            command("fail", "Fails", "text") { _, _ in throw Broken() }.open()
            command("big", "Says much", "number") { _, number in
                String(repeating: "x", count: Int(number) ?? 0)
            }.open()
            command("ctrl", "Says what no XML can hold", "text") { _, _ in
                "ok\u{0}\u{1}\u{1A}\u{1B}[31mred\u{FFFE}"
            }.open()
            command("spam", "Answers often", "number") { context, number in
                for index in 0..<(Int(number) ?? 0) { context.reply("spam \(index)") }
                return nil
            }.open()
            slow("slow", unit: .seconds(1)).open()
            slow("slowms", unit: .milliseconds(1)).open()
        }
    }
}
