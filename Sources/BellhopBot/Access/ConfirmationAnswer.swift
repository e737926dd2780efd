/// What a person answers to "really?".
enum ConfirmationAnswer: Equatable {
    case yes
    case no

    /// Reads one word, with the prefix or not, in any case, full stop or exclamation mark behind it; nil for all else.
    init?(_ text: String, prefix: String) {
        var words = text.split(whereSeparator: \.isSeparator)[...]
        guard var word = words.popFirst(), words.isEmpty else { return nil }
        if word.hasPrefix(prefix) { word = word.dropFirst(prefix.count) }
        while let last = word.last, last == "." || last == "!" { word.removeLast() }
        switch word.lowercased() {
        case "yes", "y", "yep", "ok": self = .yes
        case "no", "n", "nope": self = .no
        default: return nil
        }
    }
}
