/// All the text that is left, as typed: inner line breaks, blanks and quotation marks are kept.
public struct Rest: CommandArgument {
    public let description: ArgumentDescription
    private let fallback: String?

    /// Without a `default`, a command without text is answered with its usage. `help` says what the text is for.
    public init(_ label: String, _ help: String = "", default fallback: String? = nil) {
        self.fallback = fallback
        description = ArgumentDescription(
            label, .rest, help: help, requirement: fallback.map { .defaulted($0) } ?? .required)
    }

    public func read(from reader: inout ArgumentReader) throws(ArgumentProblem) -> String {
        if let text = reader.takeRest() { return text }
        guard let fallback else { throw .missing(description) }
        return fallback
    }
}
