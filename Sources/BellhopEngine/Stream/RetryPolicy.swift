package import BellhopXMPP

/// What to do after a connection failed or a session ended: a person must mend it, or trying again may help.
///
/// | what happened | before it was ever online in this run | after |
/// | --- | --- | --- |
/// | the server refused the login (`not-authorized`, `account-disabled`, ...) | stop: login refused | stop |
/// | `temporary-auth-failure` | retry | retry |
/// | a token is refused | the password, at once | the password, at once |
/// | the server did not prove that it knows the password or the token, or asks for too few or too many iterations | stop: login refused | stop |
/// | the server refused a login bound to the TLS session, or a certificate | stop: login refused | stop |
/// | no SASL mechanism that we may use, PLAIN alone after SCRAM, nothing to bind to where that is required, an offer that contradicts itself | stop: login refused | retry |
/// | tasks that we do not know, a login as another account | stop: login refused | stop |
/// | stream error `conflict` | stop: conflict | stop |
/// | bind refused with `conflict` | stop: conflict | retry, the other may be our own ghost |
/// | stream error `host-unknown` or `host-gone` | stop: domain not served | retry |
/// | no STARTTLS offered, XMPP before 1.0 | stop: encryption not offered | retry |
/// | `see-other-host` under TLS, up to three in a row | follow | follow |
/// | registration failed | stop: registration refused | stop |
/// | the server's key is none of the pinned ones | stop: key not pinned | stop |
/// | all the rest: other certificates, STARTTLS refused, time limit, other stream errors, ... | retry | retry |
///
/// A stream in the clear is never a way out of any of them.
package enum RetryPolicy {
    package enum Verdict: Equatable, Sendable {
        case retry
        /// Connect to this host and port instead; the domain and the certificate's name stay the account's.
        case follow(HostAddress)
        case stop(StopReason)
    }

    /// What only a person can mend.
    package enum StopReason: Equatable, Sendable {
        case loginRefused, conflict, domainNotServed, encryptionNotOffered, registrationRefused, keyNotPinned
    }

    /// How many hosts in a row may each name another one.
    package static let mostRedirects = 3

    /// The verdict on a failed negotiation.
    ///
    /// - Parameters:
    ///   - everOnline: Whether a session of this run was ever online.
    ///   - redirects: How many were followed since a connection was last made to the account's own server.
    package static func verdict(of failure: NegotiationFailure, everOnline: Bool, redirects: Int) -> Verdict {
        switch failure {
        case .login(let failure): verdict(of: failure, everOnline)
        case .streamError(let error, _, let encrypted):
            verdict(of: error, encrypted: encrypted, everOnline: everOnline, redirects: redirects)
        case .encryptionNotOffered, .unsupportedVersion: everOnline ? .retry : .stop(.encryptionNotOffered)
        case .bindRefused(let error) where error.condition == .conflict: everOnline ? .retry : .stop(.conflict)
        case .registration: .stop(.registrationRefused)
        case .encryptionRefused, .injectedBeforeTLS, .tlsFailed, .bindNotOffered, .bindRefused, .malformedBinding,
            .sessionRefused, .notAStream, .unreadable, .unexpected, .closed, .timeLimitReached:
            .retry
        }
    }

    /// The verdict on a stream error, in a negotiation or in a session.
    package static func verdict(
        of error: StreamError, encrypted: Bool, everOnline: Bool, redirects: Int
    ) -> Verdict {
        switch error.condition {
        case .conflict: .stop(.conflict)
        case .hostUnknown, .hostGone: everOnline ? .retry : .stop(.domainNotServed)
        // In the clear anybody on the way could write it.
        case .seeOtherHost(let host?) where encrypted && redirects < mostRedirects: .follow(host)
        case .seeOtherHost, .badFormat, .badNamespacePrefix, .connectionTimeout, .improperAddressing,
            .internalServerError, .invalidFrom, .invalidNamespace, .invalidXML, .notAuthorized, .notWellFormed,
            .policyViolation, .remoteConnectionFailed, .reset, .resourceConstraint, .restrictedXML, .systemShutdown,
            .undefinedCondition, .unsupportedEncoding, .unsupportedFeature, .unsupportedStanzaType,
            .unsupportedVersion:
            .retry
        }
    }

    private static func verdict(of failure: SASLFailure, _ everOnline: Bool) -> Verdict {
        switch failure {
        case .refused(.temporaryAuthFailure, _), .unexpected: .retry
        // A server that is half started may offer nothing yet; nothing was sent, so nothing is given away by asking again.
        case .noMechanism, .plainAfter, .cannotBind, .contradictoryOffer, .legacyShowsPassword:
            everOnline ? .retry : .stop(.loginRefused)
        case .refused, .serverNotGenuine, .tokenNotProven, .bindingRefused, .bindingHidden, .tasksWanted,
            .anotherAccount,
            .certificateRefused:
            .stop(.loginRefused)
        }
    }
}
