internal import BellhopCrypto
internal import BellhopDiagnostics
package import BellhopEngine
internal import BellhopTransport
internal import BellhopXML
internal import BellhopXMPP

/// From a connection to a bound resource.
extension AccountLoop {
    /// What one login teaches the next.
    struct LoginMemory {
        /// With what the server proved that it knows the password; after it PLAIN is never used.
        var proven: SASLMechanism?
        /// The keys derived from the password, so that a reconnect does not pay for PBKDF2 again.
        var keys: SCRAMKeys?
        /// The random prefix of this connection's request ids.
        var requestPrefix = ""
        /// Whether the account has been registered in this run, where that was asked for.
        var registered = false
        /// Why the account was not made, where it may be there already and a login finds out.
        var taken: String?
        /// What is wrong with the server's certificate and does not count, since its key is pinned.
        var overlooked: [CertificateFault] = []
        /// The attempt in which it was registered, while the login goes on there.
        var registeredIn: Int?
        /// The passwords that the server refused in this run.
        var refused: [Secret] = []
        /// What the server gave out for the next login; nil where tokens are not used.
        var tokens: LoginTokens?
        /// The attempt in which a token was shown of which the server has not said anything yet.
        var tokenOpenIn: Int?
        /// The last that the server did not take, for the sake of what it may say of them.
        var refusedTokens: [LoginToken] = []
        /// The attempt in which the server did not take a token.
        var tokenRefusedIn: Int?
    }

    func makePlan() -> LoginPlan? {
        let registration = memory.registered ? nil : settings.registration
        do {
            let certificate = ownCertificate
            let password = settings.password.reveal()
            let credentials =
                password.isEmpty && certificate != nil && registration == nil
                ? try Credentials(user: settings.jid.local ?? "")
                : try Credentials(user: settings.jid.local ?? "", password: password)
            memory.requestPrefix = Base64.encode(try world.secrets(9))
            return LoginPlan(
                account: settings.jid.bare, credentials: credentials,
                goal: goal(registration),
                registration: RegistrationWish(
                    answers: registration?.answers ?? [:], canAsk: registration?.ask != nil),
                encryption: settings.requiresTLS ? .required : .plaintextAllowed,
                allowsPlain: settings.allowsPlain, allowsLegacyLogin: settings.allowsLegacyLogin,
                sasl2: wish(registration), channelBinding: settings.channelBinding, certificate: certificate,
                proven: memory.proven,
                remembered: memory.keys,
                resumption: registration == nil ? suspended?.takeResumption() : nil,
                nonce: Base64.encode(try world.secrets(24)),
                idPrefix: memory.requestPrefix + "-")
        } catch let fault as CredentialsFault {
            phase = .ended(.loginRefused(LoginPhrases.unusable(fault, account: settings.jid)))
        } catch {
            phase = .ended(.failed("the machine gives no random numbers: \(error)"))
        }
        return nil
    }

    /// What goes along with a login by SASL2. A new account has nothing in an archive yet.
    private func wish(_ registration: AccountRegistration?) -> SASL2Wish? {
        guard settings.usesSASL2 else { return nil }
        return SASL2Wish(
            userAgent: settings.userAgent, binds: registration == nil && house?.readsArchive == true,
            managesStream: settings.managesStream, tokens: registration == nil ? prepareTokens() : nil,
            presentsTokens: memory.tokenOpenIn == nil)
    }

    /// What of our certificate a login has to know; files that cannot be used are complained of at the handshake.
    private var ownCertificate: LoginCertificate? {
        guard settings.identity != nil else { return nil }
        let addresses = (try? makeTLSContext())?.addresses ?? []
        return LoginCertificate(addresses: addresses.compactMap { try? JID($0) })
    }

    private func goal(_ registration: AccountRegistration?) -> LoginPlan.Goal {
        guard let registration else { return .session(resource: settings.resource) }
        return registration.staysConnected ? .accountAndSession(resource: settings.resource) : .registration
    }

    /// Hands an input to the negotiation and carries out its actions in order.
    func negotiate(_ input: StreamNegotiation.Input, isLast: Bool) {
        guard case .negotiating(let link, var negotiation, let deadline) = phase else { return }
        let before = negotiation.phase
        let actions = negotiation.handle(input)
        phase = .negotiating(link, negotiation, deadline: deadline)
        if negotiation.isTokenOpen { noteTokenShown() }
        for action in actions {
            guard case .negotiating = phase else { return }
            switch action {
            case .openStream(let domain, let from):
                link.restartStream(loggedIn: before == .login)
                outbox.streamStart([
                    "to": domain, "from": from?.bareText, "version": "1.0", "xml:lang": "en",
                ])
            case .send(let element): outbox.write(element, in: Namespace.client)
            case .startTLS: startTLS(link, isLast: isLast)
            case .remember(let keys): remember(keys)
            case .token(let event): note(event)
            case .registered: registered(link, goesOn: !negotiation.isOver)
            case .ask(let question): ask(question, link)
            case .online(let bound): wentOnline(bound, link)
            case .resumed(let bound, let handled): wentResumed(bound, handled: handled, link)
            case .resumptionFailed(let handled): giveUpSuspended(handled: handled)
            case .fail(let failure): failed(failure, link)
            }
        }
    }

