internal import BellhopCrypto
internal import BellhopEngine
internal import BellhopTransport
internal import BellhopXML
internal import BellhopXMPP

/// Why there is no session, from the name server to the last stream error.
enum BreakCause: Equatable, Sendable {
    case transport(TransportError)
    case link(LinkFailure, during: NegotiationPhase)
    case negotiation(NegotiationFailure)
    /// The name servers know of no place to go to.
    case nowhere(ServiceLookup)
    /// None of these places led to a session; what the name servers said of them, where they were asked.
    case everyTarget([TargetFailure], ServiceLookup?)
    /// The live stream ended with an error of the server.
    case streamError(StreamError, encrypted: Bool)
    /// The server closed the live stream properly.
    case streamClosed
    /// The server said nothing for a while, and nothing to a ping either.
    case silent
    /// The server acknowledged what cannot be (XEP-0198).
    case miscounted(StreamManagement.Fault)
    /// The server's bytes on the live stream cannot be read.
    case unreadable(StreamFault)

    /// Whether it was the login itself that failed, and neither the line nor the stream.
    var isLoginRefusal: Bool {
        switch self {
        case .negotiation(.login): true
        case .everyTarget(let failures, _): failures.contains { $0.cause.isLoginRefusal }
        case .transport, .link, .negotiation, .nowhere, .streamError, .streamClosed, .silent, .miscounted,
            .unreadable:
            false
        }
    }

    /// Whether nobody answered at all.
    var isUnreachable: Bool {
        if case .transport = self { return true }
        return false
    }

    /// Whether the other targets of a round would say the same, or must not be asked: whoever has seen a proof of the password
    /// and refused it is not the only one to count attempts.
    var concernsAccount: Bool {
        switch self {
        case .negotiation(let failure):
            switch failure {
            case .login(.noMechanism): false
            case .login, .registration, .bindNotOffered, .bindRefused, .malformedBinding, .sessionRefused: true
            case .streamError(let error, _, _): error.condition == .conflict
            case .encryptionNotOffered, .encryptionRefused, .injectedBeforeTLS, .tlsFailed, .unsupportedVersion,
                .notAStream, .unreadable, .unexpected, .closed, .timeLimitReached:
                false
            }
        case .transport, .link, .nowhere, .everyTarget, .streamError, .streamClosed, .silent, .miscounted,
            .unreadable:
            false
        }
    }

    /// Whether the server says that the password is wrong.
    var isWrongPassword: Bool {
        if case .negotiation(.login(.refused(.notAuthorized, _))) = self { return true }
        return false
    }

    /// Whether a login that failed on the stream on which its account was made may work on another one; a server that does
    /// not know the password is none to ask twice.
    var mayBeOfRegistration: Bool {
        switch self {
        case .negotiation(.login(.serverNotGenuine)), .negotiation(.login(.noMechanism)): false
        case .negotiation, .link, .transport: true
        case .nowhere, .everyTarget, .streamError, .streamClosed, .silent, .miscounted, .unreadable: false
        }
    }

    /// Whether a login that failed on the stream on which a token was refused may work on another one: the server may have ended
    /// the stream, or go on with the mechanisms of tokens there, as Prosody does, and refuse all others. That the password is wrong,
    /// or the server not the one it should be, is the same everywhere.
    var mayBeOfToken: Bool {
        switch self {
        case .negotiation(.login(.refused(let condition, _))),
            .negotiation(.login(.bindingRefused(_, let condition, _))):
            switch condition {
            case .notAuthorized, .accountDisabled, .credentialsExpired, .temporaryAuthFailure: false
            case .aborted, .encryptionRequired, .incorrectEncoding, .invalidAuthzid, .invalidMechanism,
                .malformedRequest, .mechanismTooWeak, .other:
                true
            }
        case .negotiation(.login(.unexpected)): true
        case .negotiation(.login): false
        case .negotiation, .link, .transport: true
        case .nowhere, .everyTarget, .streamError, .streamClosed, .silent, .miscounted, .unreadable: false
        }
    }

    /// Whether all clients of the server lose it, or fail at it, together, so that they must not all come back together.
    ///
    /// What the server itself says or does counts; a line that breaks without a word may be ours alone.
    var backoff: Backoff.Cause {
        switch self {
        case .transport(.unreachable(let attempts)): attempts.contains { $0.isRefusal } ? .server : .line
        case .everyTarget(let failures, _): failures.contains { $0.cause.backoff == .server } ? .server : .line
        // It misses us alone, or wants us alone to log in anew, as behind a change of the password.
        case .streamError(let error, _) where [.connectionTimeout, .reset].contains(error.condition): .line
        case .transport, .link, .nowhere, .silent, .unreadable, .miscounted: .line
        case .negotiation, .streamError, .streamClosed: .server
        }
    }

    /// What to do about it: the engine's rules, and for lines that break always another attempt, unless the operator has said
    /// which key the server has and it has another.
    ///
    /// After a whole round a person has to mend it only where each of the targets says so.
    func verdict(everOnline: Bool, redirects: Int) -> RetryPolicy.Verdict {
        switch self {
        case .negotiation(let failure):
            return RetryPolicy.verdict(of: failure, everOnline: everOnline, redirects: redirects)
        case .streamError(let error, let encrypted):
            return RetryPolicy.verdict(
                of: error, encrypted: encrypted, everOnline: everOnline, redirects: redirects)
        case .everyTarget(let failures, _):
            var reason: RetryPolicy.StopReason?
            for failure in failures {
                guard case .stop(let stop) = failure.cause.verdict(everOnline: everOnline, redirects: .max) else {
                    return .retry
                }
                reason = reason ?? stop
            }
            return reason.map { .stop($0) } ?? .retry
        case .link(.tls(.certificate(.wrongKey, _)), _): return .stop(.keyNotPinned)
        case .transport, .link, .nowhere, .streamClosed, .silent, .miscounted, .unreadable: return .retry
        }
    }
}
