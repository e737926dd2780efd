/// What a configuration can refer to in the code of a bot: its commands, and the roles that it allows them to.
package struct BotDeclaration: Sendable, Equatable {
    /// The names that `commands.access` can have, the built-in ones included.
    package var commands: [String]
    package var allowed: [Allowed]

    /// What is allowed to roles in the code.
    package struct Allowed: Sendable, Equatable {
        package var command: String
        package var roles: [Role]

        /// Whether the name in a configuration means this command.
        package func isMeant(by name: String) -> Bool { BotDeclaration.means(name, command) }
    }

    /// The roles that somebody has to have, each once: those of the code but the admins.
    package var roles: [String] {
        var roles: [String] = []
        for role in allowed.flatMap(\.roles) where role != .admins && !roles.contains(role.name) {
            roles.append(role.name)
        }
        return roles
    }

    package func knows(_ name: String) -> Bool { commands.contains { Self.means(name, $0) } }

    /// Parts without a name of their own keep their letters, so that a command can be called `otherwise`.
    private static func means(_ name: String, _ command: String) -> Bool {
        if command == Bot.otherwiseName || command == Bot.onMessageName { return name == command }
        return CommandName.folded(name) == CommandName.folded(command)
    }
}

extension Bot {
    package var declaration: BotDeclaration {
        var declaration = BotDeclaration(commands: commands.map(\.name), allowed: [])
        for command in commands where !command.rules.roles.isEmpty {
            declaration.allowed.append(.init(command: command.name, roles: command.rules.roles))
        }
        for (name, rules) in [
            (Self.otherwiseName, otherwise.first?.rules), (Self.onMessageName, payloadHandlers.first?.rules),
        ] {
            guard let rules else { continue }
            declaration.commands.append(name)
            if !rules.roles.isEmpty { declaration.allowed.append(.init(command: name, roles: rules.roles)) }
        }
        declaration.commands += Builtin.allCases.map(\.rawValue)
        return declaration
    }
}
