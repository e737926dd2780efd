import Bellhop
import BellhopDiagnostics
import BellhopXMPP
import Testing

@Suite("Configuration keys")
struct ConfigurationKeysTests {
    /// A complete configuration with one command, which has the value where it is given.
    static func program(_ path: String, _ value: String?) -> String {
        let key = path.split(separator: ".").last.map(String.init) ?? ""
        var command = ["name": "\"x\"", "run": "[\"x\"]", "open": "true", "pass": "\"environment\""]
        if path.hasPrefix("commands.list[].arguments[].") {
            var argument = ["name": "\"a\""]
            if key == "choices" { argument = ["name": "\"a\"", "kind": "\"choice\"", "choices": "[\"z\"]"] }
            if let value { argument[key] = value }
            command["arguments"] = "[\(object(argument))]"
        } else {
            if key == "allow" && value != nil || key == "open" && value == nil { command["open"] = nil }
            if key == "open" && value == nil { command["allow"] = "[\"ops\"]" }
            if let value { command[key] = value }
        }
        return "{\"account\": {\"jid\": \"bot@example.org\", \"password\": \"x\"}, \"roles\": {\"ops\": [\"*\"]}, "
            + "\"commands\": {\"list\": [\(object(command))]}}"
    }

    private static func object(_ members: [String: String]) -> String {
        "{" + members.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
    }

    /// A complete configuration with one more value, in the JSON of `path`.
    static func text(_ path: String, _ value: String) -> String {
        if path.hasPrefix("commands.list[].") { return program(path, value) }
        var account = "\"jid\": \"bot@example.org\""
        if !path.hasPrefix("account.password") { account += ", \"password\": \"x\"" }
        if path == "account.jid" { account = "\"password\": \"x\"" }
        if path == "account.tls" { account += ", \"server\": \"localhost\"" }
        let serverPart = ["account.server.port": "port", "account.server.directTLS": "directTLS"][path]
        if let serverPart { account += ", \"server\": {\"host\": \"example.org\", \"\(serverPart)\": \(value)}" }
        var parts = path.split(separator: ".").map(String.init)
        if serverPart != nil { return "{\"account\": {\(account)}}" }
        var json = value
        let last = parts.removeLast()
        var siblings = ["count": ", \"per\": \"2d\"", "per": ", \"count\": 77"][last] ?? ""
        if path == "journal.backup.keep" || path == "journal.backup.folder" { siblings = ", \"every\": \"24h\"" }
        json = "{\"\(last)\": \(json)\(siblings)}"
        for part in parts.dropFirst().reversed() {
            if part == "rules[]" {
                let other = last == "match" ? ", \"action\": \"ask\"" : ", \"match\": \"*\""
                let both = last == "match" || last == "action" ? other : ", \"match\": \"*\", \"action\": \"ask\""
                json = "{\"rules\": [\(json.dropLast())\(both)}]}"
            } else {
                json = "{\"\(part)\": \(json)}"
            }
        }
        if parts.isEmpty { return "{\"account\": {\(account)}, \(json.dropFirst())" }
        if parts[0] == "account" { return "{\"account\": {\(account), \(json.dropFirst())}" }
        return "{\"account\": {\(account)}, \"\(parts[0])\": \(json)}"
    }

    private let surroundings: FakeSurroundings = {
        var surroundings = FakeSurroundings()
        surroundings.variables["BELLHOP_PASSWORD"] = "from env"
        surroundings.variables["CREDENTIALS_DIRECTORY"] = "/run/credentials/bot"
        surroundings.programs["pass show bot"] = .success(Array("from command\n".utf8))
        return surroundings.having("password.txt", "from file\n").having("/run/credentials/bot/password", "credential")
            .having("ca.pem", "-----BEGIN CERTIFICATE-----\n")
            .having("bot.pem", "-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n")
            .having("bot.key", "-----BEGIN PRIVATE KEY-----\n")
    }()

