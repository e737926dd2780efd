/// Names the one key that a certificate may have, by its hash: the certificate may be renewed, as long as the key stays.
///
/// Written as `sha256:` and the Base64 of the SHA-256 of the key as it stands in the certificate (SubjectPublicKeyInfo), which
/// is what RFC 7469 section 2.4 and DANE's `1 1` records (RFC 7671) hash, too.
package struct CertificatePin: Hashable, Sendable, CustomStringConvertible {
    private let digest: [UInt8]

    /// Reads the written form; nil for anything else.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.scheme), let digest = Base64.decode(String(text.dropFirst(Self.scheme.count))),
            digest.count == 32
        else { return nil }
        self.digest = digest
    }

    /// The pin of a key in DER.
    package init(key: [UInt8]) {
        digest = Hash.sha256.digest(key)
    }

    package var description: String { Self.scheme + Base64.encode(digest) }

    var bytes: [UInt8] { digest }

    private static let scheme = "sha256:"
}
