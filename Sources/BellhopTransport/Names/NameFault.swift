/// Why name servers did not say what was asked.
package enum NameFault: Error, Hashable, Sendable {
    case unanswered
    /// They answered that they would or could not; the code is that of RFC 1035 section 4.1.1, nil where the system hides it.
    case refused(code: UInt8?)
    /// What they answered is no message of the domain name system.
    case malformed
    /// The name server cannot be reached.
    case unreachable(reason: String)
    /// The name is too long or holds what no name can hold.
    case unaskable
}

extension NameFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unanswered: "the name server did not answer"
        case .refused(2): "the name server failed (SERVFAIL)"
        case .refused(5): "the name server refused (REFUSED)"
        case .refused(let code?): "the name server refused (code \(code))"
        case .refused(nil): "the name server refused"
        case .malformed: "what the name server answered cannot be read"
        case .unreachable(let reason): "no connection to the name server: \(reason)"
        case .unaskable: "this is no name that a name server could be asked"
        }
    }
}
