internal import BellhopXMPP

/// What the desk says about itself: whether it is paused, and how it shows itself.
extension Phrases {
    // MARK: To whoever writes

    static func paused(maxAge: Duration) -> String {
        "I am paused. I run this if I am resumed within \(period(maxAge)); after that, please send it again."
    }

    static let pausedAndFull = "I am paused, and too much waits already. Please send it again later."

    static func pausedWhileWorking(_ text: String) -> String {
        "I was paused while I worked on \u{201C}\(shortened(text))\u{201D}, so I stopped it. "
            + "If it is still needed, please send it again later."
    }

    /// What contacts see beside the presence.
    static let pausedStatus = "Paused"

    // MARK: To admins

    /// What only some may use, in two lines, since it is much.
    static func operatingHelp(_ builtins: [Builtin], prefix: String) -> String {
        let names = builtins.map { prefix + $0.rawValue }.joined(separator: ", ")
        return "To look after me: \(names).\n\(prefix)help NAME says more of each."
    }

    static let pauseBegan =
        "I am paused: no handler runs and no answer leaves until somebody says resume. What people write is logged and waits."

    static func pausedBy(_ who: String) -> String {
        "I was paused by \(who): no handler runs and no answer leaves until somebody says resume."
    }

    static func alreadyPaused(_ pause: Pause) -> String {
        "I am paused already, since \(minute(pause.since)), by \(pause.by)."
    }

    static func pauseEnded(_ resumption: Resumption) -> String {
        var sentences = ["I go on."]
        switch resumption.run {
        case 0: break
        case 1: sentences.append("1 command that waited runs now.")
        default: sentences.append("\(resumption.run) commands that waited run now.")
        }
        switch resumption.late {
        case 0: break
        case 1: sentences.append("1 waited for too long and is not run.")
        default: sentences.append("\(resumption.late) waited for too long and are not run.")
        }
        return sentences.joined(separator: " ")
    }

    static func resumedBy(_ who: String) -> String { "I was resumed by \(who) and go on." }

    static let notPaused = "I am not paused."

    static let noStatus = "There is no connection here of which I could tell."

    static let noReload = "There is no configuration here that I could read again."

    static func takesNothing(_ builtin: Builtin) -> String {
        "\(builtin.rawValue) takes nothing behind it; I did nothing."
    }

    static func presence(_ shown: Availability, isPaused: Bool) -> String {
        let words = shown.show.rawValue + (shown.status.map { ": \($0)" } ?? "")
        return isPaused
            ? "I am paused, and contacts see \(Show.dnd.rawValue): \(pausedStatus). When I am resumed they see \(words)"
            : "Contacts see \(words)"
    }

    static let presenceUsage =
        "Show what? Like: presence away back at 9, or presence reset. There are available, away, chat, dnd and xa."

    static func statusTooLong(limit: Int) -> String {
        "That text is too long for a status; \(limit) bytes are the most."
    }

    /// `2026-11-30 03:31 UTC`.
    private static func minute(_ moment: Timestamp) -> String {
        let text = moment.description
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }

    private static func period(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        let (count, unit) = seconds % 60 == 0 ? (seconds / 60, "minute") : (seconds, "second")
        return count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
    }
}
