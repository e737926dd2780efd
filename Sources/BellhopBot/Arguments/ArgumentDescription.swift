/// What an argument accepts, and what its help says; parsing, usage and help come from this one value.
public struct ArgumentDescription: Sendable, Equatable {
    /// Whether a command runs without the argument.
    public enum Requirement: Sendable, Equatable {
        case required
        case optional
        /// Runs with this text in its place, which must fit the kind; an empty one is shown as "optional".
        case defaulted(String)
    }

    /// What the argument is called, like `unit`; people see it in capitals.
    public var label: String
    public var kind: ArgumentKind
    /// What it is for, like "seconds to wait"; may be empty.
    public var help: String
    public var requirement: Requirement
    /// Whether it takes all the words that are left, one value each.
    public var repeats: Bool
    /// What is expected, in words like "an address"; nil says what the kind says.
    public var expectation: String?

    public init(
        _ label: String, _ kind: ArgumentKind, help: String = "", requirement: Requirement = .required,
        repeats: Bool = false, expectation: String? = nil
    ) {
        self.label = label
        self.kind = kind
        self.help = help
        self.requirement = requirement
        self.repeats = repeats
        self.expectation = expectation
    }

    /// Whether nothing can stand behind it.
    package var takesAll: Bool {
        if case .rest = kind { true } else { repeats }
    }

    package var isRequired: Bool {
        if case .required = requirement { true } else { false }
    }
}

/// What kind of value an argument is.
public enum ArgumentKind: Sendable, Equatable {
    /// One word, or several in quotes.
    case text
    /// A whole number of 64 bits.
    case integer
    /// A finite number.
    case number
    /// Yes or no.
    case flag
    /// One of these, in any case of letters.
    case choice([String])
    /// All the text that is left, as typed.
    case rest
}
