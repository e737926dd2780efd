/// What the bot said, as far as it is about one of our messages.
enum HeardWords: Equatable, Sendable {
    case answer(to: String)
    /// The bot was restarted while it worked on the command.
    case interruption(of: String)
    case other

    init(_ body: String) {
        guard let word = body.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).first(where: Self.isID) else {
            self = .other
            return
        }
        let id = String(word)
        if ChaosCommand.allCases.contains(where: { body == "\($0.rawValue): \(id)" }) {
            self = .answer(to: id)
        } else if body.hasPrefix("I was restarted while I worked on ") {
            self = .interruption(of: id)
        } else {
            self = .other
        }
    }

    private static func isID(_ word: Substring) -> Bool {
        word.first == "m" && word.count >= 5 && word.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    }
}
