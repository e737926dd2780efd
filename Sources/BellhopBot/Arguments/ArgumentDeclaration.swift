/// What an argument was declared with.
///
/// A class, because a command copies its arguments for each call, and a description holds many references.
final class ArgumentDeclaration<Value: Sendable>: Sendable {
    let description: ArgumentDescription
    /// What stands in its place when it is not given; nil where it must be.
    private let absent: Value?

    init(_ description: ArgumentDescription, absent: Value?) {
        self.description = description
        self.absent = absent
    }

    func valueWhenAbsent() throws(ArgumentProblem) -> Value {
        guard let absent else { throw .missing(description) }
        return absent
    }
}
