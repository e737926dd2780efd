internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopTransport
internal import BellhopXMPP

/// From a domain to a connection: which places there are, and one after the other.
extension AccountLoop {
    /// Whoever stays so long may be sent elsewhere anew; servers that only send each other's clients to and fro are left.
    private static let longEnough: Duration = .seconds(60)

    /// Begins a round.
    func dial() {
        let detour = [redirect, takeLocation()].compactMap(\.self).map(ServerRound.Step.target)
        redirect = nil
        round = ServerRound(detour + [settings.firstStep])
        house?.occurred(.connecting(to: settings.server.map(LoginPhrases.shown) ?? settings.jid.domain), now: now)
        takeStep()
    }

    private func takeStep() {
        attempt += 1
        let number = attempt
        let deadline = now + settings.timeout
        let inbox = inbox
        phase = .dialling(deadline: deadline)
        switch round?.next() {
        case .lookup(let domain):
            do throws(TransportError) {
                try world.find(settings.resolver, domain, deadline) {
                    inbox.post(.found(attempt: number, $0))
                }
            } catch {
                found(number, .unanswered(domain: domain, .unreachable(reason: "\(error)")))
            }
        case .target(let target):
            do throws(TransportError) {
                try world.dial(settings.resolver, target.endpoint.inASCII, deadline) {
                    inbox.post(.dialled(attempt: number, $0))
                }
            } catch {
                dialled(number, .failure(error))
            }
        case nil: comeBack(after: .transport(.unreachable([])))
        }
    }

    /// The time for this step is over.
    func dialledInVain() {
        switch round?.current {
        case .lookup(let domain): found(attempt, .unanswered(domain: domain, .unanswered))
        case .target, nil: dialled(attempt, .failure(.timedOut))
        }
    }

    func found(_ number: Int, _ lookup: ServiceLookup) {
        guard number == attempt, case .dialling = phase, var round else { return }
        log.debug("connect", "Asked the name servers", LoginPhrases.facts(of: lookup))
        switch lookup.plan(draw: { UInt32(world.chance() % (UInt64($0) + 1)) }) {
        case .targets(let targets): round.found(targets, in: lookup)
        case .domainItself:
            round.found([ServerTarget(Endpoint(host: lookup.domain, port: 5222))], in: lookup)
        case .notOffered, .unknown: round.found([], in: lookup)
        }
        self.round = round
        if round.following == nil { comeBack(after: .nowhere(lookup)) } else { takeStep() }
    }

    func dialled(_ number: Int, _ result: Result<Socket, TransportError>) {
        guard number == attempt, case .dialling(let deadline) = phase, case .target(let target) = round?.current else {
            return
        }
        switch result {
        case .failure(let error): comeBack(after: .transport(error))
        case .success(let socket):
            guard let plan = makePlan() else { return }
            let link = Link(socket: socket)
            phase = .negotiating(link, StreamNegotiation(plan), deadline: deadline)
            switch target.security {
            case .startTLS:
                if !settings.requiresTLS { announceConnected(socket, tls: nil) }
                negotiate(.connected(encrypted: false), isLast: true)
            case .directTLS: shakeHands(link, application: "xmpp-client")
            }
        }
    }

    /// Takes up what is left of the round at once; the round's outcome where nothing is, or where it shall not.
    func goOn(after cause: BreakCause) -> BreakCause? {
        guard var round else { return cause }
        if case .follow(let host) = cause.verdict(everOnline: wasEverOnline, redirects: redirects) {
            redirects += 1
            let place = target(host)
            log.info(
                "connect", "The server sends us on",
                [
                    "from": LoginPhrases.place(round.current),
                    "to": settings.secrets.cut(from: LoginPhrases.shown(place)),
                ])
            round.redirect(to: place)
            self.round = round
            takeStep()
            return nil
        } else if cause.concernsAccount {
            self.round = nil
            return cause
        } else {
            round.failed(cause)
        }
        guard let next = round.following else {
            self.round = nil
            return round.outcome ?? cause
        }
        log.debug(
            "connect", "The server was not to be had this way; trying the next",
            [
                "left": LoginPhrases.place(round.current), "next": LoginPhrases.place(next),
                "reason": LoginPhrases.sentence(cause, settings: settings),
            ])
        self.round = round
        takeStep()
        return nil
    }

    /// A session began: what failed before it in the same round would be said by nobody else.
    func endRound() {
        if let failures = round?.failures, !failures.isEmpty {
            log.warning(
                "connect", "Online, but not every way to the server works",
                ["failed": LoginPhrases.reasons(failures, settings: settings)])
        }
        round = nil
        onlineSince = now
    }

    /// A session broke: after a while online, the server may send us elsewhere anew.
    func noteSessionEnd() {
        if now - onlineSince >= Self.longEnough { redirects = 0 }
    }

    /// Where the server says that we should go; in the way in which it was reached itself, if it was.
    func target(_ address: HostAddress) -> ServerTarget {
        let security: ServerTarget.Security =
            if case .target(let target) = round?.current { target.security } else {
                settings.server?.security ?? .startTLS
            }
        return ServerTarget(
            Endpoint(host: address.host, port: address.port ?? security.standardPort), security)
    }
}

extension Endpoint {
    /// With the host as name servers know it, internationalised labels as `xn--` ones.
    var inASCII: Endpoint {
        guard !host.utf8.allSatisfy({ $0 < 0x80 }), let domain = try? JID(domain: host) else { return self }
        return Endpoint(host: domain.asciiDomain, port: port)
    }
}
