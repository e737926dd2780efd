/// A password or token that never prints itself: descriptions, dumps and interpolations show `•••`.
public struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String

    public init(_ value: String) { self.value = value }

    /// The secret itself, for the one place that needs it.
    public func reveal() -> String { value }

    /// The text with the secret cut out wherever it stands: what somebody else says may hold it.
    ///
    /// A secret of less than four characters stays, since cutting it out would tell where it was not.
    package func cut(from text: String) -> String {
        value.count < 4 ? text : text.replacing(value, with: description)
    }

    /// A sentence with the secret cut out of what is quoted in it, from the first quotation mark to the last; our own words stay,
    /// since they know no secret and a gap in them would tell it.
    package func cut(fromQuotationsIn sentence: String) -> String {
        guard let first = sentence.firstIndex(of: "\u{201C}"), let last = sentence.lastIndex(of: "\u{201D}"),
            first < last
        else { return sentence }
        return sentence[..<first] + cut(from: String(sentence[first...last])) + sentence[sentence.index(after: last)...]
    }

    public var description: String { "•••" }
    public var debugDescription: String { "•••" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
