package import BellhopXML
package import BellhopXMPP

/// What one connection is to become, with the randomness that it needs.
package struct LoginPlan: Equatable, Sendable {
    package enum Goal: Equatable, Sendable {
        /// A session under this resource.
        case session(resource: String)
        /// An account made by the server (XEP-0077), and no session.
        case registration
        /// An account made by the server, and on the same stream a session under this resource.
        case accountAndSession(resource: String)

        /// Whether an account is made first.
        package var registers: Bool {
            switch self {
            case .session: false
            case .registration, .accountAndSession: true
            }
        }

        /// The resource that is wanted; nil where no session is.
        package var resource: String? {
            switch self {
            case .session(let resource), .accountAndSession(let resource): resource
            case .registration: nil
            }
        }
    }

    package enum Encryption: Equatable, Sendable {
        /// Nothing but the request for TLS is written in the clear.
        case required
        /// The operator allows a stream in the clear, for a server on this machine; TLS only if the server insists.
        case plaintextAllowed
    }

    /// The bare address; its domain is the stream's `to` whatever host was connected to.
    package var account: JID
    package var credentials: Credentials
    package var goal: Goal
    /// What is said about the account, where one is to be made.
    package var registration: RegistrationWish
    package var encryption: Encryption
    /// Whether the operator allows a mechanism that shows the server the password.
    package var allowsPlain: Bool
    /// Whether the operator allows jabber:iq:auth where nothing else can be used (XEP-0078).
    package var allowsLegacyLogin: Bool
    /// What goes along with a login by SASL2; nil where it is not to be used (XEP-0388).
    package var sasl2: SASL2Wish?
    /// Whether logins are bound to the TLS session.
    package var channelBinding: ChannelBindingPolicy
    /// The certificate that the server is shown; nil where there is none.
    package var certificate: LoginCertificate?
    /// The mechanism with which the server once proved that it knows the password; after it PLAIN is never used.
    package var proven: SASLMechanism?
    /// Keys from the last login, see `StreamNegotiation.Action.remember`.
    package var remembered: SCRAMKeys?
    package var bounds: SCRAMBounds
    /// The stream to take up again instead of binding a resource, where the server still has it.
    package var resumption: Resumption?
    /// At least 128 random bits as base64, new for each connection.
    package var nonce: String
    /// A random prefix for the ids of the requests, new for each connection.
    package var idPrefix: String

    package init(
        account: JID, credentials: Credentials, goal: Goal, registration: RegistrationWish = RegistrationWish(),
        encryption: Encryption = .required,
        allowsPlain: Bool = false, allowsLegacyLogin: Bool = false, sasl2: SASL2Wish? = nil,
        channelBinding: ChannelBindingPolicy = .auto, certificate: LoginCertificate? = nil,
        proven: SASLMechanism? = nil, remembered: SCRAMKeys? = nil,
        bounds: SCRAMBounds = SCRAMBounds(), resumption: Resumption? = nil, nonce: String, idPrefix: String
    ) {
        self.account = account
        self.credentials = credentials
        self.goal = goal
        self.registration = registration
        self.encryption = encryption
        self.allowsPlain = allowsPlain
        self.allowsLegacyLogin = allowsLegacyLogin
        self.sasl2 = sasl2
        self.channelBinding = channelBinding
        self.certificate = certificate
        self.proven = proven
        self.remembered = remembered
        self.bounds = bounds
        self.resumption = resumption
        self.nonce = nonce
        self.idPrefix = idPrefix
    }
}

/// A session as the server granted it.
package struct Bound: Equatable, Sendable {
    /// The full address as the server says; its domain may be another than the account's.
    package let jid: JID
    package let method: LoginMethod
    package let encrypted: Bool
    /// What the server offered after the login; nothing where a stream went on within it (XEP-0388), behind which some servers say it.
    package let features: ServerFeatures
    /// The server's `<enabled/>`, where stream management came with the binding: it counts from here on (XEP-0386).
    package let enabled: Element?

    package init(
        jid: JID, method: LoginMethod, encrypted: Bool, features: ServerFeatures, enabled: Element? = nil
    ) {
        self.jid = jid
        self.method = method
        self.encrypted = encrypted
        self.features = features
        self.enabled = enabled
    }
}

/// A client certificate, as far as a login has to know it (XEP-0178).
package struct LoginCertificate: Equatable, Sendable {
    /// The XMPP addresses that it holds.
    package let addresses: [JID]

    package init(addresses: [JID]) { self.addresses = addresses }

    /// Whom to ask to be: nobody where the certificate says it alone, since some servers compare text.
    func identity(for account: JID) -> String {
        addresses == [account.bare] ? "" : account.bareText
    }
}

/// A stream that broke and may go on (XEP-0198 section 5).
package struct Resumption: Equatable, Sendable {
    /// The server's name for it.
    package let id: String
    /// How many of the server's stanzas we have.
    package let handled: UInt32
    /// The full address that is bound to it.
    package let bound: JID

    package init(id: String, handled: UInt32, bound: JID) {
        self.id = id
        self.handled = handled
        self.bound = bound
    }
}
