import BellhopCrypto
import BellhopEngine
import BellhopXMPP
import Testing

/// Tokens, and what is said with them, as text. The proofs were computed by another program.
enum Tokens {
    static let bindings: [ChannelBindingType: [UInt8]] = [.exporter: [1, 2, 3], .serverEndPoint: [4, 5]]

    static func token(_ mechanism: TokenMechanism, secret: String = "s3cr3tt0k3n", count: Int64 = 1) -> LoginToken {
        LoginToken(mechanism, secret: secret, count: count)
    }

    static func wish(_ tokens: LoginToken..., presents: Bool = true) -> SASL2Wish {
        SASL2Wish(userAgent: SASL2.wish.userAgent, tokens: LoginTokens(tokens), presentsTokens: presents)
    }

    static func features(_ mechanisms: String...) -> String {
        let list = mechanisms.map { "<mechanism>\($0)</mechanism>" }.joined()
        return SASL2.features("SCRAM-SHA-256", inline: "<fast xmlns='urn:xmpp:fast:0'>\(list)</fast>")
    }

    static func request(_ mechanism: String) -> String {
        "<request-token xmlns='urn:xmpp:fast:0' mechanism='\(mechanism)'/>"
    }

    /// `alice`, a null byte and the client's proof, as base64.
    static func initial(_ mechanism: TokenMechanism) -> String {
        switch mechanism {
        case .exporter: "YWxpY2UAt+POTHI+XK58kadi71VmzTPeX63gwovwpCsYwidc0EE="
        case .endPoint: "YWxpY2UAC931VldEzgXZlOHkBHmGwnimPED9Y87e/h4qLKLYdSI="
        case .unbound: "YWxpY2UA6mvv7yAo/fP7sxyhk4X5fD8ajTc9hoMY1ElBMu9JhoQ="
        }
    }

    /// The server's proof, as base64.
    static func proof(_ mechanism: TokenMechanism) -> String {
        switch mechanism {
        case .exporter: "UJeoGH78wIzEpMnxrQ2xBrcDagAFBKDGuH/NbTqOmEE="
        case .endPoint: "AL4m/ca9GPeqZUkd+abSyt2wdJ7cyzH69P7BottCZCg="
        case .unbound: "QUpLv0lKW9va6Pf11SbdjuuFWeiMysSdgRVtemHNHfA="
        }
    }

    static func authenticate(_ mechanism: TokenMechanism, count: Int = 1, _ requests: String = SASL2.agent) -> String {
        "<authenticate xmlns='urn:xmpp:sasl:2' mechanism='\(mechanism.rawValue)'>"
            + "<initial-response>\(initial(mechanism))</initial-response>\(requests)"
            + "<fast xmlns='urn:xmpp:fast:0' count='\(count)'/></authenticate>"
    }

    static func success(_ data: String?, as jid: String = "alice@example.test", _ more: String = "") -> String {
        "<success xmlns='urn:xmpp:sasl:2'>\(data.map { "<additional-data>\($0)</additional-data>" } ?? "")"
            + "<authorization-identifier>\(jid)</authorization-identifier>\(more)</success>"
    }

    static func granted(_ secret: String, expiry: String? = "2026-12-12T00:00:00Z") -> String {
        "<token xmlns='urn:xmpp:fast:0' token='\(secret)'\(expiry.map { " expiry='\($0)'" } ?? "")/>"
    }

    static func failure(_ condition: String) -> String {
        "<failure xmlns='urn:xmpp:sasl:2'><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/></failure>"
    }
}

extension Dialogue {
    /// From a connection under TLS to these features.
    mutating func offers(_ features: String, bindings: [ChannelBindingType: [UInt8]] = Tokens.bindings) throws {
        happened(.connected(encrypted: true, bindings: bindings))
        _ = pending.popLast()
        try serverOpens(features)
    }

    /// The whole of a login with SCRAM, up to the server's success.
    mutating func provesAgain(_ requests: String) throws {
        try client(SASL2.authenticate("SCRAM-SHA-256", SCRAMVector.prosody.clientFirst, requests))
        try server(SASL2.element("challenge", SCRAMVector.prosody.serverFirst))
        try client(SASL2.element("response", SCRAMVector.prosody.clientFinal))
        expectNothing()
    }
}
