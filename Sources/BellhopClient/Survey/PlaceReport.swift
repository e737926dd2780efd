package import BellhopCrypto
package import BellhopEngine
package import BellhopTransport
internal import BellhopXMPP

/// What one place where the server may be shows to somebody who does not log in.
package struct PlaceReport: Equatable, Sendable {
    package var target: ServerTarget
    /// The numeric address that took the connection, and after how long.
    package var address: String?
    package var connectTime: Duration?
    /// Nil where TLS did not come about.
    package var tls: TLSFacts?
    /// The last that the server offered; inside TLS where that came about.
    package var features: ServerFeatures?
    /// How the bot would log in here, like `SCRAM-SHA-256`.
    package var login: String?
    /// Why a bot would not get as far as its login here; nil where it would.
    package var trouble: Trouble?

    package init(target: ServerTarget) { self.target = target }

    package struct Trouble: Equatable, Sendable {
        package var stage: Stage
        /// What failed, with what, and often what to do.
        package var sentence: String
        /// The certificate that was refused, as far as it can be read.
        package var certificate: CertificateFacts?

        /// Why a bot that knows of no other place ends here; nil where it tries again.
        package var stop: RetryPolicy.StopReason?

        package init(stage: Stage, sentence: String, certificate: CertificateFacts? = nil) {
            self.stage = stage
            self.sentence = sentence
            self.certificate = certificate
        }
    }

    /// Where it went wrong.
    package enum Stage: Equatable, Sendable {
        /// There is no connection, or it broke.
        case connection
        /// Who answered does not serve the account's domain.
        case domain
        /// Who answered speaks no XMPP that the bot knows, or ends the stream with an error.
        case stream
        case encryption
        case certificate
        /// There is no way to log in that both sides have.
        case mechanisms
        /// The server sends its clients to another place.
        case redirection
    }
}

extension PlaceReport.Trouble {
    init(_ cause: BreakCause, _ settings: AccountSettings) {
        var certificate: CertificateFacts?
        switch cause {
        case .link(.tls(.certificate(_, let facts)), _):
            stage = .certificate
            certificate = facts
        case .link(.tls, _), .negotiation(.encryptionNotOffered), .negotiation(.encryptionRefused),
            .negotiation(.injectedBeforeTLS), .negotiation(.tlsFailed):
            stage = .encryption
        case .negotiation(.login): stage = .mechanisms
        case .negotiation(.streamError(let error, _, _)):
            stage =
                switch error.condition {
                case .seeOtherHost: .redirection
                case .hostUnknown, .hostGone: .domain
                default: .stream
                }
        case .negotiation(.unreadable), .negotiation(.notAStream), .negotiation(.unsupportedVersion),
            .negotiation(.unexpected):
            stage = .stream
        case .transport, .link, .negotiation, .nowhere, .everyTarget, .streamError, .streamClosed, .silent,
            .miscounted, .unreadable:
            stage = .connection
        }
        sentence = LoginPhrases.sentence(cause, settings: settings)
        self.certificate = certificate
        if case .stop(let reason) = cause.verdict(everOnline: false, redirects: 0) { stop = reason }
    }
}
