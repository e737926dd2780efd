internal import BellhopCrypto

/// A way to log in, by its registered name; the order of the cases is the order of preference.
package enum SASLMechanism: String, CaseIterable, Sendable {
    case scramSHA512 = "SCRAM-SHA-512"
    case scramSHA256 = "SCRAM-SHA-256"
    case scramSHA1 = "SCRAM-SHA-1"
    case plain = "PLAIN"

    /// Whether the server proves that it knows the password too, and never sees it.
    package var isSCRAM: Bool { hash != nil }

    /// The hash function of SCRAM; nil for PLAIN.
    var hash: Hash? {
        switch self {
        case .scramSHA512: .sha512
        case .scramSHA256: .sha256
        case .scramSHA1: .sha1
        case .plain: nil
        }
    }

    /// What may be used: every SCRAM, and PLAIN where the operator allows it and no SCRAM worked before.
    ///
    /// A server that once took SCRAM and then offers PLAIN alone is more likely somebody else's.
    package static func usable(allowsPlain: Bool, proven: SASLMechanism?) -> [SASLMechanism] {
        allCases.filter { $0.isSCRAM || (allowsPlain && proven?.isSCRAM != true) }
    }
}
