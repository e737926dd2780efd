internal import BellhopCrypto
package import BellhopXML

/// Logins that carry what comes after them (XEP-0388, XEP-0386), as a server that offers them plays them.
extension TestConnection {
    private static let sasl2 = "urn:xmpp:sasl:2"

    /// Plays TLS, and offers SASL2 beside SASL, and more; returns the client's header.
    @discardableResult
    package func openForSASL2(
        inline: String =
            "\(offersStreams)<bind xmlns='urn:xmpp:bind:0'><inline><feature var='urn:xmpp:sm:3'/></inline></bind>",
        beside: String = ""
    ) async throws -> Element {
        try await open(features: "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
        try await secure()
        let mechanisms = options.mechanisms.map { "<mechanism>\($0)</mechanism>" }.joined()
        return try await open(
            features: "<authentication xmlns='\(Self.sasl2)'>\(mechanisms)<inline>\(inline)</inline></authentication>"
                + options.saslFeatures + beside)
    }

    /// Plays the server's part of SCRAM by SASL2 for this account; returns what the client opened it with.
    ///
    /// `grant` says what the success holds beside the server's proof, and what comes right behind it; a server that does not know
    /// the password makes the proof up.
    package func authenticateBySASL2(
        _ account: String, knowsPassword: Bool = true, grant: (Element) -> (inside: String, behind: String)
    ) async throws -> Element {
        let local = account.split(separator: "@").first.map(String.init) ?? account
        let opening = try await expect("authenticate", Self.sasl2)
        let mechanism = opening["mechanism"] ?? ""
        let first = Base64.decode(opening.child("initial-response", Self.sasl2)?.text ?? "") ?? []
        guard options.mechanisms.contains(mechanism), let password = options.accounts[local],
            var verifier = SCRAMVerifier(
                first, user: local, password: password, mechanism: mechanism, bindings: bindings)
        else { throw refuseBySASL2("the first SCRAM message") }
        let challenge = verifier.challenge(
            nonce: "server\(ids.next())", salt: Array("salt of \(local)".utf8),
            offer: options.tellsOffer ? options.offer : nil)
        send("<challenge xmlns='\(Self.sasl2)'>\(Base64.encode(challenge))</challenge>")
        let response = try await expect("response", Self.sasl2)
        guard let right = verifier.verify(Base64.decode(response.text) ?? []) else {
            throw refuseBySASL2("the client's proof")
        }
        let signature = knowsPassword ? right : Array("v=\(Base64.encode([UInt8](repeating: 0, count: 32)))".utf8)
        let (inside, behind) = grant(opening)
        send(
            "<success xmlns='\(Self.sasl2)'><additional-data>\(Base64.encode(signature))</additional-data>\(inside)</success>"
                + behind)
        return opening
    }

    private func refuseBySASL2(_ what: String) -> TestServerFailure {
        send(
            "<failure xmlns='\(Self.sasl2)'><not-authorized xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/></failure>")
        return TestServerFailure(wanted: "a login", reason: .wrong("\(what) is not right"), instead: unread)
    }
}
