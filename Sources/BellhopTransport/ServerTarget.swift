/// Where a server is, and how it is spoken to there.
package struct ServerTarget: Hashable, Sendable, CustomStringConvertible {
    package var endpoint: Endpoint
    package var security: Security

    package enum Security: Hashable, Sendable {
        /// A stream in the clear first, which asks for TLS (RFC 6120 section 5).
        case startTLS
        /// TLS before anything else (XEP-0368).
        case directTLS

        /// The port that is meant where none is named.
        package var standardPort: UInt16 {
            switch self {
            case .startTLS: 5222
            case .directTLS: 5223
            }
        }
    }

    package init(_ endpoint: Endpoint, _ security: Security = .startTLS) {
        self.endpoint = endpoint
        self.security = security
    }

    package var description: String {
        switch security {
        case .startTLS: "\(endpoint)"
        case .directTLS: "\(endpoint) (direct TLS)"
        }
    }
}
