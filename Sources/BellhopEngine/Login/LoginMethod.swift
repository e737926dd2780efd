package import BellhopCrypto

/// How a session was logged in.
package enum LoginMethod: Equatable, Sendable {
    case sasl(SASLMechanism, binding: ChannelBindingType? = nil)
    /// With what the server gave out at an earlier login (XEP-0484).
    case token(TokenMechanism)
    /// jabber:iq:auth (XEP-0078).
    case legacy(LegacyLogin.Proof)

    /// For logs, like `SCRAM-SHA-256-PLUS (tls-exporter)`.
    package var name: String {
        switch self {
        case .sasl(let mechanism, nil): mechanism.rawValue
        case .sasl(let mechanism, let type?): "\(mechanism.rawValue) (\(type.rawValue))"
        case .token(let mechanism): mechanism.rawValue
        case .legacy(let proof): "jabber:iq:auth (\(proof.rawValue))"
        }
    }
}
