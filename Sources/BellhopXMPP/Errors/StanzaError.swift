/// Why a stanza was refused: what an `<error/>` inside it says (RFC 6120 section 8.3).
public struct StanzaError: Error, Hashable, Sendable {
    /// What the sender of the refused stanza can do about it.
    public var kind: Kind
    public var condition: Condition
    /// What the other side says about it, for people; not to be trusted.
    public var text: String?

    /// The `type` of an error (RFC 6120 section 8.3.2).
    public enum Kind: String, Sendable {
        /// Try again with credentials.
        case auth
        /// Do not try again.
        case cancel
        /// Not refused at all, only a warning.
        case `continue`
        /// Try again with other data.
        case modify
        /// Try again later.
        case wait
    }

    /// What went wrong (RFC 6120 section 8.3.3).
    public enum Condition: String, Sendable, CaseIterable {
        case badRequest = "bad-request"
        case conflict
        case featureNotImplemented = "feature-not-implemented"
        case forbidden
        case gone
        case internalServerError = "internal-server-error"
        case itemNotFound = "item-not-found"
        case jidMalformed = "jid-malformed"
        case notAcceptable = "not-acceptable"
        case notAllowed = "not-allowed"
        case notAuthorized = "not-authorized"
        case policyViolation = "policy-violation"
        case recipientUnavailable = "recipient-unavailable"
        case redirect
        case registrationRequired = "registration-required"
        case remoteServerNotFound = "remote-server-not-found"
        case remoteServerTimeout = "remote-server-timeout"
        case resourceConstraint = "resource-constraint"
        case serviceUnavailable = "service-unavailable"
        case subscriptionRequired = "subscription-required"
        /// Also every condition that RFC 6120 does not know.
        case undefinedCondition = "undefined-condition"
        case unexpectedRequest = "unexpected-request"

        /// The kind that goes with the condition where nobody chose another.
        public var usualKind: Kind {
            switch self {
            case .forbidden, .notAuthorized, .registrationRequired, .subscriptionRequired: .auth
            case .conflict, .featureNotImplemented, .gone, .internalServerError, .itemNotFound, .notAllowed,
                .remoteServerNotFound, .serviceUnavailable, .undefinedCondition:
                .cancel
            case .badRequest, .jidMalformed, .notAcceptable, .policyViolation, .redirect: .modify
            case .recipientUnavailable, .remoteServerTimeout, .resourceConstraint, .unexpectedRequest: .wait
            }
        }
    }

    /// An error of the kind that goes with the condition, or of the one named.
    public init(_ condition: Condition, kind: Kind? = nil, text: String? = nil) {
        self.condition = condition
        self.kind = kind ?? condition.usualKind
        self.text = text
    }
}
