internal import BellhopXML
internal import BellhopXMPP

/// Logins that carry what comes after them, in one flight and without a new stream (XEP-0388, XEP-0386).
extension StreamNegotiation {
    /// The mechanism to log in with, of which offer it is, and what goes along; nil where it is the login of RFC 6120.
    ///
    /// SASL2 wants our address in the stream's header, and so TLS. Where nothing in its offer can be used, the other one counts.
    func choice(
        from offered: ServerFeatures, on ground: Ground
    ) throws(SASLFailure) -> (SASLMeans.Choice, SASLOffer, InlineRequests?) {
        let means = means(on: ground)
        if let wish = plan.sasl2, ground.encrypted, let sasl2 = offered.sasl2 {
            let offer = SASLOffer(mechanisms: sasl2.mechanisms, bindings: offered.bindings)
            if means.channelBinding != .off, offer.isContradictory { throw .contradictoryOffer }
            do throws(SASLFailure) {
                return (try means.choose(from: offer), offer, requests(wish, sasl2, ground))
            } catch  where offered.mechanisms.isEmpty {
                throw error
            } catch {
                // What both offers lack is told by the names of the other.
            }
        }
        return (try means.choose(from: offered.saslOffer), offered.saslOffer, nil)
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
        _ success: Element, _ method: LoginMethod, _ requests: InlineRequests, _ offered: ServerFeatures,
        _ before: Ground
    ) -> [Action] {
        var ground = Ground(encrypted: before.encrypted, identity: .authenticated(method))
        ground.streamID = before.streamID
        ground.isRegistered = before.isRegistered
        let resumed = success.child("resumed", Namespace.streamManagement)
        let failed = success.child("failed", Namespace.streamManagement)
        let bound = success.child("bound", Namespace.bind2)
        var actions: [Action] = []
        if let resumption = requests.resumption {
            if let resumed { return receivedResumptionAnswer(resumed, method, offered, ground, resumption) }
            // A server that says nothing of it and binds nothing can still be asked.
            if failed != nil || bound != nil {
                ground.isResumptionTried = true
                actions = [.resumptionFailed(handled: failed.flatMap { StreamManagement.count(in: $0) })]
            }
        } else if let resumed {
            return unexpected(resumed)
        }
        if let bound {
            guard requests.bind != nil else { return actions + unexpected(bound) }
            guard let text = success.child("authorization-identifier", Namespace.sasl2)?.token,
                let jid = try? JID(received: text), jid.hasLocal, !jid.isBare
            else { return actions + fail(.malformedBinding) }
            let asked = requests.bind?.managesStream == true
            ground.binding = InlineBinding(
                jid: jid, enabled: asked ? bound.child("enabled", Namespace.streamManagement) : nil)
        }
        state = .awaitingFeatures(ground)
        return actions
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
