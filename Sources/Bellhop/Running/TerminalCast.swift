internal import BellhopBot
internal import BellhopXMPP

/// Whom the person at the keyboard plays, and with which roles besides those of the configuration.
struct TerminalCast {
    private let base: DeskSettings
    /// The roles that the configuration or the bot's code names.
    let known: [Role]
    var person: TerminalPerson
    private var played: [JID: [Role]] = [:]

    init(_ base: DeskSettings, bot: Bot, person: TerminalPerson) {
        self.base = base
        self.person = person
        var known: [Role] = [.admins]
        for role in base.permissions.roles.map(\.role) + bot.declaration.allowed.flatMap(\.roles)
        where !known.contains(role) {
            known.append(role)
        }
        self.known = known
    }

    /// Gives the person exactly these roles besides those that the configuration gives; the first unknown name, and then
    /// nothing is changed.
    mutating func play(_ names: [String]) -> String? {
        let roles = names.map { Role($0) }
        if let unknown = roles.first(where: { !known.contains($0) }) { return unknown.name }
        played[person.jid.bare] = roles
        return nil
    }

    /// What the desk goes by.
    var settings: DeskSettings {
        var settings = base
        func players(of role: Role) -> [JID] {
            played.filter { $0.value.contains(role) }.map(\.key).sorted { $0.bareText < $1.bareText }
        }
        let roles = known.filter { $0 != .admins }.map { role in
            let members = base.permissions.roles.first { $0.role == role }?.members ?? []
            let added = players(of: role).compactMap { try? JIDPattern($0.bareText) }.map(RoleMember.pattern)
            return RoleDefinition(role, members + added)
        }
        settings.permissions = Permissions(
            admins: base.permissions.admins + players(of: .admins), roles: roles, overrides: base.permissions.overrides)
        return settings
    }

    /// What the person has now; there is no roster, so its groups give nothing.
    var roles: [Role] { settings.permissions.roles(of: .direct(person.jid)) { _ in [] } }
}
