package import BellhopXML
package import BellhopXMPP

/// Why a connection did not become a session, as data; the edge phrases it.
package enum NegotiationFailure: Error, Equatable, Sendable {
    /// The server offers no STARTTLS and a stream in the clear is not allowed; nothing secret was sent.
    case encryptionNotOffered
    /// The server offered STARTTLS and then refused it.
    case encryptionRefused
    /// Something came between the server's `<proceed/>` and the handshake: somebody writes into the stream.
    case injectedBeforeTLS
    /// The handshake failed or the certificate is not that of the domain; the caller knows the details.
    case tlsFailed
    case login(SASLFailure)
    case registration(RegistrationFailure)
    /// The server took the login and offers no resource binding.
    case bindNotOffered
    case bindRefused(StanzaError)
    /// The server's answer to bind holds no full address.
    case malformedBinding
    case sessionRefused(StanzaError)
    /// The server speaks an XMPP before 1.0, which has neither TLS nor SASL; nil when it names no version.
    case unsupportedVersion(String?)
    /// What answered opened something else than a stream.
    case notAStream(root: String)
    case streamError(StreamError, during: NegotiationPhase, encrypted: Bool)
    /// The server's bytes cannot be read.
    case unreadable(StreamFault, during: NegotiationPhase)
    case unexpected(element: String, during: NegotiationPhase)
    /// The server ended the stream or the connection.
    case closed(during: NegotiationPhase)
    case timeLimitReached(during: NegotiationPhase)

    /// The stream error to write before the stream is closed; nil when there is nothing to say (RFC 6120 section 4.9).
    package var parting: StreamError? {
        switch self {
        case .unsupportedVersion: StreamError(.unsupportedVersion)
        case .notAStream: StreamError(.invalidNamespace)
        case .unexpected: StreamError(.unsupportedStanzaType)
        case .unreadable(let fault, _): StreamError(fault: fault)
        case .encryptionNotOffered, .encryptionRefused, .injectedBeforeTLS, .tlsFailed, .login, .registration,
            .bindNotOffered, .bindRefused, .malformedBinding, .sessionRefused, .streamError, .closed,
            .timeLimitReached:
            nil
        }
    }
}

/// How far a negotiation had come.
package enum NegotiationPhase: String, Sendable {
    /// Before the first stream header.
    case connecting
    /// Our header is out, the server's is not in.
    case opening
    /// Waiting for the server's features.
    case features
    case startTLS, handshake, login, registration
    /// The account was asked for with all that makes one, and may be there.
    case creation
    case resumption, binding, session
    /// The negotiation is over.
    case finished
}
