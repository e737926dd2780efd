import BellhopXMPP
import Foundation

@testable import Bellhop
@testable import BellhopTestServer

/// What `setup` says, as a configuration and a roster.
extension CaseDriver {
    struct UnknownSetup: Error {
        var member: String
    }

    static func configuration(_ file: CaseFile, _ server: TestServer, _ folder: String) throws -> Configuration {
        let stage = CaseStage(of: file.name)
        let account = stage == .registering ? "newbot@bots.example.test" : BotConfiguration.account
        var configuration = try BotConfiguration.standard(
            server, folder: folder, jid: file.setup["account"]?.string ?? account)
        configuration.account.connection.encryption = .required
        for (member, value) in file.setup {
            switch member {
            case "policy": try set(policy: value, file, &configuration)
            case "admins": configuration.admins = try value.strings.map { try JID($0) }
            case "language": configuration.commands.language = value.string
            // The account and the roster are read elsewhere, and skipping late commands is what the bot does.
            case "account", "roster", "subscribe_back", "offline_policy": break
            // The bot has `info` always, and never asks for the process's locale.
            case "handlers_extra", "env": break
            default: throw UnknownSetup(member: member)
            }
        }
        // An operator who lets the bot show its password to the server.
        if file.name == "C011" { configuration.account.connection.allowsPlain = true }
        return configuration
    }

    private static func set(policy: JSONValue, _ file: CaseFile, _ configuration: inout Configuration) throws {
        let isMutual = file.setup["subscribe_back"]?.bool ?? false
        switch policy {
        case .string("accept"): configuration.subscriptions.fallback = isMutual ? .acceptMutual : .accept
        case .string("manual"), .string("known-only"): configuration.subscriptions.fallback = .ask
        default:
            guard let domains = policy["accept_domains"]?.strings, policy.object?.count == 1 else {
                throw UnknownSetup(member: "policy")
            }
            configuration.subscriptions.rules = try domains.map {
                Configuration.Subscriptions.Rule(match: try JIDPattern($0), action: .accept)
            }
        }
    }

    /// Checks the configurations of a case that is about nothing else; what was wrong, in words.
    static func checkConfiguration(_ file: CaseFile) async throws -> [String] {
        try await BotConfiguration.inFolder { folder in
            var failures: [String] = []
            for step in file.steps {
                guard let configuration = step["config"], step["argv"]?.strings == ["check-config"] else {
                    failures.append("\(file.name): an unknown step \(step)")
                    continue
                }
                let path = folder + "/bot.json"
                _ = SystemFile.create(path, Array(try JSONEncoder().encode(configuration)))
                let loader = ConfigurationLoader(bot: "testbot", surroundings: SystemSurroundings())
                guard case .failure(let report) = loader.load(file: path) else {
                    failures.append("\(file.name): the configuration was taken")
                    continue
                }
                // What the bot does not know is named; that it knows `admins` and no `allow_users` is this bot's way.
                if !report.lines.joined().contains("access") { failures.append("\(file.name): \(report.lines)") }
            }
            for member in file.expect.keys where CaseCatalogue.awaited(file.name, member) == nil {
                if member != "exit_nonzero" { failures.append("\(file.name): an unknown member \(member) of expect") }
            }
            return failures
        }
    }

    /// The items of the roster that the server has.
    static func roster(_ setup: [String: JSONValue]) -> [String] {
        guard let items = setup["roster"]?.array else {
            return ["alice", "bob"].map { "<item jid='\($0)@example.test' subscription='both'/>" }
        }
        return items.map { item in
            "<item jid='\(item["jid"]?.string ?? "")' subscription='\(item["subscription"]?.string ?? "none")'/>"
        }
    }
}
