package import BellhopCrypto

/// Which Openfire a script plays: its own domain, its accounts, and what it offers at which version.
package struct OpenfireProfile: Sendable {
    package enum Version: String, Sendable, CaseIterable {
        /// No SCRAM; jabber:iq:auth is built in.
        case version3 = "3.10.3"
        /// SCRAM-SHA-1; streams are acknowledged and not resumed.
        case version4 = "4.2.0"
        /// Limits, channel binding, streams that are resumed.
        case version5 = "5.0.0"
    }

    package var version: Version
    /// The domain that it serves, and says whatever the client asked for.
    package var domain: String
    /// Set where it has a certificate; TLS is an offer beside the mechanisms then.
    package var tls: TLSContext?
    /// Passwords by local part.
    package var accounts: [String: String]

    package init(
        _ version: Version, domain: String = "localhost", tls: TLSContext? = nil,
        accounts: [String: String] = ["opsbot": "secret"]
    ) {
        self.version = version
        self.domain = domain
        self.tls = tls
        self.accounts = accounts
    }

    /// Everything in one list, required or not.
    func featuresBeforeLogin(encrypted: Bool) -> String {
        let startTLS = "<starttls xmlns=\"urn:ietf:params:xml:ns:xmpp-tls\"/>"
        let names = mechanisms.map { "<mechanism>\($0)</mechanism>" }.joined()
        var features = tls == nil || encrypted ? "" : startTLS
        features += "<mechanisms xmlns=\"urn:ietf:params:xml:ns:xmpp-sasl\">\(names)</mechanisms>"
        switch version {
        case .version3:
            features += Self.compression + "<auth xmlns=\"http://jabber.org/features/iq-auth\"/>" + Self.register
        case .version4: features += Self.compression + Self.register
        case .version5:
            if encrypted {
                features +=
                    "<sasl-channel-binding xmlns=\"urn:xmpp:sasl-cb:0\"><channel-binding type=\"tls-server-end-point\"/>"
                    + "<channel-binding type=\"tls-exporter\"/></sasl-channel-binding>"
            }
            features +=
                Self.limits + Self.register + Self.capabilities
                + "<ver xmlns=\"urn:xmpp:features:rosterver\"/>" + Self.limits
        }
        return "<stream:features>\(features)</stream:features>"
    }

    var featuresBehindLogin: String {
        let session = "<session xmlns=\"urn:ietf:params:xml:ns:xmpp-session\"><optional/></session>"
        var features = version == .version5 ? Self.limits : Self.compression
        features += "<bind xmlns=\"urn:ietf:params:xml:ns:xmpp-bind\"/>" + session
        if version != .version3 { features += "<sm xmlns='urn:xmpp:sm:2'/><sm xmlns='urn:xmpp:sm:3'/>" }
        if version == .version5 { features += "<csi xmlns=\"urn:xmpp:csi:0\"/>" + Self.limits }
        return "<stream:features>\(features)</stream:features>"
    }

    /// In no order that means anything.
    package var mechanisms: [String] {
        switch version {
        case .version3: ["PLAIN", "DIGEST-MD5", "CRAM-MD5", "ANONYMOUS"]
        case .version4: ["PLAIN", "SCRAM-SHA-1", "CRAM-MD5", "DIGEST-MD5"]
        case .version5: ["PLAIN", "SCRAM-SHA-1-PLUS", "SCRAM-SHA-1", "CRAM-MD5", "DIGEST-MD5"]
        }
    }

    private static let compression =
        "<compression xmlns=\"http://jabber.org/features/compress\"><method>zlib</method></compression>"
    private static let register = "<register xmlns=\"http://jabber.org/features/iq-register\"/>"
    private static let capabilities =
        "<c xmlns=\"http://jabber.org/protocol/caps\" hash=\"sha-1\" node=\"https://www.igniterealtime.org/projects/openfire/\" "
        + "ver=\"PRA8DoaOcBWs0l6FtL6rWmRKAKk=\"/>"
    private static let limits =
        "<limits xmlns=\"urn:xmpp:stream-limits:0\"><max-bytes>1048576</max-bytes><idle-seconds>360</idle-seconds></limits>"
}
