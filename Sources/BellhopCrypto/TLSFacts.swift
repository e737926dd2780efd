/// What is known of a session when its handshake is done.
package struct TLSFacts: Equatable, Sendable {
    /// `TLS 1.3` or `TLS 1.2`.
    package let version: String
    /// OpenSSL's name of the cipher suite, like `TLS_AES_256_GCM_SHA384`.
    package let cipher: String
    /// The DNS names and addresses of the peer's certificate; empty when the peer showed none.
    package let certificateNames: [String]
    /// When the peer's certificate expires, in seconds since 1970; nil when the peer showed none.
    package let certificateNotAfter: Int64?
}
