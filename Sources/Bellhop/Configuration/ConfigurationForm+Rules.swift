internal import BellhopDiagnostics

extension ConfigurationForm where Value == [Configuration.Subscriptions.Rule] {
    /// A list of rules, each an object with keys of its own.
    static let rules = {
        let wanted = "a list of rules"
        return ConfigurationForm(
            wanted: wanted,
            read: { node in
                guard case .array(let elements) = node.value else {
                    return .failure(ConfigurationFault(.wrongType(wanted: wanted, found: node.value.kind), at: node))
                }
                var rules: [Configuration.Subscriptions.Rule] = []
                var faults: [ConfigurationFault.Item] = []
                for (index, element) in elements.enumerated() {
                    switch rule(element, "[\(index)]") {
                    case .success(let rule): rules.append(rule)
                    case .failure(let fault): faults += fault.items
                    }
                }
                return faults.isEmpty ? .success(rules) : .failure(ConfigurationFault(faults))
            },
            show: { $0.isEmpty ? "[]" : "\($0.count) rules" })
    }()

    private static func rule(
        _ node: JSONNode, _ place: String
    ) -> Result<Configuration.Subscriptions.Rule, ConfigurationFault> {
        var walker = ConfigurationWalker(keys: ConfigurationKeys.rule)
        var draft = RuleDraft()
        walker.walk(node, into: &draft)
        if case .object = node.value {
            for required in ["match", "action"] where walker.lacks(required) {
                walker.report(.missing, required, node.position)
            }
            walker.requireLimit("limit")
        }
        guard walker.problems.isEmpty, let match = draft.match, let action = draft.action else {
            return .failure(
                ConfigurationFault(
                    walker.problems.map {
                        .init(
                            place: ConfigurationWalker<RuleDraft>.join(place, $0.path),
                            position: $0.position ?? node.position, kind: $0.kind)
                    }))
        }
        let limit: Configuration.Subscriptions.RuleLimit =
            draft.limit.limit.map { .some($0) } ?? (draft.off == nil ? .inherited : .off)
        return .success(.init(match: match, action: action, group: draft.group, limit: limit))
    }
}

extension ConfigurationWalker {
    /// Reports what a limit that is written in its parts lacks.
    mutating func requireLimit(_ path: String) {
        guard let node = seen[path], case .object = node.value else { return }
        for part in [path + ".count", path + ".per"] where lacks(part) {
            report(.missing, part, node.position)
        }
    }
}
