internal import BellhopCrypto
internal import BellhopXML
internal import BellhopXMPP

/// From the first start tag to a bound resource (RFC 6120 sections 4 to 7).
extension SimulatedServer {
    /// After so many wrong passwords the stream is closed.
    private static let patience = 3

    mutating func opened(_ header: Element, on connection: Int) {
        guard case .opening(let standing)? = streams[connection]?.phase else {
            return end(connection, StreamError(.unsupportedStanzaType))
        }
        guard header.is("stream", Namespace.streams) else {
            return end(connection, StreamError(.invalidNamespace))
        }
        guard header["to"] == options.domain else { return end(connection, StreamError(.hostUnknown)) }
        effects.append(.open(connection, id: random.token()))
        effects.append(.write(connection, features(for: standing)))
        streams[connection]?.phase = .negotiating(standing)
    }

    private func features(for standing: Standing) -> Element {
        var features = Element("features", namespace: Namespace.streams)
        if options.encryption != .none, !standing.isEncrypted {
            var offer = Element("starttls", namespace: Namespace.tls)
            if options.encryption == .required { offer = offer.with(Element("required", namespace: Namespace.tls)) }
            features = features.with(offer)
            if options.encryption == .required { return features }
        }
        if let limits = options.limits {
            var offer = Element("limits", namespace: Namespace.streamLimits)
            if let bytes = limits.bytes {
                offer = offer.with(Element("max-bytes", namespace: Namespace.streamLimits).with(text: "\(bytes)"))
            }
            if let idle = limits.idle {
                let seconds = "\(idle.components.seconds)"
                offer = offer.with(Element("idle-seconds", namespace: Namespace.streamLimits).with(text: seconds))
            }
            features = features.with(offer)
        }
        guard standing.account != nil else {
            var mechanisms = Element("mechanisms", namespace: Namespace.sasl)
            for name in options.mechanisms {
                mechanisms = mechanisms.with(Element("mechanism", namespace: Namespace.sasl).with(text: name))
            }
            return features.with(mechanisms)
        }
        features = features.with(Element("bind", namespace: Namespace.bind))
        if options.streamManagement != nil {
            features = features.with(Element("sm", namespace: Namespace.streamManagement))
        }
        return features
    }

    /// Hands a first-level element to whoever is due in this phase.
    mutating func received(_ element: Element, on connection: Int) {
        guard let phase = streams[connection]?.phase else { return }
        switch phase {
        case .opening, .securing, .ended: return
        case .bound(let number):
            guard let index = index(ofSession: number) else { return }
            receivedLive(element, index, on: connection)
        case .authenticating(let verifier, let account, let standing):
            receivedProof(element, verifier, account, standing, on: connection)
        case .negotiating(let standing): negotiate(element, standing, on: connection)
        }
    }

    private mutating func negotiate(_ element: Element, _ standing: Standing, on connection: Int) {
        switch (element.name, element.namespace) {
        case ("starttls", Namespace.tls) where options.encryption != .none && !standing.isEncrypted:
            effects.append(.write(connection, Element("proceed", namespace: Namespace.tls)))
            effects.append(.startTLS(connection))
            streams[connection]?.phase = .securing
        case ("auth", Namespace.sasl)
        where standing.account == nil && (options.encryption != .required || standing.isEncrypted):
            authenticate(element, standing, on: connection)
        case ("iq", Namespace.client):
            guard let account = standing.account else { return end(connection, StreamError(.notAuthorized)) }
            guard element["type"] == "set", let request = element.child("bind", Namespace.bind) else {
                let refusal = Self.refusal(of: element, .notAllowed).with("from", options.domain)
                return effects.append(.write(connection, refusal))
            }
            bind(request.child("resource", Namespace.bind)?.text, of: account, iq: element, on: connection)
        case (_, Namespace.streamManagement) where standing.account != nil:
            managed(element, before: standing, on: connection)
        case (_, Namespace.client) where standing.account == nil: end(connection, StreamError(.notAuthorized))
        default: end(connection, StreamError(.unsupportedStanzaType))
        }
    }

    // MARK: SASL

