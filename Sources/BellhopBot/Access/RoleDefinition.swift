package import BellhopXMPP

/// A role and who has it, as the configuration says.
package struct RoleDefinition: Sendable, Equatable {
    package var role: Role
    package var members: [RoleMember]

    package init(_ role: Role, _ members: [RoleMember]) {
        self.role = role
        self.members = members
    }
}

/// One entry of a role.
package enum RoleMember: Hashable, Sendable, CustomStringConvertible {
    /// An address, a domain, or a glob for either.
    case pattern(JIDPattern)
    /// Everybody in this group of the account's own roster, which is asked when a decision is due.
    case group(String)

    /// What stands before the name of a roster group.
    package static let groupPrefix = "group:"

    /// As it stands in the configuration, after preparation.
    package var description: String {
        switch self {
        case .pattern(let pattern): pattern.description
        case .group(let name): Self.groupPrefix + name
        }
    }

    /// Whether nobody is left for `other` where this entry stands before it.
    package func covers(_ other: RoleMember) -> Bool {
        switch (self, other) {
        case (.pattern(let own), .pattern(let theirs)): own.covers(theirs)
        case (.group(let own), .group(let theirs)): own == theirs
        case (.pattern, .group), (.group, .pattern): false
        }
    }
}
