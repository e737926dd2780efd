package import BellhopCrypto

/// What there is to log in with on one connection, and what of a server's offer is taken.
package struct SASLMeans: Equatable, Sendable {
    /// Whether the server has asked for a certificate and was shown ours.
    package var hasCertificate = false
    /// Whether there is a password.
    package var hasPassword = true
    /// Whether the password itself may be shown to the server here.
    package var allowsPlain = false
    /// The mechanism with which the server once proved that it knows the password; after it PLAIN is never used.
    ///
    /// A server that once took SCRAM and then offers PLAIN alone is more likely somebody else's.
    package var proven: SASLMechanism?
    package var channelBinding = ChannelBindingPolicy.auto
    /// What of the TLS session can be bound to.
    package var bindings: [ChannelBindingType: [UInt8]] = [:]

    package init() {}

    /// A mechanism, and to what it is bound.
    package struct Choice: Equatable, Sendable {
        package let mechanism: SASLMechanism
        package let binding: ChannelBinding
    }

    /// The strongest of the server's mechanisms that may be used; throws why there is none.
    package func choose(from offer: SASLOffer) throws(SASLFailure) -> Choice {
        func first(_ isMeant: (SASLMechanism) -> Bool) -> SASLMechanism? {
            SASLMechanism.allCases.first { isMeant($0) && offer.mechanisms.contains($0.rawValue) }
        }
        // A certificate's login is part of the TLS session by itself. It proves nothing of the server, though, so where a bound
        // login is demanded a password, which can be bound, goes before it.
        let mustProveServer = channelBinding == .required && hasPassword
        if hasCertificate, !mustProveServer, first({ $0 == .external }) != nil {
            return Choice(mechanism: .external, binding: .unsupported)
        }
        let bound = hasPassword ? first(\.isBound) : nil
        let unbound = hasPassword ? first { $0.isSCRAM && !$0.isBound } : nil
        if channelBinding == .required, hasPassword, bound == nil {
            throw .cannotBind(bindings.isEmpty ? .nothingToBindTo : .notOffered, offered: offer.mechanisms)
        }
        if let bound, channelBinding != .off {
            let guesses = channelBinding == .required || unbound == nil
            do throws(ChannelBindingObstacle) {
                return Choice(mechanism: bound, binding: try binding(in: offer, guesses: guesses))
            } catch {
                if guesses { throw .cannotBind(error, offered: offer.mechanisms) }
            }
        }
        if let unbound {
            let couldBind = channelBinding != .off && !bindings.isEmpty
            let isOffered = bound != nil || offer.bindings != nil
            return Choice(mechanism: unbound, binding: couldBind && !isOffered ? .notOffered : .unsupported)
        }
        let offersPlain = hasPassword && first { $0 == .plain } != nil
        if offersPlain, let proven { throw .plainAfter(proven) }
        guard offersPlain, allowsPlain else {
            throw .noMechanism(offered: offer.mechanisms, supported: supported)
        }
        return Choice(mechanism: .plain, binding: .unsupported)
    }

    /// The names of what could be used, for people; -PLUS goes without saying.
    package var supported: [String] {
        SASLMechanism.allCases.filter { mechanism in
            switch mechanism {
            case .external: hasCertificate
            case .plain: hasPassword && allowsPlain && proven == nil
            case .scramSHA512, .scramSHA256, .scramSHA1: hasPassword
            case .scramSHA512Plus, .scramSHA256Plus, .scramSHA1Plus: false
            }
        }.map(\.rawValue)
    }

    /// The best type that both sides have; where the server lists none, ours may be guessed.
    private func binding(in offer: SASLOffer, guesses: Bool) throws(ChannelBindingObstacle) -> ChannelBinding {
        let ours = ChannelBindingType.allCases.filter { bindings[$0] != nil }
        guard !ours.isEmpty else { throw .nothingToBindTo }
        guard let common = ours.first(where: { offer.bindings?.contains($0.rawValue) ?? guesses }),
            let data = bindings[common]
        else { throw .noCommonType(listed: offer.bindings ?? [], ours: ours) }
        return .bound(common, data: data)
    }
}
