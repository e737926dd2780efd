/// One word behind a command as a value: `Arg<String>("unit")`, `Arg<Int>("grace", default: 5)`, `Arg<Level?>("level")`.
///
/// The value may be a `String`, `Int`, `Double`, `Bool`, `JID`, or any type that is an `ArgumentValue`, such as an enum of
/// choices. Several words in quotes are one. `Arg<[Int]>("numbers")` takes all the words that are left.
public struct Arg<Value: Sendable>: CommandArgument {
    private let declaration: ArgumentDeclaration<Value>
    private let convert: @Sendable (ParsedValue, ArgumentDescription) throws(ArgumentProblem) -> Value

    public var description: ArgumentDescription { declaration.description }

    public func read(from reader: inout ArgumentReader) throws(ArgumentProblem) -> Value {
        let description = declaration.description
        if let parsed = try reader.take(description) { return try convert(parsed, description) }
        return try declaration.valueWhenAbsent()
    }

    private static func value<Result: ArgumentValue>(
        _ parsed: ParsedValue, _ argument: ArgumentDescription
    ) throws(ArgumentProblem) -> Result {
        let text = parsed.text
        guard let value = Result(argumentText: text) else { throw .unfit(argument, given: text) }
        return value
    }
}

extension Arg where Value: ArgumentValue {
    /// An argument that must be given, or is this `default`; `help` says what it is for, like "seconds to wait".
    public init(_ label: String, _ help: String = "", default fallback: Value? = nil) {
        declaration = ArgumentDeclaration(
            ArgumentDescription(
                label, Value.argumentKind, help: help,
                requirement: fallback.map { .defaulted($0.argumentText) } ?? .required,
                expectation: Value.argumentExpectation), absent: fallback)
        convert = Self.value
    }
}

extension Arg {
    /// An argument that is nil when it is not given.
    public init<Wrapped: ArgumentValue>(_ label: String, _ help: String = "") where Value == Wrapped? {
        declaration = ArgumentDeclaration(
            ArgumentDescription(
                label, Wrapped.argumentKind, help: help, requirement: .optional,
                expectation: Wrapped.argumentExpectation), absent: .some(nil))
        convert = { parsed, argument throws(ArgumentProblem) in
            let value: Wrapped = try Self.value(parsed, argument)
            return value
        }
    }

    /// All the words that are left, at least one unless there is a `default`.
    public init<Element: ArgumentValue>(
        _ label: String, _ help: String = "", default fallback: [Element]? = nil
    ) where Value == [Element] {
        declaration = ArgumentDeclaration(
            ArgumentDescription(
                label, Element.argumentKind, help: help,
                requirement: fallback.map { .defaulted($0.map(\.argumentText).joined(separator: " ")) } ?? .required,
                repeats: true, expectation: Element.argumentExpectation), absent: fallback)
        convert = { parsed, argument throws(ArgumentProblem) in
            guard case .list(let words) = parsed else { return [try Self.value(parsed, argument)] }
            var values: [Element] = []
            for word in words { values.append(try Self.value(word, argument)) }
            return values
        }
    }
}
