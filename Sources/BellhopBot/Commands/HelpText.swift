/// What `help` says: only what this person may run.
struct HelpText {
    let bot: Bot
    let prefix: String

    func answer(to person: AccessCheck, about arguments: String) -> String {
        var reader = ArgumentReader(arguments)
        guard let word = reader.nextWord() else { return list(for: person) }
        let name = CommandName.folded(word.hasPrefix(prefix) ? word.dropFirst(prefix.count) : word[...])
        for command in bot.commands where CommandName.folded(command.name) == name {
            guard person.mayRun(command) else { break }
            return command.description.help(prefix: prefix)
        }
        if let builtin = Builtin(rawValue: name), person.mayRun(builtin) {
            return Phrases.builtinHelp(builtin, prefix: prefix)
        }
        return unknown(name, to: person)
    }

    /// What is said to a name that no command has; a suggestion is only what this person may run.
    func unknown(_ name: String, to person: AccessCheck) -> String {
        let names = bot.commands.filter(person.mayRun).map(\.name) + builtins(for: person).map(\.rawValue)
        return Phrases.unknownCommand(name, prefix: prefix, suggestion: NearestWord.find(name, among: names))
    }

    /// What only some may use is named in one line where it is much, as it is for admins.
    private func list(for person: AccessCheck) -> String {
        let builtins = builtins(for: person)
        var lines =
            bot.commands.filter(person.mayRun).map { $0.description.line(prefix: prefix) }
            + builtins.filter(\.isForEverybody).map { Phrases.builtinHelp($0, prefix: prefix) }
        let others = builtins.filter { !$0.isForEverybody }
        if others.count > 2 {
            lines.append(Phrases.operatingHelp(others, prefix: prefix))
        } else {
            lines += others.map { Phrases.builtinHelp($0, prefix: prefix) }
        }
        return lines.joined(separator: "\n")
    }

    private func builtins(for person: AccessCheck) -> [Builtin] { Builtin.allCases.filter(person.mayRun) }
}
