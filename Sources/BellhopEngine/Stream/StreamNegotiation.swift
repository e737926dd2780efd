package import BellhopCrypto
package import BellhopXML
package import BellhopXMPP

/// The way from a connection to a session: features, STARTTLS, SASL, SASL2 or jabber:iq:auth, resumption or resource binding,
/// and the legacy session; or to a new account (RFC 6120 sections 4 to 7, XEP-0078, XEP-0198 section 5, XEP-0386,
/// XEP-0388, XEP-0484, RFC 3921 section 3, XEP-0077).
///
/// The caller owns socket, TLS, parser and clock. It hands in what happened and carries out the actions in order. A
/// `fail` is the last action of all, and so are `online`, `resumed` and, where no session was asked for, `registered`.
package struct StreamNegotiation: Equatable, Sendable {
    package enum Input: Equatable, Sendable {
        /// The connection stands; `encrypted` when TLS came first and the certificate was verified. What the TLS session
        /// can be bound to comes with it.
        case connected(
            encrypted: Bool, bindings: [ChannelBindingType: [UInt8]] = [:], showsCertificate: Bool = true)
        case received(StreamEvent)
        /// Of what was read, bytes were left behind the `>` that ended `<proceed/>`; see `Action.startTLS`.
        case receivedBytesAfterProceed
        /// The handshake is done and the certificate is that of the account's domain; what a login can be bound to.
        ///
        /// `showsCertificate` unless the server has not asked for our certificate, if there is one.
        case tlsEstablished(bindings: [ChannelBindingType: [UInt8]] = [:], showsCertificate: Bool = true)
        case tlsFailed
        case disconnected
        /// The time for the whole login is over.
        case timeLimitReached
        /// The answers of the person whom `Action.ask` was for, by the fields' names; nil when they gave up.
        case answered([String: [String]]?)
    }

    package enum Action: Equatable, Sendable {
        /// Make a new parser and write a stream header; the old stream is not closed, only forgotten.
        case openStream(to: String, from: JID?)
        case send(Element)
        /// Start a handshake that verifies the account's domain.
        ///
        /// Whoever can write into the stream before TLS must not be heard after it (CVE-2011-0411). So while the stream
        /// is in the clear, cut what was read behind each `>`, feed the parser one piece at a time and handle the events
        /// of each; when this action comes and something is left of what was read, say `receivedBytesAfterProceed`
        /// instead of starting. Bytes read later belong to the handshake, which fails on them by itself.
        case startTLS
        /// Keep the keys for the next login; they are worth as much as the password.
        case remember(SCRAMKeys)
        /// Keep, or forget, what this says of a token, and before the login counts as done.
        case token(LoginTokens.Event)
        case online(Bound)
        /// The stream goes on where it broke; the server has handled so many of our stanzas.
        case resumed(Bound, handled: UInt32)
        /// The stream to be resumed is gone; the server may still know how many of our stanzas it handled. The
        /// negotiation goes on.
        case resumptionFailed(handled: UInt32?)
        /// The server made the account. Where a session was asked for, too, the negotiation goes on.
        case registered
        /// Ask a person for what the server wants to know, and say `answered`; they may need longer than a login takes.
        case ask(RegistrationQuestion)
        /// Write the failure's `parting` and the stream's end where that is possible, and close the connection.
        case fail(NegotiationFailure)
    }

    enum State: Equatable, Sendable {
        /// No connection yet. Next: `opening`.
        case idle
        /// Our header is out. Next: `awaitingFeatures` on the server's.
        case opening(Ground)
        /// Next: the first step that `StreamFeature.table` allows; `finished` where the login bound a resource.
        case awaitingFeatures(Ground)
        /// `<starttls/>` is out. Next: `securing` on `<proceed/>`.
        case requestingTLS
        /// The handshake runs. Next: `opening`, with nothing kept of what was learnt in the clear.
        case securing
        /// Next: `opening` as somebody; with SASL2 `awaitingFeatures`, or `finished`.
        case authenticating(SASLNegotiation, Ground)
        /// A token is shown. Next: `awaitingFeatures` or `finished`, or `authenticating` where it is refused.
        case presenting(TokenLogin, ServerFeatures, Ground)
        /// jabber:iq:auth is under way. Next: `finished`.
        case loggingIn(LegacyLogin, ServerFeatures, Ground)
        /// Next: `finished`, or `authenticating` on the same stream.
        case registering(Registration, ServerFeatures, Ground)
        /// `<resume/>` is out. Next: `finished`, or `binding`.
        case resuming(LoginMethod, ServerFeatures, Ground, Resumption)
        /// The request for a resource is out. Next: `startingSession` or `finished`.
        case binding(LoginMethod, ServerFeatures, Ground)
        /// The legacy session was asked for. Next: `finished`.
        case startingSession(Bound)
        case finished
        case failed(NegotiationFailure)
    }

    /// What a stream stands on.
    struct Ground: Equatable, Sendable {
        enum Identity: Equatable, Sendable { case nobody, authenticated(LoginMethod) }

        var encrypted: Bool
        /// What of the TLS session a login can be bound to.
        var bindings: [ChannelBindingType: [UInt8]] = [:]
        /// Whether the server has asked for our certificate, should there be one.
        var showsCertificate = false
        var identity = Identity.nobody
        /// The server's name for the stream.
        var streamID: String?
        /// What the login bound, where it did (XEP-0386).
        var binding: InlineBinding?
        /// Whether the server was asked to go on with a broken stream.
        var isResumptionTried = false
        /// Whether the account that was asked for has been made on this stream.
        var isRegistered = false
        /// Whether the server did not take a token on this stream.
        var isTokenRefused = false
    }

    package let plan: LoginPlan
    var state = State.idle

    package init(_ plan: LoginPlan) { self.plan = plan }

    /// Whether nothing more will come of this negotiation.
    package var isOver: Bool {
        switch state {
        case .finished, .failed: true
        case .idle, .opening, .awaitingFeatures, .requestingTLS, .securing, .authenticating, .presenting, .loggingIn,
            .registering,
            .resuming, .binding, .startingSession:
            false
        }
    }

    /// The login that is under way, as `LoginMethod` names it; nil before and after it.
    package var login: String? {
        switch state {
        case .authenticating(let login, _): login.method.name
        case .presenting(let login, _, _): login.method.name
        case .loggingIn: "jabber:iq:auth"
        case .idle, .opening, .awaitingFeatures, .requestingTLS, .securing, .registering, .resuming, .binding,
            .startingSession, .finished, .failed:
            nil
        }
    }

    /// Whether a token was shown, of which the server has not said anything yet.
    package var isTokenOpen: Bool {
        if case .presenting = state { return true }
        return false
    }

    /// Takes what happened and says what to do about it.
    ///
    /// Runs as long as the server's iteration count asks for when a SCRAM challenge comes in, within the plan's bounds.
    package mutating func handle(_ input: Input) -> [Action] {
        if isOver { return [] }
        switch input {
        case .connected(let encrypted, let bindings, let shows):
            return connected(Ground(encrypted: encrypted, bindings: bindings, showsCertificate: encrypted && shows))
        case .received(let event): return received(event)
        case .receivedBytesAfterProceed: return receivedBytesAfterProceed()
        case .tlsEstablished(let bindings, let shows):
            return tlsEstablished(Ground(encrypted: true, bindings: bindings, showsCertificate: shows))
        case .tlsFailed: return fail(.tlsFailed)
        case .disconnected: return fail(.closed(during: phase))
        case .timeLimitReached: return timeLimitReached()
        case .answered(let answers): return answered(answers)
        }
    }

    /// How far the negotiation has come.
    package var phase: NegotiationPhase {
        switch state {
        case .idle: .connecting
        case .opening: .opening
        case .awaitingFeatures(let ground): ground.binding == nil ? .features : .binding
        case .requestingTLS: .startTLS
        case .securing: .handshake
        case .authenticating, .presenting, .loggingIn: .login
        case .registering(let registration, _, _): registration.isSubmitted ? .creation : .registration
        case .resuming: .resumption
        case .binding: .binding
        case .startingSession: .session
        case .finished, .failed: .finished
        }
    }

    mutating func fail(_ failure: NegotiationFailure) -> [Action] {
        state = .failed(failure)
        return [.fail(failure)]
    }

    mutating func open(on ground: Ground) -> [Action] {
        state = .opening(ground)
        // The account's name is nobody's business before the stream is encrypted.
        return [.openStream(to: plan.account.domain, from: ground.encrypted ? plan.account : nil)]
    }
}