    private func remember(_ keys: SCRAMKeys) {
        memory.keys = keys
        guard memory.proven == nil else { return }
        memory.proven = keys.mechanism
        house?.occurred(.proved(by: keys.mechanism), now: now)
    }

    /// Allows PLAIN again, and forgets tokens; returns after which mechanism it was not.
    package func forgetProof() -> SASLMechanism? {
        defer { memory.proven = nil }
        forgetTokens()
        return memory.proven
    }

    private func startTLS(_ link: Link, isLast: Bool) {
        guard isLast, link.endsAtStanza else { return negotiate(.receivedBytesAfterProceed, isLast: true) }
        // What was collected so far belongs in front of the handshake.
        flush()
        shakeHands(link, application: nil)
    }

    /// Begins TLS; the application is announced by ALPN.
    func shakeHands(_ link: Link, application: String?) {
        do throws(TLSError) {
            let context = try makeTLSContext()
            if let failure = link.startTLS(context, name: settings.tlsName, application: application) {
                tlsFailed(link, failure)
            }
        } catch {
            tlsFailed(link, .tls(error))
        }
    }

    private func makeTLSContext() throws(TLSError) -> TLSContext {
        if let tlsContext { return tlsContext }
        let context = try TLSContext.client(
            trust: TLSTrust(file: settings.authorities, pins: settings.pins), identity: settings.identity)
        // The bot's own certificate is renewed while the bot runs, so it is read anew for each login.
        if settings.identity == nil { tlsContext = context }
        return context
    }

    func announceConnected(_ socket: Socket, tls: String?) {
        house?.occurred(.connected(address: socket.address, port: socket.port, tls: tls), now: now)
    }

    func handshakeDone(_ link: Link) {
        announceConnected(link.socket, tls: link.tls?.facts?.version)
        // With direct TLS the stream begins only now (XEP-0368).
        let isFirst =
            if case .negotiating(_, let negotiation, _) = phase { negotiation.phase == .connecting } else { false }
        let bindings = link.channelBindings
        let shows = link.showsCertificate
        negotiate(
            isFirst
                ? .connected(encrypted: true, bindings: bindings, showsCertificate: shows)
                : .tlsEstablished(bindings: bindings, showsCertificate: shows),
            isLast: true)
        var events: [StreamEvent] = []
        switch link.drainAfterHandshake(into: &events) {
        case .events, .handshakeDone: break
        case .ended: connectionEnded(link)
        case .failed(let failure): connectionFailed(link, failure)
        }
        for event in events { negotiate(.received(event), isLast: false) }
    }

    func tlsFailed(_ link: Link, _ failure: LinkFailure) {
        guard case .negotiating(_, let negotiation, _) = phase else { return }
        _ = link.flush()
        comeBack(after: .link(failure, during: negotiation.phase))
    }

    private func wentOnline(_ bound: Bound, _ link: Link) {
        // A server that does not offer it any more has not been asked.
        giveUpSuspended()
        link.widen()
        let session = makeSession(bound, noteLogin(bound, link))
        watch(session)
        phase = .live(link, session)
        begin(session)
    }

    /// Notes what a login that worked teaches the next, and how it went; `known` is what was offered at the session's beginning.
    func noteLogin(_ bound: Bound, _ link: Link, known: ServerFeatures? = nil) -> AccountEvent.Login {
        wasEverOnline = true
        backoff.wentOnline(now)
        memory.tokenOpenIn = nil
        memory.tokenRefusedIn = nil
        endRound()
        let facts = link.tls?.facts
        warn(of: facts)
        if bound.jid.local != settings.jid.local {
            log.warning(
                "login", "The server logged us in as another account than asked for",
                ["asked": settings.jid.bareText, "bound": settings.secrets.cut(from: "\(bound.jid)")])
        }
        return AccountEvent.Login(
            bound: bound.jid, address: link.socket.address, port: link.socket.port, tls: facts?.version,
            mechanism: bound.method.name,
            certificateEnd: certificateEnd(facts),
            largestStanza: bound.features.maxBytes ?? known?.maxBytes)
    }

    /// When the certificate will be refused; nil where its dates do not count.
    private func certificateEnd(_ facts: TLSFacts?) -> Timestamp? {
        if settings.authorities == nil, !settings.pins.isEmpty { return nil }
        return (facts?.certificate?.notAfter).map { Timestamp(milliseconds: 0) + .seconds($0) }
    }

