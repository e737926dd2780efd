internal import BellhopXML
internal import BellhopXMPP

/// What each step asks for, and what the server's answer to it leads to.
extension StreamNegotiation {
    /// Takes the first step that the server offers and that may be done now.
    mutating func advance(_ offered: ServerFeatures, on ground: Ground) -> [Action] {
        if let binding = ground.binding { return finish(binding, offered, ground) }
        switch (StreamFeature.next(offered, conditions(of: ground, offered)), ground.identity) {
        case (.startTLS, _):
            state = .requestingTLS
            return [.send(Element("starttls", namespace: Namespace.tls))]
        case (.registration, _):
            let registration = Registration(plan)
            state = .registering(registration, offered, ground)
            return [.send(registration.firstElement)]
        case (.sasl, _): return logIn(offered, on: ground)
        case (.legacyLogin, _): return logInAsBefore(offered, on: ground)
        case (.resumption, .authenticated(let method)): return resume(method, offered, on: ground)
        case (.bind, .authenticated(let method)):
            state = .binding(method, offered, ground)
            return [.send(bindRequest)]
        case (.resumption, .nobody), (.bind, .nobody), (.session, _), (.online, _), (nil, _):
            return fail(dead(offered, on: ground))
        }
    }

    private func conditions(of ground: Ground, _ offered: ServerFeatures) -> StreamConditions {
        var conditions: StreamConditions = []
        if ground.identity == .nobody, (try? choice(from: offered, on: ground)) != nil {
            conditions.insert(.capable)
        }
        if allowsLegacyLogin { conditions.insert(.legacyAllowed) }
        if ground.encrypted { conditions.insert(.encrypted) }
        if ground.encrypted || plan.encryption == .plaintextAllowed { conditions.insert(.confidential) }
        if plan.goal.registers && !ground.isRegistered { conditions.insert(.registering) }
        if ground.identity != .nobody { conditions.insert(.authenticated) }
        if plan.resumption != nil && !ground.isResumptionTried { conditions.insert(.resumable) }
        return conditions
    }

    /// Why there is no step to take.
    private func dead(_ offered: ServerFeatures, on ground: Ground) -> NegotiationFailure {
        let conditions = conditions(of: ground, offered)
        if !conditions.contains(.confidential) { return .encryptionNotOffered }
        if conditions.contains(.authenticated) { return .bindNotOffered }
        do throws(SASLFailure) {
            _ = try choice(from: offered, on: ground)
            return .bindNotOffered
        } catch {
            guard case .noMechanism(var names, let supported) = error else { return .login(error) }
            if offered.sasl2 == nil {
                if offered.legacyLogin { names.append(Namespace.legacyLogin) }
            } else if plan.sasl2 == nil {
                names.append(Namespace.sasl2)
            }
            return .login(.noMechanism(offered: names, supported: supported))
        }
    }

    /// PLAIN shows the password, so it needs TLS even where the operator allows a stream in the clear.
    func means(on ground: Ground) -> SASLMeans {
        var means = SASLMeans()
        means.hasCertificate = plan.certificate != nil && ground.showsCertificate
        means.hasPassword = !plan.credentials.password.isEmpty
        means.allowsPlain = plan.allowsPlain && ground.encrypted
        means.proven = plan.proven
        means.channelBinding = plan.channelBinding
        means.bindings = ground.bindings
        return means
    }

    private mutating func logIn(_ offered: ServerFeatures, on ground: Ground) -> [Action] {
        do throws(SASLFailure) {
            var (choice, offer, requests) = try choice(from: offered, on: ground)
            if let along = requests {
                if let login = tokenLogin(choice, along, offered, ground) {
                    state = .presenting(login, offered, ground)
                    return [.send(login.firstElement)]
                }
                requests = asking(along, choice, offered, ground)
            }
            let login = SASLNegotiation(
                choice.mechanism, credentials: plan.credentials, nonce: plan.nonce, binding: choice.binding,
                offer: offer, requests: requests, identity: plan.certificate?.identity(for: plan.account) ?? "",
                bounds: plan.bounds,
                remembered: plan.remembered)
            state = .authenticating(login, ground)
            return [.send(login.firstElement)]
        } catch {
            return fail(.login(error))
        }
    }

