/// What of a TLS session a login can be bound to, so that whoever relays it between two sessions is found out.
///
/// The raw value is the type's registered name, as SCRAM and XEP-0440 write it. `tls-unique` is missing on purpose: it is
/// undefined for TLS 1.3, and a session of TLS 1.2 may share it with another (RFC 9266 section 1).
package enum ChannelBindingType: String, CaseIterable, Sendable {
    /// 32 bytes that both ends derive from the session's secrets (RFC 9266).
    case exporter = "tls-exporter"
    /// The hash of the server's certificate (RFC 5929 section 4): the same for every session with that certificate.
    case serverEndPoint = "tls-server-end-point"
}
