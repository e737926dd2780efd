package import BellhopCrypto

/// What the test server is.
package struct TestServerOptions: Sendable {
    /// The domain that it serves, in the stream header.
    package var domain: String
    /// Its certificate; nil offers no STARTTLS.
    package var tls: TLSContext?
    /// Whether TLS comes first, and no stream in the clear before it.
    package var isDirectTLS = false
    /// Passwords by local part.
    package var accounts: [String: String]
    /// The SASL mechanisms offered, in order.
    package var mechanisms: [String]
    /// The types of channel binding that it lists (XEP-0440); nil lists none.
    package var channelBindings: [String]?
    /// Whether it says in SCRAM what it offered (XEP-0474).
    package var tellsOffer = false
    /// What it offers beside binding, as XML.
    package var features = ""
    /// Says what time it is (XEP-0202); nil for a server that does not know.
    package var time: (@Sendable () -> String)?
    /// How long a script waits for a fact.
    package var patience: Duration

    package init(
        domain: String = "bots.example.test", tls: TLSContext? = nil, accounts: [String: String] = ["opsbot": "secret"],
        mechanisms: [String] = ["SCRAM-SHA-256", "SCRAM-SHA-1", "PLAIN"], patience: Duration = .seconds(30)
    ) {
        self.domain = domain
        self.tls = tls
        self.accounts = accounts
        self.mechanisms = mechanisms
        self.patience = patience
    }
}

extension TestServerOptions {
    /// The mechanisms and the types of channel binding as features.
    package var saslFeatures: String {
        let mechanisms = mechanisms.map { "<mechanism>\($0)</mechanism>" }.joined()
        let types = channelBindings.map { types in
            "<sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'>"
                + types.map { "<channel-binding type='\($0)'/>" }.joined() + "</sasl-channel-binding>"
        }
        return "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(mechanisms)</mechanisms>" + (types ?? "")
    }

    /// What it offers, as XEP-0474 has it hashed.
    var offer: String {
        let mechanisms = mechanisms.sorted().joined(separator: "\u{1E}")
        return mechanisms + (channelBindings.map { "\u{1F}" + $0.sorted().joined(separator: "\u{1E}") } ?? "")
    }
}
