package import BellhopCrypto

/// A way to log in with a token, by its registered name; the order of the cases is the order of preference
/// (XEP-0484, draft-ietf-kitten-sasl-ht).
///
/// Tokens that are bound by `tls-unique` are never used: in TLS 1.3 there is no such thing.
package enum TokenMechanism: String, CaseIterable, Sendable {
    case exporter = "HT-SHA-256-EXPR"
    case endPoint = "HT-SHA-256-ENDP"
    case unbound = "HT-SHA-256-NONE"

    /// What of the TLS session goes into its proofs; nil where nothing does.
    package var binding: ChannelBindingType? {
        switch self {
        case .exporter: .exporter
        case .endPoint: .serverEndPoint
        case .unbound: nil
        }
    }
}
