/// By what a client tells the server's certificate from everybody else's.
package enum TLSTrust: Equatable, Sendable {
    /// The authorities of the system; `SSL_CERT_FILE` and `SSL_CERT_DIR` of the environment count.
    case system
    /// The certificates in this PEM file and no others: authorities, or the server's own certificate.
    case file(String)
    /// The key alone: whoever holds one of these keys is the server, whoever signed the certificate, whatever names and dates
    /// stand in it. This is DANE-EE of RFC 7671 section 5.1, with the operator in the place of DNS.
    case pins([CertificatePin])
    /// Both: a certificate that the file's authorities prove, with one of these keys (PKIX-EE, RFC 7671 section 5.3).
    case fileAndPins(String, [CertificatePin])

    /// No pins and no file is the system.
    package init(file: String?, pins: [CertificatePin]) {
        self =
            switch (file, pins.isEmpty) {
            case (nil, true): .system
            case (let file?, true): .file(file)
            case (nil, false): .pins(pins)
            case (let file?, false): .fileAndPins(file, pins)
            }
    }

    var file: String? {
        switch self {
        case .system, .pins: nil
        case .file(let file), .fileAndPins(let file, _): file
        }
    }

    var pins: [CertificatePin] {
        switch self {
        case .system, .file: []
        case .pins(let pins), .fileAndPins(_, let pins): pins
        }
    }
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
