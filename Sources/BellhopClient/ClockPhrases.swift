/// The sentences in which an operator learns that a clock is wrong, or that the bot did not run for a while.
enum ClockPhrases {
    static func off(_ lead: Duration) -> String {
        let (length, side) = lead < .zero ? (.zero - lead, "behind") : (lead, "ahead of")
        return
            "The clock of this machine is \(span(length)) \(side) that of the server; the age of late messages is counted "
            + "by the server's. Set this clock (timedatectl), or that of the server if it is the wrong one"
    }

    static let right = "The clock of this machine agrees with that of the server again"

    static func slept(_ duration: Duration) -> String {
        "The bot did not run for \(span(duration)): the process was stopped or the machine slept. "
            + "Commands that waited meanwhile are not run, and their senders are told"
    }

    /// In the two largest units, like `2 h 5 min`.
    static func span(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
        ]
        let shown = parts.drop { $0.0 == 0 }.prefix(2).filter { $0.0 != 0 }.map { "\($0.0) \($0.1)" }
        return shown.isEmpty ? "0 s" : shown.joined(separator: " ")
    }
}
