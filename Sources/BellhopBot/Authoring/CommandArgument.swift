/// One argument of a command: it reads its value from the text behind the command's name.
public protocol CommandArgument: Sendable {
    associatedtype Value: Sendable

    /// What the argument is called in the help, like `text`.
    var label: String { get }
    /// Whether it takes everything that is left, so that nothing can stand behind it.
    var takesRest: Bool { get }
    /// Whether the command runs without it.
    var isOptional: Bool { get }
    /// Reads the value, and takes what it read from the front of `text`.
    func read(from text: inout Substring) throws -> Value
}

/// All the text behind the command, as typed: inner line breaks and blanks are kept.
public struct Rest: CommandArgument {
    public let label: String
    private let fallback: String?

    /// Without a `default`, a command without text is answered with its usage.
    public init(_ label: String, default fallback: String? = nil) {
        self.label = label
        self.fallback = fallback
    }

    public var takesRest: Bool { true }
    public var isOptional: Bool { fallback != nil }

    public func read(from text: inout Substring) throws -> String {
        guard !text.isEmpty else {
            guard let fallback else { throw ArgumentProblem.missing(label) }
            return fallback
        }
        defer { text = "" }
        return String(text)
    }
}

/// One word of the text behind the command, ended by white space.
public struct Word: CommandArgument {
    public let label: String
    private let fallback: String?

    /// Without a `default`, a command without this word is answered with its usage.
    public init(_ label: String, default fallback: String? = nil) {
        self.label = label
        self.fallback = fallback
    }

    public var takesRest: Bool { false }
    public var isOptional: Bool { fallback != nil }

    public func read(from text: inout Substring) throws -> String {
        let word = text.prefix { !$0.isSeparator }
        guard !word.isEmpty else {
            guard let fallback else { throw ArgumentProblem.missing(label) }
            return fallback
        }
        text = text[word.endIndex...].drop { $0.isSeparator }
        return String(word)
    }
}

/// Why the text behind a command does not fit its arguments; answered with the command's usage.
public enum ArgumentProblem: Error, Equatable, Sendable {
    case missing(String)
    case invalid(String, value: String)
    /// Text stands behind the last argument.
    case tooMuch(String)
}

/// What the help needs to know of an argument.
struct ArgumentDescription: Sendable, Equatable {
    var label: String
    var takesRest: Bool
    var isOptional: Bool

    init(_ argument: some CommandArgument) {
        label = argument.label
        takesRest = argument.takesRest
        isOptional = argument.isOptional
    }
}

extension Character {
    /// Whether it separates words: Unicode White_Space, and CR LF, which Swift sees as one character.
    var isSeparator: Bool { unicodeScalars.allSatisfy { $0.properties.isWhitespace } }
}
