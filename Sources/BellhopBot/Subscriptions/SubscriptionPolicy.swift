package import BellhopXMPP

/// What happens to a request to see our presence.
package enum SubscriptionAction: String, Sendable, CaseIterable {
    case accept
    /// Accept, and ask to see theirs.
    case acceptMutual = "accept-mutual"
    /// Leave it pending until an admin answers.
    case ask
    case reject
    /// Say nothing; the server brings it again at the next login.
    case ignore
    case block
}

/// One rule of `subscriptions.rules`.
package struct SubscriptionRule: Sendable, Equatable {
    package var pattern: JIDPattern
    package var action: SubscriptionAction
    /// The roster group that an accepted contact is filed under.
    package var group: String?
    /// How many requests of one domain the rule accepts in a time; the others are asked about.
    package var limit: DomainLimit?

    package init(
        _ pattern: JIDPattern, _ action: SubscriptionAction, group: String? = nil, limit: DomainLimit? = nil
    ) {
        self.pattern = pattern
        self.action = action
        self.group = group
        self.limit = limit
    }
}

/// At most `count` within `period`, for each domain.
package struct DomainLimit: Sendable, Equatable {
    package var count: Int
    package var period: Duration

    package init(count: Int, period: Duration) {
        self.count = count
        self.period = period
    }
}

/// Decides about requests: admins first, then the rules in order, then the default.
package struct SubscriptionPolicy: Sendable {
    package var permissions: Permissions
    package var rules: [SubscriptionRule]
    package var fallback: SubscriptionAction

    package init(
        permissions: Permissions, rules: [SubscriptionRule] = [], fallback: SubscriptionAction = .ask
    ) {
        self.permissions = permissions
        self.rules = rules
        self.fallback = fallback
    }

    /// What is decided, and by what.
    package struct Decision: Sendable, Equatable {
        package var action: SubscriptionAction
        package var reason: SubscriptionReason
        package var group: String?

        package init(action: SubscriptionAction, reason: SubscriptionReason, group: String? = nil) {
            self.action = action
            self.reason = reason
            self.group = group
        }
    }

    /// Decides about a person; limits are not counted here.
    package func decide(_ person: JID) -> Decision {
        if permissions.isAdmin(person) { return Decision(action: .acceptMutual, reason: .admins) }
        for (index, rule) in rules.enumerated() where rule.pattern.matches(person) {
            return Decision(action: rule.action, reason: .rule(index), group: rule.group)
        }
        return Decision(action: fallback, reason: .fallback)
    }
}

/// What decided about a request, by its path in the configuration.
package enum SubscriptionReason: Sendable, Equatable, CustomStringConvertible {
    case admins
    case rule(Int)
    case fallback
    /// The rule would accept, but its limit for the domain is used up.
    case limit(Int)

    package var description: String {
        switch self {
        case .admins: "admins"
        case .rule(let index): "subscriptions.rules[\(index)]"
        case .fallback: "default"
        case .limit(let index): "subscriptions.rules[\(index)].limit"
        }
    }
}