    /// Says what the pinned key outweighs; once, as long as it stays the same.
    private func warn(of facts: TLSFacts?) {
        let faults = facts?.overlooked ?? []
        guard faults != memory.overlooked else { return }
        memory.overlooked = faults
        for fault in faults {
            log.warning(
                "certificate",
                CertificatePhrases.overlooked(fault, facts?.certificate, domain: settings.jid.domain))
        }
    }

    func makeSession(_ bound: Bound, _ login: AccountEvent.Login) -> LiveSession {
        let reading = MessageReading(
            account: bound.jid, language: settings.language, now: clock, maxAge: settings.maxAge)
        return LiveSession(bound: bound, login: login, reading: reading, idPrefix: memory.requestPrefix)
    }

    func watch(_ session: LiveSession) {
        guard
            let silence = ServerWatch.silence(
                settings.pingAfter, serverDropsAfter: session.bound.features.idleSeconds)
        else { return }
        session.watch = ServerWatch(silence: silence, patience: settings.pingTimeout, now: now)
    }

    private func failed(_ failure: NegotiationFailure, _ link: Link) {
        if let parting = failure.parting { outbox.write(parting.element, in: Namespace.client) }
        outbox.streamEnd()
        _ = link.send(outbox.bytes)
        outbox.removeAll()
        link.finish()
        comeBack(after: .negotiation(failure))
    }

    // MARK: After a break

    /// The socket was closed by the peer.
    func connectionEnded(_ link: Link) {
        switch phase {
        case .negotiating: negotiate(.disconnected, isLast: true)
        case .live: comeBack(after: .transport(.closed))
        case .closing(let current, _, let ending): end(current, ending)
        case .idle, .dialling, .waiting, .ended: break
        }
    }

    func connectionFailed(_ link: Link, _ failure: LinkFailure) {
        switch phase {
        case .negotiating(let current, let negotiation, _):
            guard current === link else { return }
            _ = link.flush()
            comeBack(after: .link(failure, during: negotiation.phase))
        case .live(let current, _):
            guard current === link else { return }
            comeBack(after: .link(failure, during: .finished))
        case .closing(let current, _, let ending):
            guard current === link else { return }
            end(current, ending)
        case .idle, .dialling, .waiting, .ended: break
        }
    }

    /// Decides what a break means: the next target, the end of the run, or another attempt after a while.
    func comeBack(after broken: BreakCause) {
        dropOutbox()
        if startsAfresh(after: broken) { return dial() }
        let session = live
        var cause = broken
        if session != nil {
            noteSessionEnd()
        } else if !isStopping {
            guard let outcome = goOn(after: broken) else { return }
            cause = outcome
        }
        let sentence = tokenSecrets.cut(from: LoginPhrases.sentence(cause, settings: settings))
        if isStopping { return conclude(session, sentence, .stopped) }
        switch cause.verdict(everOnline: wasEverOnline, redirects: redirects) {
        case .stop(.loginRefused) where cause.isWrongPassword && !wasEverOnline && memory.taken != nil:
            let taken = memory.taken ?? sentence
            conclude(session, taken, .registrationRefused(taken))
        case .stop(.loginRefused): conclude(session, sentence, .loginRefused(sentence))
        case .stop(.registrationRefused): conclude(session, sentence, .registrationRefused(sentence))
        case .stop(.conflict), .stop(.domainNotServed), .stop(.encryptionNotOffered), .stop(.keyNotPinned):
            conclude(session, sentence, .conflict(sentence))
        case .follow(let host) where retries:
            let isSuspended = session.map(suspend) ?? false
            redirects += 1
            redirect = target(host)
            phase = .waiting(until: now)
            announce(isSuspended ? nil : session, sentence, retry: .zero)
        case .retry where retries:
            let isSuspended = session.map(suspend) ?? false
            redirects = 0
            // No person has to mend it, but somebody should know.
            if cause.isLoginRefusal { house?.occurred(.loginFailed(sentence), now: now) }
            // A server that was never reached in this run has thrown nobody out.
            let delay = backoff.failed(now, wasEverOnline ? cause.backoff : .line, random: world.chance())
            phase = .waiting(until: now + delay)
            announce(isSuspended ? nil : session, sentence, retry: delay)
        case .retry, .follow: conclude(session, sentence, .failed(sentence))
        }
    }

    private func conclude(_ session: LiveSession?, _ sentence: String, _ ending: AccountEnding) {
        phase = .ended(ending)
        suspended?.session?.abandon()
        switch ending {
        case .loginRefused: house?.occurred(.loginFailed(sentence), now: now)
        case .registrationRefused: house?.occurred(.registrationFailed(sentence), now: now)
        case .stopped, .conflict, .failed: break
        }
        announce(session, sentence, retry: nil)
    }

    private func announce(_ session: LiveSession?, _ sentence: String, retry: Duration?) {
        session?.abandon()
        house?.occurred(.disconnected(reason: sentence, retry: retry), now: now)
    }
}
