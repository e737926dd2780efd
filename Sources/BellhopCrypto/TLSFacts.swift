/// What is known of a session when its handshake is done.
package struct TLSFacts: Equatable, Sendable {
    /// `TLS 1.3` or `TLS 1.2`.
    package let version: String
    /// OpenSSL's name of the cipher suite, like `TLS_AES_256_GCM_SHA384`.
    package let cipher: String
    /// What the peer's certificate says of itself; nil when the peer showed none.
    package let certificate: CertificateFacts?
    /// What would be wrong with the certificate if its key alone did not count (`TLSTrust.pins`).
    package let overlooked: [CertificateFault]
}
