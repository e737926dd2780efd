internal import BellhopXMPP

/// What `help` says: only what this person may run.
struct HelpText {
    let bot: Bot
    let prefix: String
    let permissions: Permissions

    func answer(to person: JID, about arguments: String) -> String {
        let word = arguments.prefix { !$0.isSeparator }
        guard !word.isEmpty else { return list(for: person) }
        let name = CommandName.folded(word.hasPrefix(prefix) ? word.dropFirst(prefix.count) : word)
        for command in bot.commands where CommandName.folded(command.name) == name {
            guard permissions.allow(person, command.rules) else { break }
            return line(for: command)
        }
        if let builtin = Builtin(rawValue: name), builtin == .help || permissions.isAdmin(person) {
            return Phrases.builtinHelp(builtin, prefix: prefix)
        }
        return Phrases.unknownCommand(name, prefix: prefix)
    }

    /// How a command is typed, like `!echo TEXT`.
    func usage(of command: Command) -> String {
        var usage = prefix + command.name
        for argument in command.arguments {
            let label = argument.label.uppercased()
            usage += argument.isOptional ? " [\(label)]" : " \(label)"
        }
        return usage
    }

    private func list(for person: JID) -> String {
        var lines = bot.commands.filter { permissions.allow(person, $0.rules) }.map(line(for:))
        lines.append(Phrases.builtinHelp(.help, prefix: prefix))
        if permissions.isAdmin(person) {
            lines.append(Phrases.adminHelp(Builtin.allCases.filter { $0 != .help }, prefix: prefix))
        }
        return lines.joined(separator: "\n")
    }

    private func line(for command: Command) -> String {
        command.summary.isEmpty ? usage(of: command) : "\(usage(of: command)): \(command.summary)"
    }
}
