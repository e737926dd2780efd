/// What a handler may return: a text, or nil for no answer. Handlers that return nothing are fine too.
public protocol HandlerResult: Sendable {
    /// The answer to send; nil or empty sends nothing.
    var answer: String? { get }
}

extension String: HandlerResult {
    public var answer: String? { self }
}

extension Optional: HandlerResult where Wrapped == String {
    public var answer: String? { self }
}

/// An error whose sentence is meant for the person who sent the command.
///
/// Every other error is shown as one general sentence with a code, and in full only in the log.
public protocol UserFacingError: Error {
    /// One sentence that says what failed and what to do.
    var sentence: String { get }
}

/// A failure that the person may read, for handlers that need no error type of their own.
public struct Failure: UserFacingError, Equatable {
    public var sentence: String

    public init(_ sentence: String) { self.sentence = sentence }
}
