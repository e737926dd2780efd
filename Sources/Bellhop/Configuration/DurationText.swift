/// Durations as people write them: `30s`, `2m`, `1h`, `2d`.
package enum DurationText {
    private static let units: [(letter: Character, seconds: Int64)] = [
        ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
    ]

    /// The most that is read, in seconds: 100 years.
    static let longest = 36_525 * 86_400

    /// A whole number and a unit; nil for anything else, and for more than 100 years.
    package static func read(_ text: String) -> Duration? {
        guard let letter = text.last, let unit = units.first(where: { $0.letter == letter }) else { return nil }
        let digits = text.dropLast()
        guard (1...10).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(digits), number <= Int64(longest) / unit.seconds
        else { return nil }
        return .seconds(number * unit.seconds)
    }

    /// In the largest unit that needs no fraction.
    package static func show(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        guard seconds != 0, let unit = units.first(where: { seconds % $0.seconds == 0 }) else { return "\(seconds)s" }
        return "\(seconds / unit.seconds)\(unit.letter)"
    }
}
