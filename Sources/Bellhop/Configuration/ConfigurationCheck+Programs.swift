internal import BellhopBot
internal import BellhopDiagnostics

/// What commands of `commands.list` refer to: other commands, roles, files, secrets.
extension ConfigurationCheck {
    /// The commands, complete; what is wrong with them is reported.
    mutating func programs(roles: [String]) -> [Configuration.ProgramCommand] {
        var commands: [Configuration.ProgramCommand] = []
        var names: [String: Int] = [:]
        let known = Set(roles)
        for entry in draft.programs {
            let name = entry.command.name.lowercased()
            if let first = names[name] {
                walker.report(.duplicateCommand(first: first), entry.path + ".name", entry.position)
            } else if loader.declaration?.knows(name) ?? false {
                walker.report(.commandOfCode, entry.path + ".name", entry.position)
            }
            names[name] = names[name] ?? entry.place
            for (index, mention) in entry.allowed.enumerated() where !known.contains(mention.role.name) {
                let suggestion = NearestWord.find(mention.role.name, among: roles)
                walker.report(
                    .unknownRole(mention.role.name, suggestion: suggestion, known: roles),
                    "\(entry.path).allow[\(index)]", mention.position)
            }
            commands.append(completed(entry))
        }
        return commands
    }

    private mutating func completed(_ entry: ProgramEntry) -> Configuration.ProgramCommand {
        var command = entry.command
        command.folder = command.folder.map(resolved)
        if command.run.program.contains("/") { command.run = command.run.running(resolved(command.run.program)) }
        if loader.needsVariables {
            for variable in entry.variables {
                switch value(of: variable) {
                case .success(let secret): command.environment[variable.name] = secret
                case .failure(let kind):
                    walker.report(kind, "\(entry.path).env.\(variable.name)", variable.position)
                }
            }
        }
        let path = command.environment["PATH"]?.reveal() ?? loader.surroundings.variable("PATH")
        if let trouble = loader.surroundings.trouble(
            withProgram: command.run.program, along: path ?? ProgramSearch.standardPath)
        {
            // The program may be installed later, and the bot has other commands.
            notes.append("\(entry.path).run: \(ProgramPhrases.reason(trouble)).")
        }
        return command
    }

    private func value(of variable: VariableDraft) -> Result<Secret, ConfigurationProblem.Kind> {
        SecretReader(loader: loader).read(variable.source.mapPath(resolved)).flatMap { secret in
            secret.reveal().utf8.contains(0) ? .failure(.controlCharacter) : .success(secret)
        }
    }
}
