internal import BellhopXML
internal import BellhopXMPP

/// Logins that carry what comes after them, in one flight and without a new stream (XEP-0388, XEP-0386).
extension StreamNegotiation {
    /// The mechanism to log in with, of which offer it is, and what goes along; nil where it is the login of RFC 6120.
    ///
    /// SASL2 wants our address in the stream's header, and so TLS. Where nothing in its offer can be used, or it contradicts
    /// itself, the other one counts: whoever could change this offer could as well have taken it away. The other one counts, too,
    /// where it has the stronger mechanism.
    func choice(
        from offered: ServerFeatures, on ground: Ground
    ) throws(SASLFailure) -> (SASLMeans.Choice, SASLOffer, InlineRequests?) {
        let means = means(on: ground)
        guard let wish = plan.sasl2, ground.encrypted, let sasl2 = offered.sasl2 else {
            return (try means.choose(from: offered.saslOffer), offered.saslOffer, nil)
        }
        let offer = SASLOffer(mechanisms: sasl2.mechanisms, bindings: offered.bindings)
        let other = offered.mechanisms.isEmpty ? nil : try? means.choose(from: offered.saslOffer)
        do throws(SASLFailure) {
            if means.channelBinding != .off, offer.isContradictory { throw .contradictoryOffer }
            let choice = try means.choose(from: offer)
            if let other, other.mechanism.isPreferred(to: choice.mechanism) { return (other, offered.saslOffer, nil) }
            return (choice, offer, requests(wish, sasl2, ground))
        } catch {
            if let other { return (other, offered.saslOffer, nil) }
            guard case .noMechanism(let names, let supported) = error else { throw error }
            throw .noMechanism(offered: names + offered.mechanisms.filter { !names.contains($0) }, supported: supported)
        }
    }

    private func requests(_ wish: SASL2Wish, _ offer: SASL2Offer, _ ground: Ground) -> InlineRequests {
        var requests = InlineRequests(userAgent: wish.userAgent)
        if offer.resumes, !ground.isResumptionTried { requests.resumption = plan.resumption }
        // Without a name that lasts, each session would get a resource of its own beside the one that broke.
        if wish.binds, wish.userAgent != nil, offer.binds, let resource = plan.goal.resource {
            requests.bind = InlineRequests.Bind(
                tag: resource, managesStream: wish.managesStream && offer.managesStream)
        }
        return requests
    }

    /// The login is proven; what came along decides what is left to do.
    mutating func loggedIn(
        _ success: Element, _ method: LoginMethod, _ requests: InlineRequests, _ before: Ground,
        token: LoginToken? = nil
    ) -> [Action] {
        var ground = Ground(encrypted: before.encrypted, identity: .authenticated(method))
        ground.streamID = before.streamID
        ground.isRegistered = before.isRegistered
        if let strange = strangeness(of: success) { return strange }
        let resumed = success.child("resumed", Namespace.streamManagement)
        let failed = success.child("failed", Namespace.streamManagement)
        let bound = success.child("bound", Namespace.bind2)
        var actions = tokenEvents(in: success, token, requests)
        if let resumption = requests.resumption {
            // What was offered so far, limits included, was for a client that is nobody yet.
            if let resumed {
                return actions + receivedResumptionAnswer(resumed, method, ServerFeatures(), ground, resumption)
            }
            // A server that says nothing of it and binds nothing can still be asked.
            if failed != nil || bound != nil {
                ground.isResumptionTried = true
                actions += [.resumptionFailed(handled: failed.flatMap { StreamManagement.count(in: $0) })]
            }
        } else if let resumed {
            return actions + unexpected(resumed)
        }
        if let bound {
            guard requests.bind != nil else { return actions + unexpected(bound) }
            guard let jid = Self.identifier(in: success).flatMap({ try? JID(received: $0) }), !jid.isBare else {
                return actions + fail(.malformedBinding)
            }
            let asked = requests.bind?.managesStream == true
            ground.binding = InlineBinding(
                jid: jid, enabled: asked ? bound.child("enabled", Namespace.streamManagement) : nil)
        }
        state = .awaitingFeatures(ground)
        return actions
    }

    /// What ends a login whose proof was right: an answer that is there twice, or one for somebody else.
    private mutating func strangeness(of success: Element) -> [Action]? {
        let answers = success.children.filter { answer in
            answer.is("bound", Namespace.bind2) || answer.is("resumed", Namespace.streamManagement)
        }
        // A stream goes on, or another session begins.
        if answers.count > 1 { return unexpected(answers[1]) }
        let names = success.children.filter { $0.is("authorization-identifier", Namespace.sasl2) }
        if names.count > 1 { return unexpected(names[1]) }
        guard let text = Self.identifier(in: success) else { return nil }
        guard let jid = try? JID(received: text), jid.hasLocal else { return fail(.malformedBinding) }
        return jid.bare == plan.account.bare ? nil : fail(.login(.anotherAccount(jid.bareText)))
    }

    /// Whom the server took us for; nil where it does not say.
    private static func identifier(in success: Element) -> String? {
        success.child("authorization-identifier", Namespace.sasl2)?.token
    }

    /// The features have come that a login with its binding is followed by. They may list binding again, for others.
    mutating func finish(_ binding: InlineBinding, _ offered: ServerFeatures, _ ground: Ground) -> [Action] {
        guard case .authenticated(let method) = ground.identity else { return fail(.bindNotOffered) }
        return finish(
            Bound(
                jid: binding.jid, method: method, encrypted: ground.encrypted, features: offered,
                enabled: binding.enabled))
    }
}
