package import BellhopCrypto
package import BellhopXML

/// The usual way in: features, STARTTLS, SASL, binding, the roster, the first presence.
extension TestConnection {
    /// What a client showed while it logged in.
    package struct Login: Sendable {
        /// Its stream headers, in order.
        package var headers: [Element] = []
        package var mechanism = ""
        /// The full JID that it was given.
        package var bound = ""
        package var presence = Element("presence", namespace: "jabber:client")
    }

    private static let tls = "urn:ietf:params:xml:ns:xmpp-tls"
    private static let sasl = "urn:ietf:params:xml:ns:xmpp-sasl"
    private static let time = "urn:xmpp:time"
    private static let bind = "urn:ietf:params:xml:ns:xmpp-bind"

    /// Plays the whole login of this account up to its first presence.
    ///
    /// `bound` overrules the resource that the client asks for; `roster` are `<item/>` elements as XML; `features` are
    /// further ones offered beside binding; `tls` shows another certificate than the server's; `discovery` is what the server says it can do, nil leaves that to the script.
    package func login(
        as account: String, bound resource: String? = nil, roster: [String] = [], features: String = "",
        tls: TLSContext? = nil, discovery: Discovery? = Discovery()
    ) async throws -> Login {
        var login = Login()
        answerDiscovery(discovery)
        if options.isDirectTLS {
            try await secured()
        } else if options.tls != nil {
            try await open(
                "<starttls xmlns='\(Self.tls)'><required/></starttls>", &login)
            try await secure(with: tls)
        }
        try await open(options.saslFeatures, &login)
        login.mechanism = try await authenticate(account)
        try await open("<bind xmlns='\(Self.bind)'/>\(options.features)\(features)", &login)
        login.bound = try await bind(account, resource)
        let query = try await expect("iq", type: "get") { $0.child("query", "jabber:iq:roster") != nil }
        // What was asked before is here now.
        answerTime()
        reply(to: query, with: "<query xmlns='jabber:iq:roster'>\(roster.joined())</query>")
        login.presence = try await expect("presence") { $0["to"] == nil && $0["type"] == nil }
        // What came with the presence is answered by now, so that no answer stands in the middle of what a script sends.
        try await handedOver()
        return login
    }

    private func answerTime() {
        let asked = facts.takeNow { fact -> Element? in
            guard case .stanza(let stanza) = fact, stanza.child("time", Self.time) != nil else { return nil }
            return stanza
        }
        guard let asked else { return }
        if let time = options.time?() {
            return reply(to: asked, with: "<time xmlns='\(Self.time)'><tzo>+00:00</tzo><utc>\(time)</utc></time>")
        }
        let id = asked["id"] ?? ""
        send(
            "<iq type='error' id='\(id)' from='\(options.domain)'><error type='cancel'>"
                + "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
    }

    /// Waits for a stream header and answers with one and with these features; returns the client's header.
    @discardableResult
    package func open(features: String) async throws -> Element {
        let header = try await expectStream()
        guard header["to"] == options.domain else {
            throw TestServerFailure(
                wanted: "a stream to \(options.domain)", reason: .wrong("it was \(header.serialized())"),
                instead: unread)
        }
        send(
            "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
                + "from='\(options.domain)' id='stream-\(number)-\(ids.next())' version='1.0' xml:lang='en'>"
                + "<stream:features>\(features)</stream:features>")
        return header
    }

    private func open(_ features: String, _ login: inout Login) async throws {
        login.headers.append(try await open(features: features))
    }

    /// Waits for `<starttls/>` and for the handshake that follows, with the server's certificate or another.
    @discardableResult
    package func secure(with other: TLSContext? = nil) async throws -> SecuredLine {
        guard let context = other ?? options.tls else {
            throw TestServerFailure(wanted: "TLS", reason: .wrong("the server has no certificate"), instead: [])
        }
        _ = try await expect("starttls", Self.tls)
        order(.secure(Array("<proceed xmlns='\(Self.tls)'/>".utf8), context))
        return try await secured()
    }

    /// Waits for the end of the handshake.
    @discardableResult package func secured() async throws -> SecuredLine {
        let line = try await facts.take("the TLS handshake", patience: options.patience) { fact in
            if case .secured(let line) = fact { line } else { nil }
        }
        secured(line)
        return line
    }

    /// Plays the server's part of SASL for this account; returns the mechanism that the client chose.
    ///
    /// `bindings` is what the server's end takes its TLS session for; nil is the truth.
    package func authenticate(
        _ account: String, bindings: [String: [UInt8]]? = nil
    ) async throws -> String {
        let local = account.split(separator: "@").first.map(String.init) ?? account
        let auth = try await expect("auth", Self.sasl)
        let mechanism = auth["mechanism"] ?? ""
        guard options.mechanisms.contains(mechanism), let password = options.accounts[local] else {
            throw refuse("mechanism \(mechanism) for \(account)")
        }
        let first = Base64.decode(auth.text) ?? []
        if mechanism == "PLAIN" {
            guard first == [0] + Array(local.utf8) + [0] + Array(password.utf8) else { throw refuse("the password") }
            sendAndRestart("<success xmlns='\(Self.sasl)'/>")
            return mechanism
        }
        if mechanism == "EXTERNAL" {
            guard auth.text == "=" || first == Array(account.utf8) else { throw refuse("the identity") }
            sendAndRestart("<success xmlns='\(Self.sasl)'/>")
            return mechanism
        }
        guard
            var verifier = SCRAMVerifier(
                first, user: local, password: password, mechanism: mechanism, bindings: bindings ?? self.bindings)
        else { throw refuse("the first SCRAM message") }
        let challenge = verifier.challenge(
            nonce: "server\(ids.next())", salt: Array("salt of \(local)".utf8),
            offer: options.tellsOffer ? options.offer : nil)
        send("<challenge xmlns='\(Self.sasl)'>\(Base64.encode(challenge))</challenge>")
        let response = try await expect("response", Self.sasl)
        guard let signature = verifier.verify(Base64.decode(response.text) ?? []) else {
            throw refuse("the client's proof")
        }
        sendAndRestart("<success xmlns='\(Self.sasl)'>\(Base64.encode(signature))</success>")
        return mechanism
    }

    private func refuse(_ what: String) -> TestServerFailure {
        send("<failure xmlns='\(Self.sasl)'><not-authorized/></failure>")
        return TestServerFailure(wanted: "a login", reason: .wrong("\(what) is not right"), instead: unread)
    }

    /// Answers the request for a resource; returns the full JID.
    package func bind(_ account: String, _ resource: String? = nil) async throws -> String {
        let request = try await expect("iq", type: "set") { $0.child("bind", Self.bind) != nil }
        let wanted = request.child("bind", Self.bind)?.child("resource", Self.bind)?.text
        let bound = "\(account)/\(resource ?? wanted ?? "made-up")"
        let jid = Element("jid", namespace: Self.bind).with(text: bound)
        reply(to: request, with: Element("bind", namespace: Self.bind).with(jid).serialized(in: "jabber:client"))
        return bound
    }
}
