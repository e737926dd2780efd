package import BellhopXMPP

/// Whether somebody may run something, what decided it, and what would decide it otherwise.
package struct AccessDecision: Sendable, Equatable {
    package var isAllowed: Bool
    package var rule: AccessRule
    /// Who asked, bare; nil when nobody knows who it is.
    package var person: JID?
    package var policy: AccessPolicy
    /// What else lets the person in, where more than the deciding rule was asked for.
    package var others: [AccessRule] = []

    /// What would turn the decision around.
    package var change: AccessChange {
        switch rule {
        case .open: .close(policy.command)
        case .admin, .member: .remove([rule] + others)
        case .unidentified: .identify(policy.command)
        case .notAmong:
            switch policy.audience {
            case .everybody: .identify(policy.command)
            case .roles(let roles): .join(Self.joinable(roles))
            }
        }
    }

    /// Each role once, `admins` always and last.
    private static func joinable(_ roles: [Role]) -> [Role] {
        var seen: Set<Role> = [.admins]
        return roles.filter { seen.insert($0).inserted } + [.admins]
    }
}

/// What decided about somebody.
package enum AccessRule: Sendable, Equatable, CustomStringConvertible {
    /// Everybody may.
    case open(AccessPolicy.Source)
    /// By the place in `admins`.
    case admin(Int)
    /// By the place in a role.
    case member(Role, Int, RoleMember)
    /// The person is none of those who may.
    case notAmong(AccessPolicy.Source)
    /// Nobody knows who it is, and not everybody may.
    case unidentified(AccessPolicy.Source)

    /// Its path in the configuration, or where else it stands.
    package var description: String {
        switch self {
        case .open(.code): "declared open in the bot's code"
        case .open(.builtin): "built in, open to everybody"
        case .open(.configuration(let name)): "commands.access.\(name)"
        case .admin(let index): "admins[\(index)]"
        case .member(let role, let index, _): "roles.\(role)[\(index)]"
        case .notAmong(.code), .unidentified(.code): "declared in the bot's code"
        case .notAmong(.builtin), .unidentified(.builtin): "built in, for admins"
        case .notAmong(.configuration(let name)), .unidentified(.configuration(let name)): "commands.access.\(name)"
        }
    }
}

/// What would turn a decision around.
package enum AccessChange: Sendable, Equatable {
    /// An `allow` for this command in `commands.access`.
    case close(String)
    /// That all of these go.
    case remove([AccessRule])
    /// An entry for the person in one of these.
    case join([Role])
    /// That the room shows who it is, or that this command is opened in `commands.access`.
    case identify(String)
}
