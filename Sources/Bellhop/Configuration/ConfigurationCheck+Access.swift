internal import BellhopBot

extension ConfigurationCheck {
    /// Roles and commands that are named have to exist, in the configuration and in the bot's code.
    mutating func checkAccess(_ root: JSONNode) {
        let roles = names(in: "roles", before: [Role.admins.name])
        let known = Set(roles)
        let own = draft.programs.map(\.command.name)
        let ownFolded = Set(own.map { $0.lowercased() })
        for draft in draft.access {
            let path = "commands.access.\(draft.command)"
            if let declaration = loader.declaration, !declaration.knows(draft.command),
                !ownFolded.contains(draft.command.lowercased())
            {
                let names = declaration.commands + own
                let suggestion = NearestWord.find(draft.command, among: names)
                walker.report(.unknownCommand(suggestion: suggestion, known: names), path, draft.position)
            }
            for (index, mention) in draft.allowed.enumerated() where !known.contains(mention.role.name) {
                let suggestion = NearestWord.find(mention.role.name, among: roles)
                walker.report(
                    .unknownRole(mention.role.name, suggestion: suggestion, known: roles), "\(path).allow[\(index)]",
                    mention.position)
            }
        }
        guard let declaration = loader.declaration else { return }
        checkDeclared(declaration, roles, root)
        noteUnused(declaration)
    }

    /// The names that stand in an object, those with mistakes in their values too: one mistake is one complaint.
    func names(in path: String, before: [String] = []) -> [String] {
        guard case .object(let members)? = walker.seen[path]?.value else { return before }
        return before + members.map(\.key)
    }

    /// What is allowed in the code and not replaced in the configuration.
    private func effective(_ declaration: BotDeclaration) -> [BotDeclaration.Allowed] {
        let replaced = names(in: "commands.access")
        return declaration.allowed.filter { allowed in !replaced.contains { allowed.isMeant(by: $0) } }
    }

    private mutating func checkDeclared(_ declaration: BotDeclaration, _ roles: [String], _ root: JSONNode) {
        var reported: Set<Role> = []
        for allowed in effective(declaration) {
            for role in allowed.roles where !roles.contains(role.name) && reported.insert(role).inserted {
                let suggestion = NearestWord.find(role.name, among: roles.filter { $0 != Role.admins.name })
                walker.report(
                    .roleOfCodeMissing(role.name, command: allowed.command, suggestion: suggestion),
                    "roles.\(role)", walker.seen["roles"]?.position ?? root.position)
            }
        }
    }

    /// A role that nothing is allowed to may be one to come; it is worth a word and no refusal.
    private mutating func noteUnused(_ declaration: BotDeclaration) {
        var used = Set(draft.access.flatMap { $0.allowed.map(\.role) })
        for allowed in effective(declaration) { used.formUnion(allowed.roles) }
        for entry in draft.programs { used.formUnion(entry.allowed.map(\.role)) }
        for definition in draft.roles where !used.contains(definition.role) {
            notes.append("roles.\(definition.role): No command is allowed to this role.")
        }
    }
}
