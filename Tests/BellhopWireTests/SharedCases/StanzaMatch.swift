import BellhopXML

/// Which stanzas a step means.
struct StanzaMatch {
    private let wanted: [String: JSONValue]

    init(_ wanted: JSONValue) { self.wanted = wanted.object ?? [:] }

    /// Members that are not understood.
    var unknown: [String] {
        let known: Set = [
            "name", "to", "to_bare", "attrs", "child", "no_child", "text", "contains", "count", "save", "type", "body",
            "id",
        ]
        return wanted.keys.filter { !known.contains($0) }
    }

    func fits(_ stanza: Element) -> Bool {
        for (member, value) in wanted {
            switch member {
            case "name" where stanza.name != value.string: return false
            case "to" where stanza["to"] != value.string: return false
            case "to_bare" where stanza["to"].map { String($0.prefix { $0 != "/" }) } != value.string: return false
            // An attribute that may be absent is one that may be empty.
            case "type" where !value.strings.contains(stanza["type"] ?? ""): return false
            case "attrs":
                for (name, value) in value.object ?? [:] where !value.strings.contains(stanza[name] ?? "") {
                    return false
                }
            case "child" where Self.child(value, of: stanza) == nil: return false
            case "no_child" where Self.child(value, of: stanza) != nil: return false
            case "text":
                let payload = stanza.children.first
                for (name, value) in value.object ?? [:]
                where payload?.children.first(where: { $0.name == name })?.text != value.string {
                    return false
                }
            case "contains":
                let xml = stanza.serialized(in: "jabber:client")
                if !value.strings.allSatisfy(xml.contains) { return false }
            case "body" where !Self.isSame(stanza.body, value.string): return false
            default: continue
            }
        }
        return true
    }

    /// Byte for byte: Swift's own comparison takes composed and decomposed letters for the same.
    static func isSame(_ one: String?, _ other: String?) -> Bool {
        one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }

    /// A child in the form `{namespace}name`.
    private static func child(_ name: JSONValue, of stanza: Element) -> Element? {
        let parts = (name.string ?? "").dropFirst().split(separator: "}", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        return stanza.child(parts[1], parts[0])
    }
}
