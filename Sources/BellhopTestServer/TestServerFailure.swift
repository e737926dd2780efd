/// A fact that a script waited for did not come.
package struct TestServerFailure: Error, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        case impatient(Duration)
        /// Nothing more can come, and why.
        case ended(String)
        case cancelled
        /// It came, and was wrong.
        case wrong(String)
    }

    /// The reason where a `Result` needs an error.
    struct Refusal: Error {
        var reason: Reason
    }

    package var wanted: String
    package var reason: Reason
    /// What had come and nobody had asked for.
    package var instead: [String]

    package var description: String {
        let why =
            switch reason {
            case .impatient(let patience): "it did not come in \(patience)"
            case .ended(let reason): reason
            case .cancelled: "the test was cancelled"
            case .wrong(let reason): reason
            }
        let rest = instead.isEmpty ? "nothing else had come" : "unread: \(instead.joined(separator: " "))"
        return "waited for \(wanted): \(why); \(rest)"
    }
}
