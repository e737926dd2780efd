internal import BellhopCrypto

/// A way to log in, by its registered name; the order of the cases is the order of preference.
///
/// That a login is bound to its TLS session counts for more than the hash function: -PLUS with SHA-1 still finds out whoever
/// relays it.
package enum SASLMechanism: String, CaseIterable, Sendable {
    /// The TLS session's client certificate says who we are (RFC 4422 appendix A, XEP-0178).
    case external = "EXTERNAL"
    case scramSHA512Plus = "SCRAM-SHA-512-PLUS"
    case scramSHA256Plus = "SCRAM-SHA-256-PLUS"
    case scramSHA1Plus = "SCRAM-SHA-1-PLUS"
    case scramSHA512 = "SCRAM-SHA-512"
    case scramSHA256 = "SCRAM-SHA-256"
    case scramSHA1 = "SCRAM-SHA-1"
    case plain = "PLAIN"

    /// Whether it comes before another one.
    func isPreferred(to other: SASLMechanism) -> Bool {
        Self.allCases.first { $0 == self || $0 == other } == self && self != other
    }

    /// Whether the server proves that it knows the password too, and never sees it.
    package var isSCRAM: Bool { hash != nil }

    /// Whether the login is bound to its TLS session.
    package var isBound: Bool {
        switch self {
        case .scramSHA512Plus, .scramSHA256Plus, .scramSHA1Plus: true
        case .external, .scramSHA512, .scramSHA256, .scramSHA1, .plain: false
        }
    }

    /// The hash function of SCRAM; nil for the others.
    var hash: Hash? {
        switch self {
        case .scramSHA512Plus, .scramSHA512: .sha512
        case .scramSHA256Plus, .scramSHA256: .sha256
        case .scramSHA1Plus, .scramSHA1: .sha1
        case .external, .plain: nil
        }
    }
}
