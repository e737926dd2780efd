internal import BellhopXML
internal import BellhopXMPP

/// What each step asks for, and what the server's answer to it leads to.
extension StreamNegotiation {
    /// Takes the first step that the server offers and that may be done now.
    mutating func advance(_ offered: ServerFeatures, on ground: Ground) -> [Action] {
        switch (StreamFeature.next(offered, conditions(of: ground)), ground.identity) {
        case (.startTLS, _):
            state = .requestingTLS
            return [.send(Element("starttls", namespace: Namespace.tls))]
        case (.registration, _):
            let registration = Registration(plan)
            state = .registering(registration, offered, ground)
            return [.send(registration.firstElement)]
        case (.sasl, _): return logIn(offered, on: ground)
        case (.resumption, .authenticated(let mechanism)): return resume(mechanism, offered, on: ground)
        case (.bind, .authenticated(let mechanism)):
            state = .binding(mechanism, offered, ground)
            return [.send(bindRequest)]
        case (.resumption, .nobody), (.bind, .nobody), (.session, _), (.online, _), (nil, _):
            return fail(dead(offered, on: ground))
        }
    }

    private func conditions(of ground: Ground) -> StreamConditions {
        var conditions: StreamConditions = []
        if ground.encrypted { conditions.insert(.encrypted) }
        if ground.encrypted || plan.encryption == .plaintextAllowed { conditions.insert(.confidential) }
        if plan.goal.registers && !ground.isRegistered { conditions.insert(.registering) }
        if ground.identity != .nobody { conditions.insert(.authenticated) }
        if plan.resumption != nil && !ground.isResumptionTried { conditions.insert(.resumable) }
        return conditions
    }

    /// Why there is no step to take.
    private func dead(_ offered: ServerFeatures, on ground: Ground) -> NegotiationFailure {
        let conditions = conditions(of: ground)
        if !conditions.contains(.confidential) { return .encryptionNotOffered }
        if conditions.contains(.authenticated) { return .bindNotOffered }
        return .login(.noMechanism(offered: offered.mechanisms, supported: usable(on: ground).map(\.rawValue)))
    }

    /// PLAIN shows the password, so it needs TLS even where the operator allows a stream in the clear.
    private func usable(on ground: Ground) -> [SASLMechanism] {
        SASLMechanism.usable(allowsPlain: plan.allowsPlain && ground.encrypted, proven: plan.proven)
    }

    private mutating func logIn(_ offered: ServerFeatures, on ground: Ground) -> [Action] {
        guard let mechanism = SASLNegotiation.choose(offered: offered.mechanisms, usable: usable(on: ground)) else {
            return fail(dead(offered, on: ground))
        }
        let login = SASLNegotiation(
            mechanism, credentials: plan.credentials, nonce: plan.nonce, bounds: plan.bounds,
            remembered: plan.remembered)
        state = .authenticating(login, ground)
        return [.send(login.firstElement)]
    }

    mutating func receivedTLSAnswer(_ element: Element) -> [Action] {
        if element.is("proceed", Namespace.tls) {
            state = .securing
            return [.startTLS]
        }
        return element.is("failure", Namespace.tls) ? fail(.encryptionRefused) : unexpected(element)
    }

    mutating func receivedLoginAnswer(_ element: Element, _ login: SASLNegotiation, _ ground: Ground) -> [Action] {
        guard element.namespace == Namespace.sasl else { return unexpected(element) }
        var login = login
        switch login.received(element) {
        case .send(let answer):
            state = .authenticating(login, ground)
            return [.send(answer)]
        case .succeed(let keys):
            let opening = open(on: Ground(encrypted: ground.encrypted, identity: .authenticated(login.mechanism)))
            return (keys.map { [.remember($0)] } ?? []) + opening
        case .fail(let failure): return fail(.login(failure))
        }
    }

    mutating func receivedRegistrationAnswer(
        _ element: Element, _ registration: Registration, _ offered: ServerFeatures, _ ground: Ground
    ) -> [Action] {
        guard let id = registration.pendingID, let reply = IQReply(element, to: id, from: plan.account) else {
            return unexpected(element)
        }
        var registration = registration
        return take(registration.received(reply), registration, offered, ground)
    }

    mutating func take(
        _ step: Registration.Step, _ registration: Registration, _ offered: ServerFeatures, _ ground: Ground
    ) -> [Action] {
        switch step {
        case .send(let request):
            state = .registering(registration, offered, ground)
            return [.send(request)]
        case .ask(let question):
            state = .registering(registration, offered, ground)
            return [.ask(question)]
        case .succeed: return registered(offered, ground)
        case .fail(let failure): return fail(.registration(failure))
        }
    }

    private mutating func registered(_ offered: ServerFeatures, _ ground: Ground) -> [Action] {
        switch plan.goal {
        case .session, .registration:
            state = .finished
            return [.registered]
        case .accountAndSession:
            var ground = ground
            ground.isRegistered = true
            return [.registered] + advance(offered, on: ground)
        }
    }

    private var bindID: String { plan.idPrefix + "-bind" }
    private var sessionID: String { plan.idPrefix + "-session" }

    private var bindRequest: Element {
        var bind = Element("bind", namespace: Namespace.bind)
        switch plan.goal {
        case .session(let resource), .accountAndSession(let resource):
            bind = bind.with(Element("resource", namespace: Namespace.bind).with(text: resource))
        case .registration: break
        }
        return IQ(id: bindID, .set(bind)).element
    }

    mutating func receivedBindAnswer(
        _ element: Element, _ mechanism: SASLMechanism, _ offered: ServerFeatures, _ ground: Ground
    ) -> [Action] {
        guard let reply = IQReply(element, to: bindID, from: plan.account) else { return unexpected(element) }
        switch reply {
        case .error(let error): return fail(.bindRefused(error))
        case .result(let payload):
            guard let payload, payload.is("bind", Namespace.bind),
                let text = payload.child("jid", Namespace.bind)?.token,
                let jid = try? JID(received: text), jid.hasLocal, !jid.isBare
            else { return fail(.malformedBinding) }
            let bound = Bound(jid: jid, mechanism: mechanism, encrypted: ground.encrypted, features: offered)
            let conditions = conditions(of: ground).union(.bound)
            guard StreamFeature.next(offered, conditions) == .session else { return finish(bound) }
            state = .startingSession(bound)
            let session = Element("session", namespace: Namespace.session)
            return [.send(IQ(id: sessionID, .set(session)).element)]
        }
    }

    mutating func receivedSessionAnswer(_ element: Element, _ bound: Bound) -> [Action] {
        // The server may speak for the account as it calls it, or as we do.
        guard
            let reply = IQReply(element, to: sessionID, from: bound.jid)
                ?? IQReply(element, to: sessionID, from: plan.account)
        else { return unexpected(element) }
        switch reply {
        case .result: return finish(bound)
        case .error(let error): return fail(.sessionRefused(error))
        }
    }

    private mutating func finish(_ bound: Bound) -> [Action] {
        state = .finished
        return [.online(bound)]
    }
}
