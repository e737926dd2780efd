internal import BellhopCrypto
package import BellhopXML
internal import Synchronization

/// One client's connection to an Openfire, as far as its script plays it; what the client asks once it is logged in is answered by
/// itself, in Openfire's way.
package final class OpenfireStream: Sendable {
    package let connection: TestConnection
    package let profile: OpenfireProfile
    let state: Mutex<OpenfireSession>
    private static let sasl = "urn:ietf:params:xml:ns:xmpp-sasl"

    package init(_ connection: TestConnection, _ profile: OpenfireProfile, roster: [OpenfireSession.Item] = []) {
        self.connection = connection
        self.profile = profile
        state = Mutex(OpenfireSession(profile: profile, number: connection.number, roster: roster))
    }

    /// Plays the whole login of whoever comes; the address that it was given.
    @discardableResult
    package func login() async throws -> String {
        try await offer()
        let user = try await authenticate()
        return try await bind(user)
    }

    /// The first stream, with all features in one list; where there is a certificate the second one too.
    package func offer() async throws {
        connection.respond { [self] stanza in
            stanza.is("message", "jabber:client") ? state.withLock { $0.refusalBeforeLogin(of: stanza) } : nil
        }
        try await open(profile.featuresBeforeLogin(encrypted: false))
        guard let context = profile.tls else { return }
        try await connection.secure(with: context)
        try await open(profile.featuresBeforeLogin(encrypted: true))
    }

    /// The header names Openfire's own domain, whatever was asked for, and the same id on each stream of a connection.
    private func open(_ features: String) async throws {
        _ = try await connection.expectStream()
        connection.send(
            "<?xml version='1.0' encoding='UTF-8'?><stream:stream xmlns:stream=\"http://etherx.jabber.org/streams\" "
                + "xmlns=\"jabber:client\" from=\"\(profile.domain)\" id=\"\(id)\" xml:lang=\"en\" version=\"1.0\">"
                + features)
    }

    private var id: String { state.withLock { $0.id } }

    /// Answers the question for a form, and then the filled one: with an account, or with an error like `conflict` and its old number.
    package func register(refusal: (code: Int, condition: String)? = nil) async throws {
        let form = try await connection.expect("iq", type: "get") { $0.child("query", "jabber:iq:register") != nil }
        connection.send("<iq type=\"result\" id=\"\(form["id"] ?? "")\">\(OpenfireSession.registrationForm)</iq>")
        let set = try await connection.expect("iq", type: "set") { $0.child("query", "jabber:iq:register") != nil }
        connection.send(state.withLock { $0.registered(set, refusal) })
    }

    /// Takes the client's proof; refuses a wrong one without a word of text. Who it is.
    package func authenticate() async throws -> String {
        let auth = try await connection.expect("auth", Self.sasl)
        let first = Base64.decode(auth.text) ?? []
        guard let mechanism = auth["mechanism"], mechanism.hasPrefix("SCRAM-SHA-1") else {
            return try plain(auth, first)
        }
        let user = Self.user(in: first)
        guard let password = profile.accounts[user],
            var verifier = SCRAMVerifier(
                first, user: user, password: password, mechanism: mechanism, bindings: connection.bindings)
        else { throw refuse(user) }
        let nonce = "47ae42b0-c6a5-40cf-9e56-\(connection.number)"
        let challenge = verifier.challenge(nonce: nonce, salt: Array("a salt of 24 bytes, about".utf8))
        connection.send("<challenge xmlns=\"\(Self.sasl)\">\(Base64.encode(challenge))</challenge>")
        let response = try await connection.expect("response", Self.sasl)
        guard let signature = verifier.verify(Base64.decode(response.text) ?? []) else { throw refuse(user) }
        connection.sendAndRestart("<success xmlns=\"\(Self.sasl)\">\(Base64.encode(signature))</success>")
        return user
    }

    private func plain(_ auth: Element, _ message: [UInt8]) throws -> String {
        let fields = message.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard auth["mechanism"] == "PLAIN", fields.count == 3, profile.accounts[fields[1]] == fields[2] else {
            throw refuse(auth["mechanism"] ?? "")
        }
        connection.sendAndRestart("<success xmlns=\"\(Self.sasl)\"/>")
        return fields[1]
    }

    private static func user(in clientFirst: [UInt8]) -> String {
        let field = clientFirst.split(separator: UInt8(ascii: ",")).first { $0.starts(with: Array("n=".utf8)) } ?? []
        return String(decoding: field.dropFirst(2), as: UTF8.self)
    }

    private func refuse(_ whom: String) -> TestServerFailure {
        refuse()
        return TestServerFailure(wanted: "a login", reason: .wrong("\(whom) is not right"), instead: connection.unread)
    }

    /// Says no without a text; at the third time it hangs up.
    package func refuse() {
        connection.send("<failure xmlns=\"\(Self.sasl)\"><not-authorized/></failure>")
        if state.withLock({ $0.refused() }) { hangUp() }
    }

    /// Binds the resource that was asked for; the answer is addressed to the id of the stream, and its address is the truth, domain
    /// included.
    package func bind(_ user: String) async throws -> String {
        try await open(profile.featuresBehindLogin)
        let request = try await connection.expect("iq", type: "set") {
            $0.child("bind", "urn:ietf:params:xml:ns:xmpp-bind") != nil
        }
        let wanted = request.children.first?.children.first?.text ?? id
        let bound = "\(user)@\(profile.domain)/\(wanted)"
        state.withLock { $0.bound = bound }
        connection.respond { [self] stanza in
            guard state.withLock({ $0.isUnknown(stanza) }) else { return state.withLock { $0.answer(stanza) } }
            hangUp()
            return nil
        }
        connection.send(
            "<iq type=\"result\" id=\"\(request["id"] ?? "")\" to=\"\(profile.domain)/\(id)\">"
                + "<bind xmlns=\"urn:ietf:params:xml:ns:xmpp-bind\"><jid>\(bound)</jid></bind></iq>")
        return bound
    }

    /// The whole login of whoever would like to go on with a broken stream; its `<resume/>`.
    package func expectResumption() async throws -> Element {
        try await offer()
        _ = try await authenticate()
        try await open(profile.featuresBehindLogin)
        return try await connection.expect("resume", TestConnection.streamManagement)
    }

    /// Sends stanzas of others, and asks for a count behind every fifth that it sent.
    package func send(_ stanzas: String...) {
        for stanza in stanzas { connection.send(state.withLock { $0.counted([stanza]) }) }
    }

    /// A contact asks for the bot's presence.
    package func requestSubscription(by contact: String) {
        send("<presence id=\"s1\" to=\"\(bareBound)\" type=\"subscribe\" from=\"\(contact)\"/>")
    }

    /// A contact agrees: a push, the word to the bare address, and its presence to the full one and to the bare one.
    package func approve(by contact: String) {
        let push = state.withLock { $0.approved(by: contact) }
        let presence = "<presence id=\"p1\" xml:lang=\"en\" from=\"\(contact)/phone\" to=\""
        send(
            push, "<presence id=\"s2\" xml:lang=\"en\" to=\"\(bareBound)\" type=\"subscribed\" from=\"\(contact)\"/>",
            presence + "\(bound)\"/>", presence + "\(bareBound)\"/>")
    }

    /// Says from now on how many stanzas have come, whenever it is asked.
    package func answerCounts() { state.withLock { $0.answersCounts = true } }

    /// How many stanzas it has sent since it began to count.
    package var sentCount: Int { state.withLock { $0.sent } }
    package var bound: String { state.withLock { $0.bound } }
    private var bareBound: String { String(bound.prefix { $0 != "/" }) }
    /// What its roster says of a contact.
    package func item(_ jid: String) -> OpenfireSession.Item? { state.withLock { $0.roster.first { $0.jid == jid } } }

    /// The same resource logs in elsewhere: this session ends with a word, and without the end of its stream.
    package func replace() {
        connection.send(
            "<stream:error xmlns:stream=\"http://etherx.jabber.org/streams\">"
                + "<conflict xmlns=\"urn:ietf:params:xml:ns:xmpp-streams\"/></stream:error>")
        hangUp()
    }

    /// Waits for the end of the client's stream, and simply ends the connection.
    package func answerGoodbye() async throws {
        try await connection.expectStreamEnd()
        hangUp()
    }

    /// Ends the connection without the end of the stream.
    package func hangUp() { connection.order(.close) }
}
