internal import BellhopXMPP

/// What `help` says: only what this person may run.
struct HelpText {
    let bot: Bot
    let prefix: String
    let permissions: Permissions

    func answer(to person: JID, about arguments: String) -> String {
        var reader = ArgumentReader(arguments)
        guard let word = reader.nextWord() else { return list(for: person) }
        let name = CommandName.folded(word.hasPrefix(prefix) ? word.dropFirst(prefix.count) : word[...])
        for command in bot.commands where CommandName.folded(command.name) == name {
            guard permissions.allow(person, command.rules) else { break }
            return command.description.help(prefix: prefix)
        }
        if let builtin = builtins(for: person).first(where: { $0.rawValue == name }) {
            return Phrases.builtinHelp(builtin, prefix: prefix)
        }
        return unknown(name, to: person)
    }

    /// What is said to a name that no command has; a suggestion is only what this person may run.
    func unknown(_ name: String, to person: JID) -> String {
        let names = commands(for: person).map(\.name) + builtins(for: person).map(\.rawValue)
        return Phrases.unknownCommand(name, prefix: prefix, suggestion: NearestWord.find(name, among: names))
    }

    private func list(for person: JID) -> String {
        let lines =
            commands(for: person).map { $0.description.line(prefix: prefix) }
            + builtins(for: person).map { Phrases.builtinHelp($0, prefix: prefix) }
        return lines.joined(separator: "\n")
    }

    private func commands(for person: JID) -> [Command] {
        bot.commands.filter { permissions.allow(person, $0.rules) }
    }

    private func builtins(for person: JID) -> [Builtin] {
        Builtin.allCases.filter { $0 == .help || permissions.isAdmin(person) }
    }
}
