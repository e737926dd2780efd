/// Why a TLS context could not be made, or a TLS session failed.
package enum TLSError: Error, Equatable, Sendable {
    /// The peer's certificate was refused; nothing of ours was sent under its key. What it says is nil where it cannot be read.
    case certificate(CertificateFault, of: CertificateFacts?)
    /// The handshake failed otherwise: the peer speaks no TLS, offers nothing that we accept, or refused us.
    case handshake(String)
    /// The peer broke the protocol after the handshake, or the session was used in a wrong order.
    case `protocol`(String)
    /// The file of trusted authorities cannot be read or holds no certificate.
    case trustFile(path: String, reason: String)
    /// The certificate of a server cannot be read, or does not fit its key.
    case identityFile(path: String, reason: String)
    /// The name to connect to is neither a host name nor an address that a certificate could hold.
    case name(String)
    /// OpenSSL could not be set up.
    case setup(String)
}
