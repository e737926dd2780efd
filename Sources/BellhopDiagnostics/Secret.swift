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

    public var description: String { "•••" }
    public var debugDescription: String { "•••" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
