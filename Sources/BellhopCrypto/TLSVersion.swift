/// The versions of TLS that are spoken; older ones are broken (RFC 8996).
package enum TLSVersion: Comparable, Sendable {
    /// RFC 5246, with forward secrecy and authenticated encryption only.
    case tls12
    /// RFC 8446.
    case tls13
}
