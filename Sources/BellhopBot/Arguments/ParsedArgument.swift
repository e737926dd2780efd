/// The value of one argument as it was given, for commands whose arguments are declared at run time.
package struct ParsedArgument: Sendable, Equatable {
    /// The label of its description.
    package let label: String
    package let value: ParsedValue

    /// The value in its plain form, see `ParsedValue.text`.
    package var text: String { value.text }
}

/// A value that fits the kind of its argument.
package enum ParsedValue: Sendable, Equatable {
    /// The argument is optional and was not given.
    case absent
    case text(String)
    case integer(Int)
    /// Always finite.
    case number(Double)
    case flag(Bool)
    /// As it is declared, however it was typed.
    case choice(String)
    /// Of an argument that repeats; never empty, save where that is the default.
    case list([ParsedValue])

    /// The value in its plain form, the same however it was typed: digits with a `-` in front, `true` or `false`, the
    /// choice as declared. Empty when absent; the values of a list with a blank between them.
    package var text: String {
        switch self {
        case .absent: ""
        case .text(let text): text
        case .integer(let number): String(number)
        case .number(let number): Self.text(of: number)
        case .flag(let flag): flag ? "true" : "false"
        case .choice(let choice): choice
        case .list(let values): values.map(\.text).joined(separator: " ")
        }
    }

    /// As Swift writes it, and a whole one without ".0".
    private static func text(of number: Double) -> String {
        if number == 0 { return "0" }
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
