/// A pattern with `*` (any run of characters, none included) and `?` (exactly one Unicode scalar), matched against a
/// whole text.
///
/// A match takes at most the length of the pattern times the length of the text in steps, whatever both hold: only the
/// latest `*` is ever tried again, and never does one try start another.
public struct Glob: Hashable, Sendable {
    public let pattern: String

    public init(_ pattern: String) {
        self.pattern = pattern
    }

    /// Whether the pattern fits the whole text; letters are compared as they are, so prepare both.
    public func matches(_ text: String) -> Bool {
        Glob.matches(pattern.utf8.span, text.utf8.span)
    }

    private static func matches(_ pattern: Span<UInt8>, _ text: Span<UInt8>) -> Bool {
        var inPattern = 0
        var inText = 0
        // Behind the latest star, and where its run ends for now.
        var retry: (pattern: Int, text: Int)?
        while inText < text.count {
            if inPattern < pattern.count, pattern[inPattern] == UInt8(ascii: "*") {
                inPattern += 1
                retry = (inPattern, inText)
            } else if inPattern < pattern.count, pattern[inPattern] == UInt8(ascii: "?") {
                inPattern += 1
                inText = nextScalar(in: text, after: inText)
            } else if inPattern < pattern.count, pattern[inPattern] == text[inText] {
                inPattern += 1
                inText += 1
            } else if let last = retry {
                let longer = nextScalar(in: text, after: last.text)
                retry = (last.pattern, longer)
                (inPattern, inText) = (last.pattern, longer)
            } else {
                return false
            }
        }
        while inPattern < pattern.count, pattern[inPattern] == UInt8(ascii: "*") { inPattern += 1 }
        return inPattern == pattern.count
    }

    private static func nextScalar(in text: Span<UInt8>, after index: Int) -> Int {
        var next = index + 1
        while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}
