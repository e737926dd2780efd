/// Why the text behind a command does not fit its arguments; answered with one sentence and the command's usage.
public indirect enum ArgumentProblem: Error, Equatable, Sendable {
    case missing(ArgumentDescription)
    /// What was given is nothing of the kind.
    case unfit(ArgumentDescription, given: String)
    /// What was given is a number, and one that is too large to be held.
    case outOfRange(ArgumentDescription, given: String)
    /// This stands behind the last argument.
    case tooMuch(String)
}
