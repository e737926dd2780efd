/// A promise that was not kept.
struct Breach: Equatable, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case notLogged = "acknowledged to its sender, and not in the log"
        case loggedTwice = "more than once in the log"
        case unfinished = "in the log, and not in a state that it ends in"
        case notAnswered = "not answered, and its sender not told that it was interrupted"
        case answeredTwice = "answered by more than one message"
        case interruptedAnyway = "idempotent, and called interrupted"
        case answeredAndInterrupted = "answered, and called interrupted"
        case toldTwice = "called interrupted by more than one message"
        case effectTwice = "its effect stands twice"
        case effectMissing = "answered without its effect"
        case answersInLog = "handled or interrupted, and not with one answer in the log"
        case unexpectedWords = "the bot said what nobody asked for"
        case ended = "the bot ended as nobody had asked"
        case unsound = "the journal is not sound"
        case unsettled = "not everything came to an end"
    }

    var kind: Kind
    /// The message that it is about, where it is about one.
    var message: String?
    /// What the log has and what the person heard.
    var details: [String] = []
}
