package import BellhopCrypto

/// Why a login did not succeed.
package enum SASLFailure: Error, Equatable, Sendable {
    /// The server offers nothing that we may use; no part of the password was sent.
    case noMechanism(offered: [String], supported: [String])
    /// The server offers PLAIN and no SCRAM, and it is known to have had this one; no part of the password was sent.
    case plainAfter(SASLMechanism)
    /// The operator wants the login bound to its TLS session, or the server insists on it, and that cannot be done; nothing
    /// was sent.
    case cannotBind(ChannelBindingObstacle, offered: [String])
    /// The server refused a login that was bound to the TLS session: the password is wrong, or its session is another.
    case bindingRefused(ChannelBindingType, SASLCondition, text: String?)
    /// The server can bind, and its offer as it came here said that it cannot.
    case bindingHidden
    /// What the server offers with SASL2, and nothing besides, contradicts itself: -PLUS without a type of channel binding, or
    /// types without -PLUS (XEP-0440); nothing was sent.
    case contradictoryOffer
    /// The server takes the proof and wants these tasks done as well, none of which we know (XEP-0388).
    case tasksWanted([String])
    /// The server took the proof and logged us in as somebody else, with this bare address.
    case anotherAccount(String)
    /// The old login of jabber:iq:auth takes the password itself, and that may not be shown.
    case legacyShowsPassword
    /// The server did not take the certificate for this account's.
    case certificateRefused(SASLCondition, text: String?)
    /// The server said no, with its condition and its words.
    case refused(SASLCondition, text: String?)
    /// The server did not prove that it knows the password.
    case serverNotGenuine(SCRAMFault)
    /// The server took a token and did not prove that it knows it (XEP-0484).
    case tokenNotProven
    /// The server broke the exchange's rules with this element.
    case unexpected(String)
}

/// What a server's `<failure/>` names (RFC 6120 section 6.5).
package enum SASLCondition: Equatable, Sendable {
    case aborted, accountDisabled, credentialsExpired, encryptionRequired, incorrectEncoding, invalidAuthzid
    case invalidMechanism, malformedRequest, mechanismTooWeak, notAuthorized, temporaryAuthFailure
    /// One that the specification does not know.
    case other(String)

    package init(_ name: String) {
        self =
            switch name {
            case "aborted": .aborted
            case "account-disabled": .accountDisabled
            case "credentials-expired": .credentialsExpired
            case "encryption-required": .encryptionRequired
            case "incorrect-encoding": .incorrectEncoding
            case "invalid-authzid": .invalidAuthzid
            case "invalid-mechanism": .invalidMechanism
            case "malformed-request": .malformedRequest
            case "mechanism-too-weak": .mechanismTooWeak
            case "not-authorized": .notAuthorized
            case "temporary-auth-failure": .temporaryAuthFailure
            default: .other(String(name.prefix(100)))
            }
    }

    /// The condition's name on the wire.
    package var name: String {
        switch self {
        case .aborted: "aborted"
        case .accountDisabled: "account-disabled"
        case .credentialsExpired: "credentials-expired"
        case .encryptionRequired: "encryption-required"
        case .incorrectEncoding: "incorrect-encoding"
        case .invalidAuthzid: "invalid-authzid"
        case .invalidMechanism: "invalid-mechanism"
        case .malformedRequest: "malformed-request"
        case .mechanismTooWeak: "mechanism-too-weak"
        case .notAuthorized: "not-authorized"
        case .temporaryAuthFailure: "temporary-auth-failure"
        case .other(let name): name
        }
    }
}
