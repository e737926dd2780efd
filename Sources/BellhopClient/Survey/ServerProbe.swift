internal import BellhopCrypto
internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopTransport
internal import BellhopXML
internal import BellhopXMPP

/// Goes the way of a login at one place up to the point where the bot would show who it is, and leaves; blocks.
///
/// Knows no password, so that none can leave: what the login would begin with is made with another and thrown away.
struct ServerProbe {
    private let settings: AccountSettings
    private let deadline: Duration
    private var report: PlaceReport
    private var negotiation: StreamNegotiation

    /// The way is over; nil where it led as far as it should.
    private struct Ending: Error {
        var cause: BreakCause?
    }

    /// How long one place may take.
    private static let longest: Duration = .seconds(15)

    /// What is found at this place.
    static func look(at target: ServerTarget, _ settings: AccountSettings) -> PlaceReport {
        var settings = settings
        settings.server = target
        settings.timeout = min(settings.timeout, longest)
        var probe: ServerProbe
        do throws(CredentialsFault) {
            probe = try ServerProbe(target, settings)
        } catch {
            var report = PlaceReport(target: target)
            report.trouble = PlaceReport.Trouble(
                stage: .mechanisms, sentence: LoginPhrases.unusable(error, account: settings.jid))
            return report
        }
        return probe.run()
    }

    private init(_ target: ServerTarget, _ settings: AccountSettings) throws(CredentialsFault) {
        self.settings = settings
        deadline = MonotonicClock.now() + settings.timeout
        report = PlaceReport(target: target)
        let user = settings.jid.local ?? ""
        let hasPassword = settings.identity == nil || !settings.password.reveal().isEmpty
        let credentials = hasPassword ? try Credentials(user: user, password: "none") : try Credentials(user: user)
        negotiation = StreamNegotiation(
            LoginPlan(
                account: settings.jid.bare, credentials: credentials,
                goal: .session(resource: settings.resource),
                encryption: settings.requiresTLS ? .required : .plaintextAllowed, allowsPlain: settings.allowsPlain,
                allowsLegacyLogin: settings.allowsLegacyLogin, sasl2: settings.usesSASL2 ? SASL2Wish() : nil,
                channelBinding: settings.channelBinding,
                certificate: settings.identity.map { _ in LoginCertificate(addresses: []) }, proven: settings.proven,
                nonce: "none", idPrefix: "none"))
    }

    private mutating func run() -> PlaceReport {
        do throws(Ending) {
            let began = MonotonicClock.now()
            let link = Link(socket: try dial())
            report.address = link.socket.address
            report.connectTime = MonotonicClock.now() - began
            defer { leave(link) }
            switch report.target.security {
            case .startTLS: try negotiate(.connected(encrypted: false), link)
            case .directTLS: try shakeHands(link, application: "xmpp-client")
            }
            let poller = try poller()
            while true { try turn(link, poller) }
        } catch {
            if let cause = error.cause { report.trouble = PlaceReport.Trouble(cause, settings) }
        }
        return report
    }

    private func dial() throws(Ending) -> Socket {
        do throws(TransportError) {
            return try Dialer(resolver: settings.resolver)
                .connect(to: report.target.endpoint.inASCII, until: deadline)
        } catch {
            throw Ending(cause: .transport(error))
        }
    }

    private func poller() throws(Ending) -> Poller {
        do throws(TransportError) {
            return Poller(wakeup: try Wakeup())
        } catch {
            throw Ending(cause: .transport(error))
        }
    }

    private mutating func turn(_ link: Link, _ poller: Poller) throws(Ending) {
        let left = deadline - MonotonicClock.now()
        guard left > .zero else {
            throw Ending(cause: .negotiation(.timeLimitReached(during: negotiation.phase)))
        }
        if let failure = link.flush() { throw broken(failure) }
        let ready = poller.wait(socket: link.socket, reading: true, writing: link.backlog > 0, timeout: left)
        if ready.readable { try read(link) }
    }

    private mutating func read(_ link: Link) throws(Ending) {
        var events: [StreamEvent] = []
        let reading = link.read(into: &events)
        repeat {
            for (index, event) in events.enumerated() {
                try take(event, isLast: index == events.count - 1, link)
            }
        } while link.readOn(into: &events)
        switch reading {
        case .events: break
        case .handshakeDone: try handshakeDone(link)
        case .ended: try negotiate(.disconnected, link)
        case .failed(let failure): throw broken(failure)
        }
    }

    private mutating func handshakeDone(_ link: Link) throws(Ending) {
        report.tls = link.tls?.facts
        let bindings = link.channelBindings
        let shows = link.showsCertificate
        let isFirst = negotiation.phase == .connecting
        try negotiate(
            isFirst
                ? .connected(encrypted: true, bindings: bindings, showsCertificate: shows)
                : .tlsEstablished(bindings: bindings, showsCertificate: shows), link)
        var events: [StreamEvent] = []
        if case .failed(let failure) = link.drainAfterHandshake(into: &events) { throw broken(failure) }
        for event in events { try take(event, isLast: false, link) }
    }

    private mutating func take(_ event: StreamEvent, isLast: Bool, _ link: Link) throws(Ending) {
        if case .element(let element) = event, element.is("features", Namespace.streams) {
            report.features = ServerFeatures(element)
        }
        try negotiate(.received(event), isLast: isLast, link)
    }

    private mutating func negotiate(
        _ input: StreamNegotiation.Input, isLast: Bool = true, _ link: Link
    ) throws(Ending) {
        for action in negotiation.handle(input) {
            switch action {
            case .openStream(let domain, let from): try open(domain, from, link)
            case .send(let element):
                if let login = negotiation.login {
                    report.login = login
                    throw Ending(cause: nil)
                }
                var writer = XMLWriter(stream: Namespace.client)
                writer.write(element, in: Namespace.client)
                try send(writer, link)
            case .startTLS:
                guard isLast, link.endsAtStanza else { return try negotiate(.receivedBytesAfterProceed, link) }
                if let failure = link.flush() { throw broken(failure) }
                try shakeHands(link, application: nil)
            case .fail(let failure): throw Ending(cause: .negotiation(failure))
            // What comes after a login only.
            case .remember, .token, .online, .resumed, .resumptionFailed, .registered, .ask: throw Ending(cause: nil)
            }
        }
    }

    private func open(_ domain: String, _ from: JID?, _ link: Link) throws(Ending) {
        link.restartStream(loggedIn: false)
        var writer = XMLWriter(stream: Namespace.client)
        writer.streamStart(["to": domain, "from": from?.bareText, "version": "1.0", "xml:lang": "en"])
        try send(writer, link)
    }

    private func send(_ writer: XMLWriter, _ link: Link) throws(Ending) {
        if let failure = link.send(writer.bytes) ?? link.flush() { throw broken(failure) }
    }

    private func shakeHands(_ link: Link, application: String?) throws(Ending) {
        let failure: LinkFailure?
        do throws(TLSError) {
            let context = try TLSContext.client(
                trust: TLSTrust(file: settings.authorities, pins: settings.pins), identity: settings.identity)
            failure = link.startTLS(context, name: settings.tlsName, application: application)
        } catch {
            failure = .tls(error)
        }
        if let failure { throw broken(failure) }
    }

    private func broken(_ failure: LinkFailure) -> Ending {
        Ending(cause: .link(failure, during: negotiation.phase))
    }

    private func leave(_ link: Link) {
        var writer = XMLWriter(stream: Namespace.client)
        writer.streamEnd()
        if !link.isShakingHands { _ = link.send(writer.bytes) }
        link.finish()
    }
}
