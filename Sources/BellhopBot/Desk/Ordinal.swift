/// Numbers for what the desk itself says to a message, since two sentences to one message need two ids.
///
/// 0 is for its last word: why nothing came of it. Handlers' answers count from 1, and stay far below the others.
enum Ordinal {
    static let question = 1_000_001
    static let end = 1_000_002
    /// The message waits until a pause is over; what becomes of it then is another sentence.
    static let paused = 1_000_003
    /// The rest of the answers is dropped, and the handler goes on.
    static let tooManyReplies = 1_000_004
}
