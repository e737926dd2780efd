/// Who may run something: everybody, or admins and the roles that are named.
package enum Audience: Sendable, Equatable {
    case everybody
    /// Admins, and whoever has one of these.
    case roles([Role])
}

/// What `commands.access` says of one command.
package struct AccessOverride: Sendable, Equatable {
    /// The command's name as it stands there; `Otherwise` and `OnMessage` for what has no name.
    package var command: String
    package var audience: Audience

    package init(_ command: String, _ audience: Audience) {
        self.command = command
        self.audience = audience
    }
}

/// Who may run one command, and what says so.
package struct AccessPolicy: Sendable, Equatable {
    /// What the rule was written in.
    package enum Source: Sendable, Equatable {
        /// The bot's own code.
        case code
        /// The framework: a command that every bot has.
        case builtin
        /// `commands.access`, under this name.
        case configuration(String)
    }

    /// The command's name.
    package var command: String
    package var audience: Audience
    package var source: Source

    package init(command: String, audience: Audience, source: Source) {
        self.command = command
        self.audience = audience
        self.source = source
    }

    package var isOpen: Bool { audience == .everybody }
}
