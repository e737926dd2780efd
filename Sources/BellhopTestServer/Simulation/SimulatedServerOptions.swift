/// What a simulated server offers, and to whom.
package struct SimulatedServerOptions: Sendable {
    /// The domain that it serves.
    package var domain: String
    /// Passwords by local part.
    package var accounts: [String: String]
    /// The SASL mechanisms offered, in order.
    package var mechanisms: [String]
    package var encryption = Encryption.none
    /// Nil offers no stream management.
    package var streamManagement: StreamManagement? = StreamManagement()
    /// Nil keeps no archive and gives no archive ids.
    package var archive: Archive? = Archive()
    /// Nil sets no limit.
    package var limits: Limits?
    /// Whether messages for an account that is away are kept for it.
    package var storesOffline = true

    package init(
        domain: String = "bots.example.test", accounts: [String: String] = ["opsbot": "secret"],
        mechanisms: [String] = ["SCRAM-SHA-256", "SCRAM-SHA-1"]
    ) {
        self.domain = domain
        self.accounts = accounts
        self.mechanisms = mechanisms
    }

    /// What becomes of STARTTLS.
    package enum Encryption: Sendable {
        case none
        /// Offered beside SASL.
        case offered
        /// Nothing goes before it.
        case required
    }

    /// XEP-0198.
    package struct StreamManagement: Sendable {
        /// Whether a lost session can be taken up again.
        package var isResumable = true
        /// How long a session is kept when its connection is lost; what `max` says.
        package var hibernation: Duration = .seconds(600)
        /// Where to come back to, as the attribute of that name.
        package var location: String?
        /// Whether `<failed/>` still tells how much of an expired session had arrived.
        package var remembersExpired = true

        package init() {}
    }

    /// XEP-0313.
    package struct Archive: Sendable {
        /// The most messages in a page, whatever was asked for.
        package var pageLimit = 50

        package init() {}
    }

    /// XEP-0478.
    package struct Limits: Sendable {
        /// The most bytes of a stanza, as it is written in a stream; more ends the stream with `policy-violation`.
        package var bytes: Int?
        /// How long a client may be silent before its connection is taken for dead.
        package var idle: Duration?

        package init(bytes: Int? = nil, idle: Duration? = nil) {
            self.bytes = bytes
            self.idle = idle
        }
    }
}
