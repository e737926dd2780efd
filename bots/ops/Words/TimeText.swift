/// Stretches of time for people.
enum TimeText {
    /// Its two largest parts, like `12 days 4 h`, `4 h 37 min` or `42 s`.
    static func show(seconds: UInt64) -> String {
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days) \(days == 1 ? "day" : "days")" + part(hours, "h") }
        if hours > 0 { return "\(hours) h" + part(minutes, "min") }
        if minutes > 0 { return "\(minutes) min" + part(seconds % 60, "s") }
        return "\(seconds) s"
    }

    private static func part(_ number: UInt64, _ unit: String) -> String { number > 0 ? " \(number) \(unit)" : "" }
}
