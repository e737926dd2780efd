/// What a certificate says of itself. All text is a stranger's: bounded, and without characters that move a cursor or turn the
/// direction of writing.
package struct CertificateFacts: Equatable, Sendable {
    /// Its DNS names and addresses, of which one must be the wanted one; at most `nameLimit` of them.
    package let names: [String]
    /// How many more names it has.
    package let furtherNames: Int
    /// The subject's common name, which never counts as a host name (RFC 9525 section 2).
    package let commonName: String?
    /// Who signed it, by common name, else by organisation.
    package let issuer: String?
    /// The first and the last moment of its validity, in seconds since 1970.
    package let notBefore: Int64
    package let notAfter: Int64
    /// The pin of its key.
    package let pin: CertificatePin

    package static let nameLimit = 100
}
