/// The keys that can be set without a file.
package enum EnvironmentKeys {
    /// Each variable and the key that it sets.
    package static let all: [(variable: String, path: String)] = [
        ("BELLHOP_JID", "account.jid"), ("BELLHOP_PASSWORD", "account.password"), ("BELLHOP_ADMINS", "admins"),
        ("BELLHOP_SERVER", "account.server"), ("BELLHOP_CA", "account.trust.ca"),
        ("BELLHOP_PIN", "account.trust.pins"),
    ]

    /// Whether anybody means to go without a file. A password alone does not say so: a file may read it from there.
    static func isInUse(_ surroundings: any Surroundings) -> Bool {
        all.contains { $0.variable != "BELLHOP_PASSWORD" && surroundings.variable($0.variable) != nil }
    }

    /// The variable that sets the key, or the nearest key above it.
    static func variable(of path: String) -> String? {
        all.first { path == $0.path || path.hasPrefix($0.path + ".") || path.hasPrefix($0.path + "[") }?.variable
    }

    /// The variables as the configuration that they stand for; an empty variable counts as not set.
    static func node(_ surroundings: any Surroundings) -> JSONNode {
        let nowhere = TextPosition(line: 1, column: 1)
        func text(_ name: String) -> JSONNode? {
            surroundings.variable(name).flatMap { $0.isEmpty ? nil : JSONNode(.string($0), at: nowhere) }
        }
        func object(_ members: [(String, JSONNode?)]) -> JSONNode {
            JSONNode(
                .object(
                    members.compactMap { name, node in
                        node.map { JSONMember(key: name, position: nowhere, node: $0) }
                    }), at: nowhere)
        }
        func trust() -> JSONNode? {
            let pins = text("BELLHOP_PIN").map { JSONNode(.array([$0]), at: nowhere) }
            let ca = text("BELLHOP_CA")
            return ca == nil && pins == nil ? nil : object([("ca", ca), ("pins", pins)])
        }
        let admins = surroundings.variable("BELLHOP_ADMINS").map { list in
            list.split { $0 == "," || $0.isWhitespace }.map { JSONNode(.string(String($0)), at: nowhere) }
        }
        return object([
            (
                "account",
                object([
                    ("jid", text("BELLHOP_JID")), ("password", text("BELLHOP_PASSWORD")),
                    ("server", text("BELLHOP_SERVER")),
                    ("trust", trust()),
                ])
            ),
            ("admins", admins.map { JSONNode(.array($0), at: nowhere) }),
        ])
    }
}
