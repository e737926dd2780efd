/// The line that opened a code block and closes it again: at least three backticks.
///
/// Inside a block that was opened with four, three are text: a block ends only with as many as it began with, and nothing
/// behind them.
struct CodeFence: Equatable, Sendable {
    private let backticks: Int
    /// The word that names the block's language, like `swift`; empty where there was none, or a very long one.
    private let info: String

    /// Longer rows of backticks are text; nobody means them, and repeating them would fill the messages.
    private static let longest = 16
    private static let longestInfo = 24

    /// What opens such a block again, its line end included.
    var opening: String { String(repeating: "`", count: backticks) + info + "\n" }
    /// What closes it, on a line of its own.
    var closing: String { String(repeating: "`", count: backticks) }

    /// Nil unless the line opens a block: backticks, then what names the language, without another backtick.
    init?(opening line: Substring) {
        guard let (count, rest) = Self.row(in: line), count <= Self.longest, !rest.contains("`") else { return nil }
        backticks = count
        let word = rest.drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
        info = word.count <= Self.longestInfo ? String(word) : ""
    }

    func isClosed(by line: Substring) -> Bool {
        guard let (count, rest) = Self.row(in: line) else { return false }
        return count >= backticks && rest.allSatisfy(\.isWhitespace)
    }

    /// The fence behind a line, given the one before it.
    static func after(_ line: Substring, inside fence: CodeFence?) -> CodeFence? {
        guard let fence else { return CodeFence(opening: line) }
        return fence.isClosed(by: line) ? nil : fence
    }

    /// The backticks at the start of a line, behind at most three blanks, and what follows them.
    private static func row(in line: Substring) -> (count: Int, rest: Substring)? {
        let text = line.drop { $0 == " " }
        guard line.utf8.count - text.utf8.count <= 3 else { return nil }
        let rest = text.drop { $0 == "`" }
        let count = text.utf8.count - rest.utf8.count
        return count >= 3 ? (count, rest) : nil
    }
}
