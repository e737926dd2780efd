internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopXMPP

extension ConfigurationForm where Value == [RoleDefinition] {
    /// An object: each role's name with the list of its members.
    static let roles = {
        let wanted = "an object with a list of members for each role"
        return ConfigurationForm(
            wanted: wanted,
            read: { node in
                guard case .object(let members) = node.value else {
                    return .failure(ConfigurationFault(.wrongType(wanted: wanted, found: node.value.kind), at: node))
                }
                var roles: [RoleDefinition] = []
                var faults: [ConfigurationFault.Item] = []
                var firsts: [String: TextPosition] = [:]
                for member in members {
                    if let kind = nameFault(member.key, first: firsts[member.key]) {
                        faults.append(.init(place: "." + member.key, position: member.position, kind: kind))
                    }
                    firsts[member.key] = firsts[member.key] ?? member.position
                    switch ConfigurationForm<[RoleMember]>.members.read(member.node) {
                    case .success(let members): roles.append(RoleDefinition(Role(member.key), members))
                    case .failure(let fault):
                        faults += fault.items.map {
                            .init(place: "." + member.key + $0.place, position: $0.position, kind: $0.kind)
                        }
                    }
                }
                return faults.isEmpty ? .success(roles) : .failure(ConfigurationFault(faults))
            },
            show: { $0.isEmpty ? "{}" : "\($0.count) roles" })
    }()

    private static func nameFault(_ name: String, first: TextPosition?) -> ConfigurationProblem.Kind? {
        if let first { return .duplicateKey(first: first) }
        if name == Role.admins.name { return .reservedRole }
        let isName = name.utf8.count <= 64 && name.wholeMatch(of: /[\p{L}\p{N}][\p{L}\p{N}._-]*/) != nil
        return isName ? nil : .malformedRole
    }
}

extension ConfigurationForm where Value == [RoleMember] {
    /// Who has a role; an entry that could never decide is a mistake.
    static let members = {
        let wanted = "a list of addresses, domains, patterns and roster groups"
        return ConfigurationForm(
            wanted: wanted,
            read: { node in
                guard case .array(let elements) = node.value else {
                    return .failure(ConfigurationFault(.wrongType(wanted: wanted, found: node.value.kind), at: node))
                }
                guard !elements.isEmpty else { return .failure(ConfigurationFault(.emptyRole, at: node)) }
                var members: [RoleMember] = []
                var coverage = RoleCoverage()
                var faults: [ConfigurationFault.Item] = []
                for (index, element) in elements.enumerated() {
                    switch member(element) {
                    case .failure(let fault):
                        faults += fault.items.map { .init(place: "[\(index)]", position: $0.position, kind: $0.kind) }
                    case .success(let member):
                        if let first = coverage.first(covering: member) {
                            let kind = ConfigurationProblem.Kind.unreachableMember(
                                "\(member)", first: first.index, "\(first.member)")
                            faults.append(.init(place: "[\(index)]", position: element.position, kind: kind))
                        }
                        members.append(member)
                        coverage.append(member, index: index)
                    }
                }
                return faults.isEmpty ? .success(members) : .failure(ConfigurationFault(faults))
            },
            show: { JSONText.array($0.map { JSONText.string("\($0)") }) })
    }()

    private static func member(_ node: JSONNode) -> Result<RoleMember, ConfigurationFault> {
        guard case .string(let text) = node.value else {
            let kind = ConfigurationProblem.Kind.wrongType(
                wanted: "text like \"alice@example.org\" or \"group:Friends\"", found: node.value.kind)
            return .failure(ConfigurationFault(kind, at: node))
        }
        guard text.hasPrefix(RoleMember.groupPrefix) else {
            return ConfigurationForm<JIDPattern>.pattern.read(node).map { .pattern($0) }
        }
        let group = String(text.dropFirst(RoleMember.groupPrefix.count))
        return group.isEmpty ? .failure(ConfigurationFault(.emptyGroup, at: node)) : .success(.group(group))
    }
}
