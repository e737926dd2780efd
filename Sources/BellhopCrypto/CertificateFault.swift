/// What is wrong with a peer's certificate.
package enum CertificateFault: Hashable, Sendable {
    case expired
    case notYetValid
    /// It is valid itself, but one of the authorities between it and a trusted one is not, or not yet.
    case authorityExpired
    case authorityNotYetValid
    /// Signed by an authority that is not among the trusted ones.
    case unknownAuthority
    /// Signed by itself, and not itself among the trusted ones.
    case selfSigned
    /// Valid, but none of its names is this one.
    case wrongName(wanted: String)
    /// It names neither a host nor an address, so it can prove no name (RFC 9525 section 2).
    case nameless(wanted: String)
    /// Its key is none of the pinned ones.
    case wrongKey(pinned: [CertificatePin])
    /// It is made for other ends than proving a server's (or here a client's) name.
    case wrongPurpose
    /// A key or a signature in its chain is too weak, in OpenSSL's words.
    case weak(String)
    /// Any other reason, in OpenSSL's words.
    case other(String)
}
