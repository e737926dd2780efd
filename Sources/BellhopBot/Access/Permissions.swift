package import BellhopXMPP

/// Who may run what: admins everything, the others what is open or allowed to a role of theirs; nobody anything else.
///
/// What the configuration says of a command stands in place of what its code says.
package struct Permissions: Sendable {
    package let admins: [JID]
    package let roles: [RoleDefinition]
    package let overrides: [AccessOverride]
    /// Where in `admins` a bare address stands.
    private let adminPlaces: [String: Int]

    package init(admins: [JID], roles: [RoleDefinition] = [], overrides: [AccessOverride] = []) {
        var places: [String: Int] = [:]
        var persons: [JID] = []
        for (index, admin) in admins.enumerated() where places[admin.bareText] == nil {
            places[admin.bareText] = index
            persons.append(admin.bare)
        }
        self.admins = persons
        self.roles = roles
        self.overrides = overrides
        adminPlaces = places
    }

    package func isAdmin(_ person: JID) -> Bool { adminPlaces[person.bareText] != nil }

    // MARK: What holds for a command

    func policy(for command: Command) -> AccessPolicy {
        policy(command.name, command.rules) { CommandName.folded($0) == CommandName.folded(command.name) }
    }

    /// For `Otherwise` and `OnMessage`, which no person can type and whose names are therefore compared as they are.
    func policy(for part: String, _ rules: RunRules) -> AccessPolicy { policy(part, rules) { $0 == part } }

    func policy(for builtin: Builtin) -> AccessPolicy {
        let standard = AccessPolicy(
            command: builtin.rawValue, audience: builtin.isForEverybody ? .everybody : .roles([]), source: .builtin)
        return overridden(standard) { CommandName.folded($0) == builtin.rawValue }
    }

    /// For a command or a part of the bot by its name; nil when it has none of that name.
    package func policy(named name: String, in bot: Bot) -> AccessPolicy? {
        let folded = CommandName.folded(name)
        if let command = bot.commands.first(where: { CommandName.folded($0.name) == folded }) {
            return policy(for: command)
        }
        if let builtin = Builtin(rawValue: folded) { return policy(for: builtin) }
        if name == Bot.otherwiseName, let part = bot.otherwise.first { return policy(for: name, part.rules) }
        if name == Bot.onMessageName, let part = bot.payloadHandlers.first { return policy(for: name, part.rules) }
        return nil
    }

    private func policy(_ name: String, _ rules: RunRules, _ isMeant: (String) -> Bool) -> AccessPolicy {
        let audience: Audience = rules.isOpen ? .everybody : .roles(rules.roles)
        return overridden(AccessPolicy(command: name, audience: audience, source: .code), isMeant)
    }

    private func overridden(_ standard: AccessPolicy, _ isMeant: (String) -> Bool) -> AccessPolicy {
        guard let override = overrides.first(where: { isMeant($0.command) }) else { return standard }
        return AccessPolicy(
            command: standard.command, audience: override.audience, source: .configuration(override.command))
    }

    // MARK: What holds for a person

    /// Decides; `groups` tells in which groups of the roster a bare address is.
    ///
    /// With `completely` the decision lists everything that lets the person in, not only what decides.
    package func decide(
        _ requester: Requester, _ policy: AccessPolicy, completely: Bool = false, groups: (JID) -> [String]
    ) -> AccessDecision {
        func decision(_ isAllowed: Bool, _ rule: AccessRule, _ others: [AccessRule] = []) -> AccessDecision {
            AccessDecision(
                isAllowed: isAllowed, rule: rule, person: requester.person, policy: policy, others: others)
        }
        guard case .roles(let allowed) = policy.audience else { return decision(true, .open(policy.source)) }
        guard let person = requester.person else { return decision(false, .unidentified(policy.source)) }
        var grants: [AccessRule] = []
        if let place = adminPlaces[person.bareText] { grants.append(.admin(place)) }
        for definition in roles where (completely || grants.isEmpty) && allowed.contains(definition.role) {
            for (index, member) in definition.members.enumerated() where Self.includes(member, person, groups) {
                grants.append(.member(definition.role, index, member))
                guard completely else { break }
            }
        }
        guard let first = grants.first else { return decision(false, .notAmong(policy.source)) }
        return decision(true, first, Array(grants.dropFirst()))
    }

    /// The roles that a person has, `admins` first.
    package func roles(of requester: Requester, groups: (JID) -> [String]) -> [Role] {
        guard let person = requester.person else { return [] }
        let held = roles.filter { $0.members.contains { Self.includes($0, person, groups) } }.map(\.role)
        return (isAdmin(person) ? [.admins] : []) + held
    }

    /// Whether the decision about this command can depend on the roster.
    package func asksRoster(_ policy: AccessPolicy) -> Bool {
        guard case .roles(let allowed) = policy.audience else { return false }
        return roles.contains { definition in
            allowed.contains(definition.role)
                && definition.members.contains { if case .group = $0 { true } else { false } }
        }
    }

    private static func includes(_ member: RoleMember, _ person: JID, _ groups: (JID) -> [String]) -> Bool {
        switch member {
        case .pattern(let pattern): pattern.matches(person)
        case .group(let name): groups(person).contains(name)
        }
    }
}