    /// What the old login hands over can be tried out at leisure, so where SCRAM once worked it is as bad as PLAIN.
    private var allowsLegacyLogin: Bool {
        plan.allowsLegacyLogin && !plan.credentials.password.isEmpty && plan.proven == nil
            && plan.channelBinding != .required
    }

    private mutating func logInAsBefore(_ offered: ServerFeatures, on ground: Ground) -> [Action] {
        guard let resource = plan.goal.resource else { return fail(dead(offered, on: ground)) }
        let login = LegacyLogin(
            plan, resource: resource, streamID: ground.streamID, allowsPlain: plan.allowsPlain && ground.encrypted)
        state = .loggingIn(login, offered, ground)
        return [.send(login.firstElement)]
    }

    mutating func receivedLegacyAnswer(
        _ element: Element, _ login: LegacyLogin, _ offered: ServerFeatures, _ ground: Ground
    ) -> [Action] {
        guard let reply = IQReply(element, to: login.pendingID, from: plan.account) else { return unexpected(element) }
        var login = login
        switch login.received(reply) {
        case .send(let request):
            state = .loggingIn(login, offered, ground)
            return [.send(request)]
        case .succeed(let proof):
            guard let resource = plan.goal.resource, let jid = try? JID("\(plan.account.bareText)/\(resource)")
            else { return fail(.malformedBinding) }
            return finish(
                Bound(jid: jid, method: .legacy(proof), encrypted: ground.encrypted, features: offered))
        case .fail(let failure): return fail(failure)
        }
    }

    mutating func receivedTLSAnswer(_ element: Element) -> [Action] {
        if element.is("proceed", Namespace.tls) {
            state = .securing
            return [.startTLS]
        }
        return element.is("failure", Namespace.tls) ? fail(.encryptionRefused) : unexpected(element)
    }

    mutating func receivedLoginAnswer(_ element: Element, _ login: SASLNegotiation, _ ground: Ground) -> [Action] {
        guard element.namespace == login.namespace else { return unexpected(element) }
        var login = login
        switch login.received(element) {
        case .send(let answer):
            state = .authenticating(login, ground)
            return [.send(answer)]
        case .succeed(let keys):
            let keeping: [Action] = keys.map { [.remember($0)] } ?? []
            guard let requests = login.requests else {
                return keeping + open(on: Ground(encrypted: ground.encrypted, identity: .authenticated(login.method)))
            }
            return keeping + loggedIn(element, login.method, requests, ground)
        case .fail(let failure): return giveUp(failure)
        }
    }

    mutating func giveUp(_ failure: SASLFailure) -> [Action] {
        // Whoever gives up says so, and the server forgets the exchange (XEP-0388 section 2.6.3).
        if case .tasksWanted = failure {
            return [.send(Element("abort", namespace: Namespace.sasl2))] + fail(.login(failure))
        }
        return fail(.login(failure))
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
        if let resource = plan.goal.resource {
            bind = bind.with(Element("resource", namespace: Namespace.bind).with(text: resource))
        }
        return IQ(id: bindID, .set(bind)).element
    }

    mutating func receivedBindAnswer(
        _ element: Element, _ method: LoginMethod, _ offered: ServerFeatures, _ ground: Ground
    ) -> [Action] {
        guard let reply = IQReply(element, to: bindID, from: plan.account) else { return unexpected(element) }
        switch reply {
        case .error(let error): return fail(.bindRefused(error))
        case .result(let payload):
            guard let payload, payload.is("bind", Namespace.bind),
                let text = payload.child("jid", Namespace.bind)?.token,
                let jid = try? JID(received: text), jid.hasLocal, !jid.isBare
            else { return fail(.malformedBinding) }
            let bound = Bound(jid: jid, method: method, encrypted: ground.encrypted, features: offered)
            let conditions = conditions(of: ground, offered).union(.bound)
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

    mutating func finish(_ bound: Bound) -> [Action] {
        state = .finished
        return [.online(bound)]
    }
}
