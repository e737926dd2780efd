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
