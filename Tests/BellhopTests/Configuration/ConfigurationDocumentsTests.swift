import Bellhop
import BellhopDiagnostics
import BellhopXMPP
import Testing

@Suite("Configuration documents")
struct ConfigurationDocumentsTests {
    /// A file of the repository, found from where this source stands.
    static func repositoryFile(_ path: String) throws -> String {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        let contents = try SystemFile.read(root + "/" + path, limit: 1_048_576).get()
        return String(decoding: contents.bytes, as: UTF8.self)
    }

    /// The paths of all keys in a tree, those of list elements with `[]`.
    private static func paths(_ node: JSONNode, _ path: String = "") -> Set<String> {
        switch node.value {
        case .object(let members):
            members.reduce(into: []) { found, member in
                let full = path.isEmpty ? member.key : path + "." + member.key
                found.insert(full)
                found.formUnion(paths(member.node, full))
            }
        case .array(let elements): elements.reduce(into: []) { $0.formUnion(paths($1, path + "[]")) }
        case .null, .bool, .number, .string: []
        }
    }

    @Test("the example has exactly the sections, shows every key, and is accepted with one variable set")
    func example() throws {
        let text = try Self.repositoryFile("config.example.json")
        let node = try ConfigurationText.read(Array(text.utf8))
        guard case .object(let members) = node.value else {
            Issue.record("the example is no object")
            return
        }
        #expect(members.map(\.key) == ConfigurationKeys.sections)
        // The other forms of a value that can be written in several are in the comments.
        let alternatives: Set = [
            "account.password.file", "account.password.command", "account.password.credential", "account.server.host",
            "account.server.port", "account.server.directTLS", "subscriptions.limitPerDomain.count",
            "subscriptions.limitPerDomain.per",
            "commands.list[].open",
        ]
        let paths = Self.paths(node)
        for key in ConfigurationKeys.documentation where !alternatives.contains(key.path) {
            #expect(paths.contains(key.path), "\(key.path) is not in the example")
        }
        for path in alternatives {
            #expect(text.contains("\"\(path.split(separator: ".").last ?? "")\""), "\(path) is not in a comment")
        }
        var surroundings = FakeSurroundings()
        surroundings.variables["BELLHOP_PASSWORD"] = "x"
        let loaded = try surroundings.load(text, mode: 0o644).get()
        #expect(loaded.passwordSource == .environment("BELLHOP_PASSWORD"))
    }

    @Test("the configuration that an installation begins with is right once the password is there")
    func starter() throws {
        let text = try Self.repositoryFile("scripts/service/starter.json").replacing("@BOT@", with: "opsbot")
        var surroundings = FakeSurroundings().having("/run/credentials/bot/password", "secret\n")
        surroundings.variables["CREDENTIALS_DIRECTORY"] = "/run/credentials/bot"
        let loaded = try surroundings.load(text, mode: 0o640).get()
        #expect(loaded.configuration.account.jid.bareText == "opsbot@example.org")
        #expect(loaded.configuration.account.password == Secret("secret"))
        #expect(loaded.configuration.journal.path == "/var/lib/bellhop/opsbot/journal.db")
        #expect(loaded.notes == [])
    }

    @Test("but for account, admins, roles, rules and the list of commands the example shows the defaults")
    func exampleDefaults() throws {
        var surroundings = FakeSurroundings()
        surroundings.variables["BELLHOP_PASSWORD"] = "x"
        let text = try Self.repositoryFile("config.example.json")
        var shown = try surroundings.load(text).get().configuration
        shown.admins = []
        shown.roles = []
        shown.subscriptions.rules = []
        shown.commands.list = []
        let minimal = "{\"account\": {\"jid\": \"bot@example.org\", \"password\": \"x\"}}"
        #expect(shown == (try surroundings.load(minimal).get().configuration))
    }

    @Test("the documentation has a row for every key, with its default and its meaning, and no other")
    func documentation() throws {
        let text = try Self.repositoryFile("docs/configuration.md")
        let rows = text.split(separator: "\n").map(String.init).filter { line in
            line.hasPrefix("| `") && !line.hasPrefix("| `BELLHOP_")
        }
        #expect(rows == ConfigurationKeys.documentation.map(Self.row))
        for entry in EnvironmentKeys.all {
            #expect(text.contains("`\(entry.variable)` | `\(entry.path)`"), "\(entry.variable) is not documented")
        }
    }

    static func row(_ key: ConfigurationKeys.Documentation) -> String {
        let isWord = key.standard.contains { $0 == " " } || ["required", "none"].contains(key.standard)
        let standard = isWord && !key.standard.hasPrefix("\"") ? key.standard : "`\(key.standard)`"
        let mark = ConfigurationKeys.needsRestart(key.path) ? " *" : ""
        return "| `\(key.path)`\(mark) | \(key.wanted) | \(standard) | \(key.meaning) |"
    }
}
