/// Lines that repeat what somebody else said, marked by hand with `>` or `»` (XEP-0393).
enum Quotation {
    /// The text from its first line that is neither quoted nor blank, if a quoted one stands before it; else all of it.
    static func skipped(in text: String) -> String {
        guard let start = startOfOwnWords(text.utf8.span), start > 0 else { return text }
        return String(text[text.utf8.index(text.startIndex, offsetBy: start)...])
    }

    /// Nil where nothing is quoted.
    private static func startOfOwnWords(_ text: Span<UInt8>) -> Int? {
        var hasQuote = false
        var index = 0
        while index < text.count {
            let line = index
            while index < text.count, isBlank(text[index]) { index += 1 }
            guard index < text.count else { break }
            if text[index] == newline {
                index += 1
            } else if isMark(text, at: index) {
                hasQuote = true
                while index < text.count, text[index] != newline { index += 1 }
                index = min(index + 1, text.count)
            } else {
                return hasQuote ? line : nil
            }
        }
        return hasQuote ? text.count : nil
    }

    private static let newline = UInt8(ascii: "\n")

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    private static func isMark(_ text: Span<UInt8>, at index: Int) -> Bool {
        if text[index] == UInt8(ascii: ">") { return true }
        // "»" is C2 BB.
        return text[index] == 0xC2 && index + 1 < text.count && text[index + 1] == 0xBB
    }
}
