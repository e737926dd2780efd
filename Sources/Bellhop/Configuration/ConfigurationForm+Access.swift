internal import BellhopBot
internal import BellhopDiagnostics

extension ConfigurationForm where Value == [AccessDraft] {
    /// An object: each command's name with who may run it.
    static let access = {
        let wanted = "an object with an object for each command"
        return ConfigurationForm(
            wanted: wanted,
            read: { node in
                guard case .object(let members) = node.value else {
                    return .failure(ConfigurationFault(.wrongType(wanted: wanted, found: node.value.kind), at: node))
                }
                var drafts: [AccessDraft] = []
                var faults: [ConfigurationFault.Item] = []
                var firsts: [String: TextPosition] = [:]
                for member in members {
                    // Names are compared as people type them, and only parts without a name keep their letters.
                    let isPart = [Bot.otherwiseName, Bot.onMessageName].contains(member.key)
                    let name = isPart ? member.key : member.key.lowercased()
                    if let first = firsts[name] {
                        faults.append(
                            .init(
                                place: "." + member.key, position: member.position, kind: .duplicateKey(first: first)))
                        continue
                    }
                    firsts[name] = member.position
                    switch draft(member) {
                    case .success(let draft): drafts.append(draft)
                    case .failure(let fault): faults += fault.items
                    }
                }
                return faults.isEmpty ? .success(drafts) : .failure(ConfigurationFault(faults))
            },
            show: { $0.isEmpty ? "{}" : "\($0.count) commands" })
    }()

    private static func draft(_ member: JSONMember) -> Result<AccessDraft, ConfigurationFault> {
        var walker = ConfigurationWalker(keys: ConfigurationKeys.access)
        var parts = AccessParts()
        walker.walk(member.node, into: &parts)
        if case .object = member.node.value, walker.problems.isEmpty {
            switch (parts.isOpen, parts.allowed) {
            case (true?, nil), (nil, .some), (false?, .some): break
            case (nil, nil): walker.report(.neitherOpenNorAllowed, "", member.node.position)
            case (false?, nil): walker.report(.closedForWhom, "open", walker.seen["open"]?.position)
            case (true?, .some): walker.report(.allowBesideOpen, "allow", walker.seen["allow"]?.position)
            }
        }
        guard walker.problems.isEmpty else {
            return .failure(
                ConfigurationFault(
                    walker.problems.map {
                        .init(
                            place: "." + ConfigurationWalker<AccessParts>.join(member.key, $0.path),
                            position: $0.position ?? member.position, kind: $0.kind)
                    }))
        }
        return .success(
            AccessDraft(
                command: member.key, position: member.position, isOpen: parts.isOpen ?? false,
                allowed: parts.allowed ?? []))
    }
}

extension ConfigurationForm where Value == [AccessDraft.Mention] {
    /// The roles of an `allow`, each once.
    static let mentions = {
        let wanted = "a list of roles"
        return ConfigurationForm(
            wanted: wanted,
            read: { node in
                guard case .array(let elements) = node.value else {
                    return .failure(ConfigurationFault(.wrongType(wanted: wanted, found: node.value.kind), at: node))
                }
                guard !elements.isEmpty else { return .failure(ConfigurationFault(.allowsNobody, at: node)) }
                var mentions: [AccessDraft.Mention] = []
                var firsts: [String: Int] = [:]
                var faults: [ConfigurationFault.Item] = []
                for (index, element) in elements.enumerated() {
                    guard case .string(let name) = element.value else {
                        let kind = ConfigurationProblem.Kind.wrongType(
                            wanted: "the name of a role", found: element.value.kind)
                        faults.append(.init(place: "[\(index)]", position: element.position, kind: kind))
                        continue
                    }
                    if let first = firsts[name] {
                        let kind = ConfigurationProblem.Kind.duplicateRole(name, first: first)
                        faults.append(.init(place: "[\(index)]", position: element.position, kind: kind))
                    }
                    firsts[name] = firsts[name] ?? mentions.count
                    mentions.append(.init(role: Role(name), position: element.position))
                }
                return faults.isEmpty ? .success(mentions) : .failure(ConfigurationFault(faults))
            },
            show: { JSONText.array($0.map { JSONText.string($0.role.name) }) })
    }()
}
