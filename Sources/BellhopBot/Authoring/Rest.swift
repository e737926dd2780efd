/// All the text that is left, as typed: inner line breaks, blanks and quotation marks are kept.
public struct Rest: CommandArgument {
    private let declaration: ArgumentDeclaration<String>

    /// Without a `default`, a command without text is answered with its usage. `help` says what the text is for.
    public init(_ label: String, _ help: String = "", default fallback: String? = nil) {
        declaration = ArgumentDeclaration(
            ArgumentDescription(
                label, .rest, help: help, requirement: fallback.map { .defaulted($0) } ?? .required),
            absent: fallback)
    }

    public var description: ArgumentDescription { declaration.description }

    public func read(from reader: inout ArgumentReader) throws(ArgumentProblem) -> String {
        if let text = reader.takeRest() { return text }
        return try declaration.valueWhenAbsent()
    }
}
