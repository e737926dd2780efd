package import BellhopCrypto

/// What ties a SCRAM login to the TLS session beneath it (RFC 5802 section 6).
package enum ChannelBinding: Equatable, Sendable {
    /// We do not bind to the channel, whatever the server can do.
    case unsupported
    /// We could, and the server offers nothing of the kind. A server that does fails the login: somebody cut its offer.
    case notOffered
    /// With the type's data of this session.
    case bound(ChannelBindingType, data: [UInt8])

    /// The header in front of the first message.
    var header: String {
        switch self {
        case .unsupported: "n,,"
        case .notOffered: "y,,"
        case .bound(let type, _): "p=\(type.rawValue),,"
        }
    }

    var data: [UInt8] {
        switch self {
        case .unsupported, .notOffered: []
        case .bound(_, let data): data
        }
    }

    package var type: ChannelBindingType? {
        switch self {
        case .unsupported, .notOffered: nil
        case .bound(let type, _): type
        }
    }
}
