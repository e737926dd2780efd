/// Which authorities a client trusts.
package enum TLSTrust: Equatable, Sendable {
    /// Those of the system; `SSL_CERT_FILE` and `SSL_CERT_DIR` of the environment count.
    case system
    /// The certificates in this PEM file and no others: authorities, or the server's own certificate.
    case file(String)
}

/// Whom a client wants to reach, which the server's certificate must prove.
package enum TLSName: Equatable, Sendable {
    /// A host name in ASCII, such as `xn--mller-kva.example`: it goes into SNI, and a DNS name of the certificate must match.
    case dns(String)
    /// An IPv4 or IPv6 address, IPv6 with or without brackets: no SNI, and an address of the certificate must match.
    case ip(String)

    /// The name as text, without brackets.
    package var text: String {
        switch self {
        case .dns(let name): name
        case .ip(let address):
            address.hasPrefix("[") && address.hasSuffix("]") ? String(address.dropFirst().dropLast()) : address
        }
    }
}
