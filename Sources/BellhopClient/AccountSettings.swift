package import BellhopCrypto
package import BellhopDiagnostics
package import BellhopEngine
package import BellhopTransport
package import BellhopXMPP

/// What one account needs to log in and to stay online.
package struct AccountSettings: Sendable {
    /// The bare JID; the stream's `to` and the certificate's name are its domain in every case.
    package var jid: JID
    package var password: Secret
    /// Those that were told to the server in this run before `password`.
    package var formerPasswords: [Secret] = []
    package var resource: String = "bellhop"
    /// Where to connect; nil asks the domain's SRV records.
    package var server: ServerTarget?
    /// Who knows names.
    package var resolver = Resolver()
    /// The file of the authorities to trust; nil for those of the system.
    package var authorities: String?
    /// The keys that the server may have; none for any that an authority vouches for. Without `authorities` they are all that
    /// counts, with them both must hold.
    package var pins: [CertificatePin] = []
    /// What a server that asks for it is shown of us; nil for nothing.
    package var identity: TLSIdentity?
    /// False only where the configuration says so and the host is loopback.
    package var requiresTLS: Bool = true
    /// Whether PLAIN may be used, inside TLS, where the server offers no SCRAM.
    package var allowsPlain: Bool = false
    /// Whether jabber:iq:auth may be used where nothing else can be (XEP-0078).
    package var allowsLegacyLogin: Bool = false
    /// Whether a server that offers SASL2 is logged in to by it (XEP-0388).
    package var usesSASL2: Bool = false
    /// A UUID by which servers that speak SASL2 know this installation again; nil where there is none that lasts.
    package var userAgent: String?
    /// What the server gave out at earlier logins to be shown in place of the password; nil where tokens are not used
    /// (XEP-0484).
    package var tokens: LoginTokens?
    /// Whether logins are bound to the TLS session.
    package var channelBinding: ChannelBindingPolicy = .auto
    /// The mechanism with which the server once proved that it knows the password; after it PLAIN is never used.
    package var proven: SASLMechanism?
    /// The limit for the whole login, from the first packet to the bound resource.
    package var timeout: Duration = .seconds(30)
    /// How long the server may be silent before it is asked whether it is there (XEP-0199); nil never asks.
    package var pingAfter: Duration? = .seconds(60)
    /// How long it may take to answer before the connection counts as dead.
    package var pingTimeout: Duration = .seconds(20)
    /// How long to wait before another attempt.
    package var backoff = Backoff()
    /// Whether stream management is used where the server offers it (XEP-0198).
    package var managesStream: Bool = true
    /// Which of several bodies of a message is meant; nil takes the one without a language of its own.
    package var language: String?
    /// Messages delivered late are stale when older than this.
    package var maxAge: Duration = .seconds(120)
    /// How an account is made by in-band registration (XEP-0077) before the first login; nil where it is there.
    package var registration: AccountRegistration?
    /// Passwords that may have taken the place of `password` since it was read, asked for on the loop's thread when the
    /// server says that it is wrong. Each is tried once in a run.
    package var newerPasswords: (@Sendable () -> [Secret])?
    /// Whether a break is followed by another attempt; a command that runs once would rather hear of it.
    package var retries: Bool = true
    /// Whether contacts see us at all; without presence the server brings no messages, no requests and nobody's presence
    /// (RFC 6121 section 4.2), and the account counts as online once the roster is there.
    package var announces: Bool = true
    /// Whether others may know that we send chat states (XEP-0085 section 4).
    package var showsTyping: Bool = false
    /// What contacts see while the bot is online.
    package var availability: Availability = Availability()

    package init(jid: JID, password: Secret) {
        self.jid = jid
        self.password = password
    }

    /// Whom the server's certificate must prove: the JID's domain, whatever host was connected to.
    var tlsName: TLSName {
        let domain = jid.domain
        if Endpoint.isAddress(domain) { return .ip(domain) }
        return .dns(jid.asciiDomain)
    }

    /// Where a round begins to look for the server.
    var firstStep: ServerRound.Step {
        if let server { return .target(server) }
        let domain = jid.asciiDomain
        let itself = Endpoint(host: TLSName.ip(domain).text, port: 5222)
        // An address is where it says it is, and this machine needs no name server.
        if itself.isLoopback || Endpoint.isAddress(domain) { return .target(ServerTarget(itself)) }
        return .lookup(domain: domain)
    }
}
