/// One argument of a command: `Arg` or `Rest`.
///
/// A kind of value of one's own is not another of these, but an `ArgumentValue` for `Arg`.
public protocol CommandArgument: Sendable {
    associatedtype Value: Sendable

    /// What the argument accepts, and what its help says.
    var description: ArgumentDescription { get }
    /// Takes the value from the front of the text that is left.
    func read(from reader: inout ArgumentReader) throws(ArgumentProblem) -> Value
}
