internal import BellhopBot

/// Goes through the objects of a configuration and puts every value where its key says; finds all problems, not the first.
struct ConfigurationWalker<Target: Sendable> {
    let keys: [ConfigurationKey<Target>]
    /// What stands in front of a path for people, like `subscriptions.rules[2]`.
    let prefix: String
    private(set) var problems: [ConfigurationProblem] = []
    /// Where each key of the text that was read has its value.
    private(set) var seen: [String: JSONNode] = [:]

    init(keys: [ConfigurationKey<Target>], prefix: String = "") {
        self.keys = keys
        self.prefix = prefix
    }

    mutating func walk(_ node: JSONNode, into target: inout Target) {
        section("", node, into: &target)
    }

    private mutating func section(_ path: String, _ node: JSONNode, into target: inout Target) {
        guard case .object(let members) = node.value else {
            return report(.wrongType(wanted: "an object", found: node.value.kind), path, node.position)
        }
        var firsts: [String: TextPosition] = [:]
        for member in members {
            let full = Self.join(path, member.key)
            if let first = firsts[member.key] {
                report(.duplicateKey(first: first), full, member.position)
                continue
            }
            firsts[member.key] = member.position
            seen[full] = member.node
            read(member, full, section: path, into: &target)
        }
    }

    private mutating func read(
        _ member: JSONMember, _ full: String, section path: String, into target: inout Target
    ) {
        let isSection = keys.contains { $0.path.hasPrefix(full + ".") }
        let key = keys.first { $0.path == full }
        if case .object = member.node.value, isSection { return section(full, member.node, into: &target) }
        if let key {
            for item in key.read(member.node, &target) {
                report(item.kind, full + item.place, item.position)
            }
        } else if isSection {
            section(full, member.node, into: &target)
        } else {
            let names = Self.names(in: path, of: keys.map(\.path))
            let suggestion = Self.suggestion(for: member.key, among: names, everywhere: keys.map(\.path))
            report(.unknownKey(suggestion: suggestion, allowed: names), full, member.position)
        }
    }

    mutating func report(_ kind: ConfigurationProblem.Kind, _ path: String, _ position: TextPosition?) {
        problems.append(ConfigurationProblem(kind, path: Self.join(prefix, path), position: position))
    }

    /// Whether the key stands nowhere, or holds `null`.
    func lacks(_ path: String) -> Bool { seen[path].map { $0.value == .null } ?? true }

    /// The place where a missing key would have to be added: its section, as far as that is there.
    func place(ofMissing path: String) -> TextPosition? {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        let parent = String(path[..<dot])
        return seen[parent]?.position ?? place(ofMissing: parent)
    }

    static func join(_ path: String, _ key: String) -> String {
        guard !path.isEmpty else { return key }
        return key.isEmpty || key.hasPrefix("[") ? path + key : path + "." + key
    }

    /// The keys that stand directly in a section, each once.
    private static func names(in section: String, of paths: [String]) -> [String] {
        let start = section.isEmpty ? "" : section + "."
        var names: [String] = []
        for path in paths where path.hasPrefix(start) {
            let name = path.dropFirst(start.count).prefix { $0 != "." }
            if !name.isEmpty && names.last != String(name) { names.append(String(name)) }
        }
        return names
    }

    /// The path where a key of exactly that name would be right, else the nearest key of the same section.
    private static func suggestion(for key: String, among names: [String], everywhere paths: [String]) -> String? {
        let matches = paths.filter { path in
            path.hasSuffix("." + key) || path.contains(".\(key).")
        }
        guard let match = matches.first, let range = match.range(ofComponent: key) else {
            return NearestWord.find(key, among: names)
        }
        return String(match[..<range.upperBound])
    }
}

extension String {
    /// Where `component` stands between the dots of this path.
    fileprivate func range(ofComponent component: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            let end = self[start...].firstIndex(of: ".") ?? endIndex
            if self[start..<end] == component { return start..<end }
            guard end < endIndex else { return nil }
            start = index(after: end)
        }
        return nil
    }
}
