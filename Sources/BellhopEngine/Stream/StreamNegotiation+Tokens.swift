internal import BellhopXML
internal import BellhopXMPP

/// Logins with a token in place of the password, and tokens for the next login (XEP-0484). Nothing is sent before TLS is up and
/// the server has spoken, as early data (0-RTT) would be.
extension StreamNegotiation {
    /// The mechanism for tokens that a login may use here, with what of the TLS session it is bound to; nil where there is none.
    ///
    /// A token stands in for the password only, and only where the server could be shown that by SASL2 as well: it never helps
    /// around a rule of the password's login.
    private func tokenMechanism(
        _ choice: SASLMeans.Choice, _ offered: ServerFeatures, _ ground: Ground
    ) -> (TokenMechanism, data: [UInt8])? {
        guard let wish = plan.sasl2, wish.userAgent != nil, let tokens = wish.tokens, let offer = offered.sasl2,
            choice.mechanism != .external
        else { return nil }
        for mechanism in TokenMechanism.allCases where offer.tokens.contains(mechanism.rawValue) {
            guard let type = mechanism.binding else {
                // Whoever hides the bound ones must not get what they protect.
                let isBound = tokens.all.contains { $0.mechanism.binding != nil }
                return plan.channelBinding == .required || isBound ? nil : (mechanism, [])
            }
            guard plan.channelBinding != .off, let data = ground.bindings[type] else { continue }
            return (mechanism, data)
        }
        return nil
    }

    /// The login with the newest token that may be used; nil where the password is to be used.
    ///
    /// A token of another mechanism than the best one that there is now makes room for one of that. Each stream is shown one token
    /// at most: Prosody, say, takes no second one there, whatever it is worth.
    func tokenLogin(
        _ choice: SASLMeans.Choice, _ requests: InlineRequests, _ offered: ServerFeatures, _ ground: Ground
    ) -> TokenLogin? {
        guard let (mechanism, data) = tokenMechanism(choice, offered, ground),
            let token = plan.sasl2?.tokens?.all.first(where: { $0.mechanism == mechanism }),
            plan.sasl2?.presentsTokens == true, !ground.isTokenRefused
        else { return nil }
        var requests = requests
        requests.token = .use(count: token.count)
        return TokenLogin(token, user: plan.credentials.user, data: data, requests: requests)
    }

    /// What goes along with a login by password, with the wish for a token where there may be one.
    func asking(
        _ requests: InlineRequests, _ choice: SASLMeans.Choice, _ offered: ServerFeatures, _ ground: Ground
    ) -> InlineRequests {
        guard let (mechanism, _) = tokenMechanism(choice, offered, ground) else { return requests }
        var requests = requests
        requests.token = .request(mechanism)
        return requests
    }

    mutating func receivedTokenAnswer(
        _ element: Element, _ login: TokenLogin, _ offered: ServerFeatures, _ ground: Ground
    ) -> [Action] {
        guard element.namespace == Namespace.sasl2 else { return unexpected(element) }
        switch login.received(element) {
        case .succeed: return loggedIn(element, login.method, login.requests, ground, token: login.token)
        case .refuse:
            // The same stream takes another login (XEP-0388 section 2.6.2).
            var ground = ground
            ground.isTokenRefused = true
            return [.token(.refused(login.token))] + advance(offered, on: ground)
        case .fail(let failure): return giveUp(failure)
        }
    }

    /// What came along with a success for the next login; nothing where none was asked for.
    func tokenEvents(in success: Element, _ used: LoginToken?, _ requests: InlineRequests) -> [Action] {
        let accepted: [Action] = used.map { [.token(.accepted($0))] } ?? []
        let mechanism: TokenMechanism
        switch requests.token {
        case .request(let wanted): mechanism = wanted
        case .use:
            guard let used else { return accepted }
            mechanism = used.mechanism
        case nil: return accepted
        }
        guard let element = success.child("token", Namespace.fast), let secret = element["token"], !secret.isEmpty,
            secret.utf8.count <= Self.mostTokenBytes
        else { return accepted }
        let expiry = element["expiry"].flatMap { Timestamp($0) }
        return accepted + [.token(.granted(LoginToken(mechanism, secret: secret, expiry: expiry)))]
    }

    private static let mostTokenBytes = 4_096
}