    private mutating func authenticate(_ auth: Element, _ standing: Standing, on connection: Int) {
        let mechanism = auth["mechanism"] ?? ""
        guard options.mechanisms.contains(mechanism) else {
            return refuse("invalid-mechanism", standing, on: connection)
        }
        let first = Base64.decode(auth.text) ?? []
        if mechanism == "PLAIN" {
            let fields = first.split(separator: 0, omittingEmptySubsequences: false)
            guard fields.count == 3, let local = String(validating: fields[1], as: UTF8.self),
                let account = accounts[local + "@" + options.domain], Array(fields[2]) == Array(account.password.utf8)
            else { return refuse("not-authorized", standing, on: connection) }
            return succeed(account.bare, standing, signature: nil, on: connection)
        }
        let text = String(validating: first, as: UTF8.self) ?? ""
        let fields = text.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count >= 4, SCRAMVerifier.hash(of: mechanism) != nil else {
            return refuse("malformed-request", standing, on: connection)
        }
        let local = fields[2].dropFirst(2).replacing("=2C", with: ",").replacing("=3D", with: "=")
        guard let account = accounts[local + "@" + options.domain],
            var verifier = SCRAMVerifier(first, user: String(local), password: account.password, mechanism: mechanism)
        else { return refuse("not-authorized", standing, on: connection) }
        let challenge = verifier.challenge(nonce: random.token(), salt: Array("salt of \(local)".utf8))
        effects.append(
            .write(
                connection,
                Element("challenge", namespace: Namespace.sasl).with(text: Base64.encode(challenge))))
        streams[connection]?.phase = .authenticating(verifier, account: account.bare, standing)
    }

    private mutating func receivedProof(
        _ element: Element, _ verifier: SCRAMVerifier, _ account: String, _ standing: Standing, on connection: Int
    ) {
        switch (element.name, element.namespace) {
        case ("response", Namespace.sasl):
            guard let signature = verifier.verify(Base64.decode(element.text) ?? []) else {
                return refuse("not-authorized", standing, on: connection)
            }
            succeed(account, standing, signature: signature, on: connection)
        case ("abort", Namespace.sasl): refuse("aborted", standing, on: connection)
        default: end(connection, StreamError(.notAuthorized))
        }
    }

    private mutating func succeed(
        _ account: String, _ standing: Standing, signature: [UInt8]?, on connection: Int
    ) {
        counts.logins += 1
        var success = Element("success", namespace: Namespace.sasl)
        if let signature { success = success.with(text: Base64.encode(signature)) }
        effects.append(.write(connection, success))
        effects.append(.restart(connection))
        streams[connection]?.phase = .opening(Standing(isEncrypted: standing.isEncrypted, account: account))
    }

    private mutating func refuse(_ condition: String, _ standing: Standing, on connection: Int) {
        counts.refusedLogins += 1
        let failure = Element("failure", namespace: Namespace.sasl)
            .with(Element(condition, namespace: Namespace.sasl))
        effects.append(.write(connection, failure))
        streams[connection]?.failures += 1
        streams[connection]?.phase = .negotiating(standing)
        if (streams[connection]?.failures ?? 0) >= Self.patience { shut(connection) }
    }

    // MARK: binding

    private mutating func bind(_ wanted: String?, of account: String, iq: Element, on connection: Int) {
        var resource = wanted.flatMap { $0.isEmpty ? nil : $0 } ?? random.token()
        if let prepared = try? JID(account + "/" + resource).resource { resource = prepared }
        // Whoever comes last has the resource (RFC 6120 section 7.7.2.2, the third way).
        if let old = sessions.firstIndex(where: { $0.account == account && $0.resource == resource }) { kick(old) }
        lastSession += 1
        counts.binds += 1
        let session = SimulatedSession(
            number: lastSession, account: account, resource: resource, connection: connection)
        sessions.append(session)
        streams[connection]?.phase = .bound(session.number)
        let jid = Element("jid", namespace: Namespace.bind).with(text: session.full)
        let answer = Element("iq", namespace: Namespace.client).with("type", "result").with("id", iq["id"])
            .with(Element("bind", namespace: Namespace.bind).with(jid))
        effects.append(.write(connection, answer))
    }

    /// Ends a session because another client has taken its place.
    mutating func kick(_ index: Int) {
        counts.kicked += 1
        if let connection = sessions[index].connection {
            effects.append(.write(connection, StreamError(.conflict).element))
            effects.append(.close(connection))
            streams[connection]?.phase = .ended
        }
        destroy(index)
    }

    /// The answer of type `error` to a stanza.
    static func refusal(of stanza: Element, _ condition: StanzaError.Condition) -> Element {
        Element(stanza.name, namespace: Namespace.client).with("type", "error").with("id", stanza["id"])
            .with("from", stanza["to"]).with("to", stanza["from"]).with(StanzaError(condition).element)
    }
}
