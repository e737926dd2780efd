internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopXMPP

/// A configuration while it is read: what has no default may still be missing.
struct ConfigurationDraft: Equatable, Sendable {
    var jid: JID?
    var password = Password()
    var server = ServerParts()
    var nameServer: Configuration.NameServer?
    var connection = Configuration.Connection()
    var admins: [JID] = []
    var roles: [RoleDefinition] = []
    var access: [AccessDraft] = []
    var programs: [ProgramEntry] = []
    var presence = Availability()
    var subscriptions = Configuration.Subscriptions()
    var limit = LimitParts()
    var commands = Configuration.Commands()
    var journalPath: String?
    var journal = Configuration.Journal()
    var archive = Configuration.Archive()
    var diagnostics = Configuration.Diagnostics()
    /// Read by the bot's own keys once the rest is.
    var bot: JSONNode?
    /// What came of that.
    var custom: SettingsReading?

    /// The ways to give a password, of which one is right.
    struct Password: Equatable, Sendable {
        var plain: Secret?
        var environment: String?
        var file: String?
        var command: [String]?
        var credential: String?

        var sources: [SecretSource] {
            [
                plain.map { .plain($0) }, environment.map { .environment($0) }, file.map { .file($0) },
                command.map { .command($0) }, credential.map { .credential($0) },
            ].compactMap { $0 }
        }
    }

    /// A server in one text, or in its parts.
    struct ServerParts: Equatable, Sendable {
        var whole: Configuration.Server?
        var host: String?
        var port: UInt16?
        var directTLS = false

        var server: Configuration.Server? {
            whole ?? host.map { Configuration.Server(host: $0, port: port, directTLS: directTLS) }
        }
    }

    /// A limit in its parts; `off` stands for none.
    struct LimitParts: Equatable, Sendable {
        var off = LimitSwitch.off
        var count: Int?
        var per: Duration?

        var limit: Configuration.Subscriptions.Limit? {
            guard let count, let per else { return nil }
            return .init(count: count, per: per)
        }
    }

    enum LimitSwitch: String, Sendable, CaseIterable { case off }
}

/// A rule while it is read.
struct RuleDraft: Equatable, Sendable {
    var match: JIDPattern?
    var action: Configuration.Subscriptions.Action?
    var group: String?
    var off: ConfigurationDraft.LimitSwitch?
    var limit = ConfigurationDraft.LimitParts()
}
