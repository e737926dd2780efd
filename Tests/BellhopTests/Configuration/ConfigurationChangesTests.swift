import BellhopBot
import Testing

@testable import Bellhop

@Suite("What has changed in a configuration")
struct ConfigurationChangesTests {
    private static func text(_ account: String = "", _ rest: String = "") -> String {
        "{\"account\": {\"jid\": \"bot@example.org\", \"password\": \"x\"\(account)}\(rest)}"
    }

    private func changes(_ texts: String...) throws -> ConfigurationChanges {
        let loaded = try texts.map { try FakeSurroundings().load($0).get() }
        return ConfigurationChanges(
            started: loaded[0], current: loaded[loaded.count - 2], new: loaded[loaded.count - 1])
    }

    struct Sample: Sendable {
        var account = ""
        var rest = ""
        var applied: [String] = []
        var postponed: [String] = []
        var sentence = "The configuration was read again"
        var fields: [String] = []
    }

    static let samples = [
        Sample(sentence: "The configuration was read again; nothing in it has changed"),
        Sample(
            rest: ", \"admins\": [], \"commands\": {\"prefix\": \"!\"}",
            sentence: "The configuration was read again; nothing in it has changed"),
        Sample(
            rest: ", \"admins\": [\"a@x.example\"], \"commands\": {\"timeout\": \"1m\"}",
            applied: ["admins", "commands.timeout"], fields: ["changed=admins, commands.timeout"]),
        Sample(
            account: ", \"resource\": \"night\", \"ping\": {\"every\": \"off\"}",
            rest: ", \"presence\": {\"status\": \"hi\"}, \"diagnostics\": {\"format\": \"json\", \"level\": \"debug\"}",
            applied: ["presence.status", "diagnostics.level"],
            postponed: ["account.resource", "account.ping.every", "diagnostics.format"],
            sentence: "The configuration was read again; what is named under restart holds from the next start on",
            fields: [
                "changed=presence.status, diagnostics.level",
                "restart=account.resource, account.ping.every, diagnostics.format",
            ]),
        Sample(
            rest: ", \"journal\": {\"path\": \"x.db\"}", postponed: ["journal.path"],
            sentence: "The configuration was read again; what is named under restart holds from the next start on",
            fields: ["restart=journal.path"]),
        Sample(
            rest: ", \"subscriptions\": {\"rules\": [{\"match\": \"*\", \"action\": \"ask\"}], \"default\": \"block\"}",
            applied: ["subscriptions.rules", "subscriptions.default"],
            fields: ["changed=subscriptions.rules, subscriptions.default"]),
        Sample(
            rest:
                ", \"roles\": {\"ops\": [\"a@x.example\"]}, \"commands\": {\"access\": {\"help\": {\"allow\": [\"ops\"]}}}",
            applied: ["roles", "commands.access"], fields: ["changed=roles, commands.access"]),
    ]

    @Test("keys that differ are named, those that need a restart apart", arguments: samples)
    func differing(sample: Sample) throws {
        let changes = try changes(Self.text(), Self.text(sample.account, sample.rest))
        #expect(changes.applied == sample.applied)
        #expect(changes.postponed == sample.postponed)
        #expect(ServicePhrases.reloaded(changes) == sample.sentence)
        #expect(ServicePhrases.fields(changes).map { "\($0.key)=\($0.value)" } == sample.fields)
    }

    @Test("a key that needs a restart is named until it has had one, another one once")
    func since() throws {
        let changed = Self.text(", \"resource\": \"night\"", ", \"admins\": [\"a@x.example\"]")
        let changes = try changes(Self.text(), changed, changed)
        #expect(changes.applied == [])
        #expect(changes.postponed == ["account.resource"])
    }

    @Test("where something stands in the file makes no difference")
    func position() throws {
        let access = "\"commands\": {\"access\": {\"help\": {\"allow\": [\"admins\"]}}}"
        let changes = try changes(Self.text("", ", \(access)"), Self.text("", ",\n// first\n\(access)"))
        #expect(changes.applied == [])
    }

    @Test("what the bot's code names is looked for when the file is read again, too")
    func declaration() throws {
        let bot = Bot { Command("uptime", "") { _ in "up" }.allow(.ops) }
        let right = Self.text("", ", \"roles\": {\"ops\": [\"a@x.example\"]}")
        let loaded = try FakeSurroundings().load(right).get()
        let source = ConfigurationSource(
            loaded, bot: "echobot", declaration: bot.declaration,
            surroundings: FakeSurroundings().having("bot.json", Self.text()), level: nil)
        guard case .failure(let report) = source.reread() else {
            Issue.record("a role that the code names may be left out")
            return
        }
        #expect(report.problems.map(\.path) == ["roles.ops"])
    }

    @Test("another password behind the same source is a change that needs a restart, and is not shown")
    func password() throws {
        let text = "{\"account\": {\"jid\": \"bot@example.org\", \"password\": {\"file\": \"p\"}}}"
        let old = try FakeSurroundings().having("p", "hunter2").load(text).get()
        let new = try FakeSurroundings().having("p", "correct horse").load(text).get()
        let changes = ConfigurationChanges(started: old, current: old, new: new)
        #expect(changes.postponed == ["account.password"])
        #expect(!"\(changes)".contains("horse"))
    }

    @Test("every key is either read at the start or applied at once, as its section says")
    func sections() {
        let fixed = ConfigurationKeys.documentation.map(\.path).filter(ConfigurationKeys.needsRestart)
        #expect(fixed.allSatisfy { $0.hasPrefix("account.") || $0.hasPrefix("journal.") || $0 == "diagnostics.format" })
        #expect(!ConfigurationKeys.needsRestart("admins"))
        #expect(!ConfigurationKeys.needsRestart("journalists"))
    }
}
