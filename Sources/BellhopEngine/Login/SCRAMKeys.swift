internal import BellhopCrypto

/// What PBKDF2 made of a password, kept so that the next login with the same salt need not pay for it again.
///
/// It is worth as much as the password; it never prints its keys.
package struct SCRAMKeys: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// What the keys depend on; all of it, the iteration count too, must be the same for them to be used again.
    struct Origin: Equatable, Sendable {
        let hash: Hash
        let password: [UInt8]
        let salt: [UInt8]
        let iterations: Int
    }

    let origin: Origin
    let client: [UInt8]
    let server: [UInt8]

    /// Derives the keys (RFC 5802 section 3); takes as long as `iterations` asks for.
    init(_ origin: Origin) {
        let hash = origin.hash
        let salted = hash.pbkdf2(password: origin.password, salt: origin.salt, iterations: origin.iterations)
        self.origin = origin
        client = hash.hmac(key: salted, Array("Client Key".utf8))
        server = hash.hmac(key: salted, Array("Server Key".utf8))
    }

    /// The mechanism whose keys they are; whether it was bound to TLS makes no difference to them.
    package var mechanism: SASLMechanism {
        switch origin.hash {
        case .sha1: .scramSHA1
        case .sha256: .scramSHA256
        case .sha512: .scramSHA512
        }
    }

    package var description: String { "keys for \(origin.hash.rawValue), \(origin.iterations) iterations" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