    @Test(
        "every key of the table changes something, so that none is read and ignored",
        // What stands under `bot` is read by the bot's own keys; see SettingsTests.
        arguments: ConfigurationKeys.documentation.map(\.path).filter { $0 != "bot" })
    func effect(path: String) throws {
        let key = try #require(ConfigurationKeys.documentation.first { $0.path == path })
        let isOwnKey = path == "account.certificate.key"
        let text =
            isOwnKey
            ? Self.text("account.certificate", "{\"file\": \"bot.pem\", \"key\": \(key.example)}")
            : Self.text(path, key.example)
        let changed = try surroundings.load(text).get()
        // The same file with everything but this value, or with another value of it.
        let others = [
            "account.jid": "\"x@example.org\"", "account.password": "\"other\"", "account.password.env": "\"HOME\"",
            "journal.backup.keep": "2", "journal.backup.folder": "\"/elsewhere\"",
            "account.password.file": "\"ca.pem\"", "account.server.port": "5222",
            "account.server.directTLS": "false",
            "subscriptions.rules[].match": "\"*\"", "subscriptions.rules[].action": "\"ask\"",
            "subscriptions.rules[].limit.count": "6", "subscriptions.rules[].limit.per": "\"3d\"",
            "subscriptions.limitPerDomain.count": "6", "subscriptions.limitPerDomain.per": "\"3d\"",
        ]
        let base: LoadedConfiguration
        if let other = others[path] {
            base = try surroundings.load(Self.text(path, other)).get()
        } else if path.hasPrefix("subscriptions.rules[].") {
            base = try surroundings.load(Self.text("subscriptions.rules[].action", "\"ask\"")).get()
        } else if path.hasPrefix("commands.list[].") {
            base = try surroundings.load(Self.program(path, nil)).get()
        } else if isOwnKey {
            base = try surroundings.load(Self.text("account.certificate.file", "\"bot.pem\"")).get()
        } else if path == "account.tls" {
            base = try surroundings.load(Self.text("account.server", "\"localhost\"")).get()
        } else {
            base = try surroundings.load("{\"account\": {\"jid\": \"bot@example.org\", \"password\": \"x\"}}").get()
        }
        #expect(changed.configuration != base.configuration)
    }

    @Test("the defaults are those that the table says")
    func defaults() throws {
        let loaded = try surroundings.load("{\"account\": {\"jid\": \"bot@example.org\", \"password\": \"x\"}}").get()
        let configuration = loaded.configuration
        #expect(configuration.account.jid == (try JID("bot@example.org")))
        #expect(configuration.account.password == Secret("x"))
        #expect(configuration.account.server == nil)
        #expect(configuration.account.connection == .init())
        #expect(configuration.admins == [])
        #expect(configuration.journal.path == "/home/op/.local/state/bellhop/echobot/journal.db")
        let shown = Dictionary(uniqueKeysWithValues: ConfigurationKeys.documentation.map { ($0.path, $0.standard) })
        #expect(shown["account.resource"] == "\"bellhop\"")
        #expect(shown["account.timeout"] == "\"30s\"")
        #expect(shown["account.tls"] == "\"required\"")
        #expect(shown["account.allowPlain"] == "false")
        #expect(shown["commands.maxAge"] == "\"2m\"")
        #expect(shown["subscriptions.default"] == "\"ask\"")
        #expect(shown["subscriptions.limitPerDomain"] == "\"off\"")
        #expect(shown["subscriptions.rules"] == "[]")
        #expect(shown["commands.list"] == "[]")
        #expect(shown["commands.list[].pass"] == "\"argv\"")
        #expect(shown["commands.list[].maxOutput"] == "65536")
        #expect(shown["commands.list[].arguments[].kind"] == "\"text\"")
        #expect(shown["diagnostics.level"] == "\"info\"")
    }

    @Test("no key stands twice in the table, and each belongs to a section")
    func unique() {
        let paths = ConfigurationKeys.documentation.map(\.path)
        #expect(Set(paths).count == paths.count)
        for path in paths {
            #expect(ConfigurationKeys.sections.contains(String(path.prefix { $0 != "." })))
        }
    }
}
